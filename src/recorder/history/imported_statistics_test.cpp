// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/imported_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/json/json.h"
#include "base/text/timestamp.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

base::Result<StatisticsImport> parse(std::string_view metadata, std::string_view stats) {
  return parse_statistics_import(base::parse_json(metadata).value().as_object(),
                                 base::parse_json(stats).value().as_array());
}

constexpr std::string_view kEnergy =
    R"({"statistic_id":"mine:energy","source":"mine","name":"Old house","unit_of_measurement":"kWh","has_mean":false,)"
    R"("has_sum":true})";
const base::Timestamp kNoon = base::parse_timestamp("2026-01-31T12:00:00Z").value();

TEST(StatisticsImport, ReadsHoursOfATotalAndOfAMeasurement) {
  const auto total = parse(kEnergy, R"([{"start":"2026-01-31T13:00:00+01:00","state":1200.1234567,"sum":3.5,
                                         "last_reset":"2026-01-01T00:00:00Z"},{"start":"2026-01-31T13:00:00Z","sum":4}])");
  ASSERT_TRUE(total) << total.error().message;
  EXPECT_EQ("mine:energy", total->statistic.statistic_id);
  EXPECT_EQ("Old house", total->statistic.name);
  ASSERT_EQ(2u, total->rows.size());
  EXPECT_EQ(kNoon, total->rows[0].start);
  EXPECT_EQ(1200.1234567, total->rows[0].state);
  EXPECT_EQ(3.5, total->rows[0].sum);
  EXPECT_EQ(base::parse_timestamp("2026-01-01T00:00:00Z").value(), total->rows[0].last_reset);
  EXPECT_TRUE(std::isnan(total->rows[1].state));
  const auto measured = parse(R"({"statistic_id":"sensor.outside","source":"recorder","mean_type":1,"name":null})",
                              R"([{"start":"2026-01-31T12:00:00Z","mean":2,"min":1.5,"max":3}])");
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_TRUE(measured->statistic.has_mean && !measured->statistic.has_sum);
  EXPECT_EQ(1.5, measured->rows[0].min);
  EXPECT_EQ(3, measured->rows[0].max);
}

TEST(StatisticsImport, RefusesWhatIsWrongAndNamesIt) {
  const auto refused = [](std::string_view metadata, std::string_view stats, std::string_view why) {
    const auto read = parse(metadata, stats);
    ASSERT_FALSE(read) << why;
    EXPECT_TRUE(read.error().message.contains(why)) << read.error().message;
  };
  for (const std::string_view id : {"", "energy", "mine:", ":energy", "Mine:energy", "mine:en__ergy", "_m:e", "m:e:f"})
    refused(R"({"has_sum":true,"statistic_id":")" + std::string(id) + "\"}", "[]", "metadata.statistic_id");
  refused(R"({"statistic_id":"mine:a","source":"yours","has_sum":true})", "[]", "expected mine for mine:a, got yours");
  refused(R"({"statistic_id":"sensor.a","source":"mine","has_sum":true})", "[]", "expected recorder");
  refused(R"({"statistic_id":"mine:a"})", "[]", "has_mean or has_sum");
  refused(R"({"statistic_id":"mine:a","has_sum":1})", "[]", "metadata.has_sum");
  refused(kEnergy, R"([1])", "stats[0]: expected an object");
  refused(kEnergy, R"([{"start":"2026-01-31T12:30:00Z","sum":1}])", "the beginning of an hour");
  refused(kEnergy, R"([{"sum":1}])", "stats[0].start");
  refused(kEnergy, R"([{"start":"noon","sum":1}])", "stats[0].start");
  refused(kEnergy, R"([{"start":"2026-01-31T12:00:00Z","sum":1},{"start":"2026-01-31T13:00:00Z"}])", "stats[1].sum");
  refused(kEnergy, R"([{"start":"2026-01-31T12:00:00Z","sum":"1"}])", "stats[0].sum: expected a number");
}

class ImportedStatisticsTest : public testing::Test {
 protected:
  void import(std::string_view stats) {
    const auto done = imported_->import(parse(kEnergy, stats).value());
    ASSERT_TRUE(done) << done.error().message;
  }
  std::vector<double> sums(base::Timestamp from = base::Timestamp(), std::size_t most = 100) {
    std::vector<double> all;
    const auto rows = imported_->rows("mine:energy", from, kNoon + 24h, most);
    for (const Statistics& row : rows.value()) all.push_back(row.sum);
    return all;
  }

  storage::TemporaryFolder folder_;
  std::unique_ptr<ImportedStatistics> imported_ = ImportedStatistics::open(folder_ / "home.db").value();
};

TEST_F(ImportedStatisticsTest, KeepsHoursAndReplacesThoseThatComeAgain) {
  import(R"([{"start":"2026-01-31T12:00:00Z","sum":1.25},{"start":"2026-01-31T13:00:00Z","sum":2},
             {"start":"2026-01-31T14:00:00Z","sum":3}])");
  import(R"([{"start":"2026-01-31T13:00:00Z","sum":2.5},{"start":"2026-01-31T15:00:00Z","sum":4}])");
  imported_ = ImportedStatistics::open(folder_ / "home.db").value();
  EXPECT_EQ((std::vector{1.25, 2.5, 3.0, 4.0}), sums());
  EXPECT_EQ((std::vector{2.5, 3.0}), sums(kNoon + 1h, 2));
  EXPECT_EQ(0, imported_->sum_before("mine:energy", kNoon).value());
  EXPECT_EQ(1.25, imported_->sum_before("mine:energy", kNoon + 1h).value());
  ASSERT_EQ(1u, imported_->list().value().size());
  EXPECT_EQ("kWh", imported_->find("mine:energy").value()->unit);
  EXPECT_FALSE(imported_->find("mine:water").value());
}

TEST_F(ImportedStatisticsTest, AdjustsRenamesAndRemoves) {
  import(R"([{"start":"2026-01-31T12:00:00Z","sum":1},{"start":"2026-01-31T13:00:00Z","sum":2}])");
  EXPECT_TRUE(imported_->adjust_sum("mine:energy", kNoon + 1h, 10).value());
  EXPECT_EQ((std::vector{1.0, 12.0}), sums());
  EXPECT_TRUE(imported_->set_unit("mine:energy", "MWh").value());
  EXPECT_EQ("MWh", imported_->find("mine:energy").value()->unit);
  EXPECT_FALSE(imported_->adjust_sum("mine:water", kNoon, 1).value());
  EXPECT_FALSE(imported_->set_unit("mine:water", {}).value());
  EXPECT_TRUE(imported_->remove("mine:energy").value());
  EXPECT_FALSE(imported_->remove("mine:energy").value());
  EXPECT_TRUE(sums().empty());
  EXPECT_TRUE(imported_->list().value().empty());
}

}  // namespace
}  // namespace hearth::recorder
