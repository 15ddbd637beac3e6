// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/past_writer.h"

#include <gtest/gtest.h>

#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"
#include "recorder/log/segment.h"
#include "recorder/log/test_changes.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

void add(PastWriter& writer, std::string_view id, std::span<const Change> changes) {
  auto transaction = storage::Transaction::begin(writer.database(), storage::Transaction::Kind::write).value();
  writer.add(writer.entity(id).value(), changes).value();
  transaction.commit().value();
}

Statistics hour(base::Timestamp start, double sum) {
  Statistics step;
  step.start = start;
  step.covered = 1h;
  step.imported = step.total = true;
  step.sum = step.state = sum;
  return step;
}

TEST(PastWriter, KeepsThePastApartFromOwnChangesOfTheSameDay) {
  const storage::TemporaryFolder folder;
  const auto file = folder / "history.db";
  {
    auto writer = PastWriter::open(file).value();
    const Change past[] = {change(kStart + 1h, "a"), change(kStart + 2h, "b")};
    add(writer, "sensor.x", past);
  }
  base::ManualClock clock(kStart + 3h);
  {
    TestHome home(clock, folder.path());
    home.set("sensor.x", "c");
    home.save();
    clock.advance(24h);
    home.set("sensor.x", "d");
    home.save();
    home.maintain();
    EXPECT_EQ("a b c d", home.history("sensor.x", kStart, kStart + 48h));
  }
  auto writer = PastWriter::open(file).value();
  const auto bounds = writer.bounds(writer.entity("sensor.x").value());
  EXPECT_EQ(kStart + 3h, bounds.own_first);
  EXPECT_EQ(kStart + 1h, bounds.past_first);
  EXPECT_EQ(kStart + 2h, bounds.past_last);
}

TEST(PastWriter, KeepsChangesOfOneMomentInSeveralSegments) {
  const storage::TemporaryFolder folder;
  auto writer = PastWriter::open(folder / "history.db").value();
  std::vector<Change> past(2 * kMaxSegmentChanges + 5, change(kStart + 1h, "a"));
  add(writer, "sensor.x", past);
  auto select = writer.database().prepare("SELECT count(*), sum(changes), max(last_change) FROM segments").value();
  ASSERT_TRUE(select.step().value());
  EXPECT_EQ(3, select.integer(0));
  EXPECT_EQ(static_cast<std::int64_t>(past.size()), select.integer(1));
  EXPECT_EQ(0, select.integer(2));
}

TEST(PastWriter, LeavesStatisticsThatAreNotOlderThanOwnOnes) {
  const storage::TemporaryFolder folder;
  base::ManualClock clock(kStart + 150min);
  {
    TestHome home(clock, folder.path());
    home.set("sensor.x", "1", kMeter);
    home.save();
  }
  auto writer = PastWriter::open(folder / "history.db").value();
  const auto entity = writer.entity("sensor.x").value();
  const Statistics steps[] = {hour(kStart, 1), hour(kStart + 1h, 2), hour(kStart + 2h, 3)};
  EXPECT_EQ(2u, writer.add_statistics(entity, steps).value());
  EXPECT_EQ(kStart + 2h, imported_until(writer.database(), entity).value());
  EXPECT_EQ(2u, stored_statistics(writer.database(), entity, day_of(kStart), day_of(kStart)).value().size());
  EXPECT_EQ(2, stored_total(writer.database(), entity, day_of(kStart) + 1).value().sum);
}

TEST(PastWriter, KeepsHoursThatAreThereWhole) {
  const storage::TemporaryFolder folder;
  auto writer = PastWriter::open(folder / "history.db").value();
  const auto entity = writer.entity("sensor.x").value();
  const Statistics first[] = {hour(kStart, 1), hour(kStart + 2h, 3)};
  const Statistics second[] = {hour(kStart, 100), hour(kStart + 1h, 2), hour(kStart + 25h, 4)};
  writer.add_statistics(entity, first).value();
  writer.add_statistics(entity, second).value();
  std::string sums;
  const auto stored = stored_statistics(writer.database(), entity, 0, 1 << 20).value();
  for (const Statistics& step : stored) sums += std::to_string(static_cast<int>(step.sum)) + " ";
  EXPECT_EQ("1 2 3 4 ", sums);
  EXPECT_EQ(kStart + 26h, imported_until(writer.database(), entity).value());
}

TEST(PastWriter, WritesAnEventOnce) {
  const storage::TemporaryFolder folder;
  auto writer = PastWriter::open(folder / "history.db").value();
  const HistoryReader::KeptEvent event{"logbook_entry", "{}", kStart, {"C", {}, base::Id("U")}};
  EXPECT_TRUE(writer.add_event(-5, event).value());
  EXPECT_TRUE(writer.add_event(-5, event).value());
  base::ManualClock clock(kStart + 1h);
  TestHome home(clock, folder.path());
  home.hub.bus.fire("logbook_entry", R"({"name":"own"})", core::Origin::local, {"C", {}, {}});
  home.hub.bus.run_pending();
  home.save();
  std::string data;
  HistoryFileReader reader(*home.recorder);
  reader
      .events(kStart, kStart + 24h,
              [&](const HistoryReader::KeptEvent& each) {
                data += each.data + std::string(each.context.user_id.value_or(base::Id("-")));
                return true;
              })
      .value();
  EXPECT_EQ(R"({}U{"name":"own"}-)", data);
}

}  // namespace
}  // namespace hearth::recorder
