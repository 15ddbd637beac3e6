// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/statistics_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "recorder/history/entity_statistics.h"
#include "recorder/log/history_file.h"
#include "recorder/log/test_changes.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

std::vector<Statistics> day_of_steps() {
  std::vector<Statistics> steps;
  for (int i = 0; i < 288; i += i % 7 == 3 ? 2 : 1) {
    Statistics step;
    step.start = kStart + i * kStatisticsStep;
    step.covered = i % 5 ? kStatisticsStep : base::Duration(123'456'789);
    step.mean = 21.5 + 0.013 * (i % 17);
    step.min = step.mean - 0.25;
    step.max = step.mean + 0.5;
    step.state = 21.5;
    steps.push_back(step);
  }
  return steps;
}

storage::Blob blob(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(StatisticsStore, ReadsBackADay) {
  const auto steps = day_of_steps();
  const std::string packed = encode_statistics(steps);
  const auto back = decode_statistics(blob(packed));
  ASSERT_TRUE(back);
  ASSERT_EQ(steps.size(), back->size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].start, (*back)[i].start);
    EXPECT_EQ(steps[i].covered, (*back)[i].covered);
    EXPECT_NEAR(steps[i].mean, (*back)[i].mean, 1e-6);
    EXPECT_NEAR(steps[i].min, (*back)[i].min, 1e-6);
    EXPECT_NEAR(steps[i].max, (*back)[i].max, 1e-6);
  }
  EXPECT_LT(packed.size(), steps.size() * 8);
}

TEST(StatisticsStore, ReadsBackAnImportedDay) {
  std::vector<Statistics> steps;
  for (int i = 0; i < 20; ++i) {
    Statistics step;
    step.start = kStart + i * std::chrono::hours(1);
    step.covered = std::chrono::hours(1);
    step.imported = i < 18;
    step.total = i % 2 == 0;
    step.angle = i % 2 == 1;
    step.mean = 1.0 / (i + 3);
    step.min = 1e-9 * i;
    step.max = 1e12 / (i + 1);
    step.state = i == 7 ? std::nan("") : 123'456.7 + 0.1 * i;
    step.sum = 1e6 + 0.1 * i;
    if (i == 3) step.last_reset = kStart;
    steps.push_back(step);
  }
  steps[18].covered = steps[19].covered = kStatisticsStep;
  const std::string packed = encode_statistics(steps);
  const auto back = decode_statistics(blob(packed));
  ASSERT_TRUE(back);
  ASSERT_EQ(steps.size(), back->size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Statistics &was = steps[i], &now = (*back)[i];
    EXPECT_EQ(std::tuple(was.start, was.covered, was.imported, was.total, was.angle, was.last_reset),
              std::tuple(now.start, now.covered, now.imported, now.total, now.angle, now.last_reset));
    EXPECT_EQ(was.sum, now.sum);
    EXPECT_TRUE(i == 7 ? std::isnan(now.state) : was.state == now.state);
    for (const auto value : {&Statistics::mean, &Statistics::min, &Statistics::max})
      EXPECT_NEAR(was.*value, now.*value, 1e-9 * was.*value);
  }
}

TEST(StatisticsStore, ReadsBackLastResetsAndAngles) {
  auto totals = day_of_steps(), angles = totals;
  for (Statistics& step : totals) {
    step.total = true;
    if (step.start > kStart + 3h) step.last_reset = kStart + 90min;
    if (step.start > kStart + 13h) step.last_reset = kStart - 24h * 20'000;
  }
  for (Statistics& step : angles) {
    step.angle = true;
    step.steadiness = 0.25;
  }
  const auto back = decode_statistics(blob(encode_statistics(totals)));
  ASSERT_EQ(totals.size(), back.value().size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    EXPECT_TRUE((*back)[i].total && !(*back)[i].angle);
    EXPECT_EQ(totals[i].last_reset, (*back)[i].last_reset);
  }
  const auto angles_back = decode_statistics(blob(encode_statistics(angles)));
  for (const Statistics& step : angles_back.value()) {
    EXPECT_TRUE(step.angle && !step.total);
    EXPECT_DOUBLE_EQ(0.25, step.steadiness);
  }
  const std::string packed = encode_statistics(angles);
  for (std::size_t size = 0; size < packed.size(); size += 3)
    EXPECT_FALSE(decode_statistics(blob(packed.substr(0, size))));
}

TEST(StatisticsStore, RefusesDamagedBytes) {
  const std::string packed = encode_statistics(day_of_steps());
  for (std::size_t size = 0; size < packed.size(); size += 3)
    EXPECT_FALSE(decode_statistics(blob(packed.substr(0, size))));
}

class StatisticsStoreTest : public testing::Test {
 protected:
  static std::vector<Statistics> ask(const TestHome& home, std::string id, Span span) {
    HistoryFileReader reader(*home.recorder);
    EntityStatistics statistics(std::move(id), span, Period::five_minutes);
    while (statistics.read_on(reader).value()) {
    }
    return statistics.take_finished(true);
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_{kStart};
};

TEST_F(StatisticsStoreTest, AreTheSameStoredOrNotAndOutliveTheChanges) {
  TestHome home(clock_, folder_.path());
  for (int i = 0; i < 200; ++i) {
    clock_.advance(13min);
    home.set("sensor.t", std::to_string(20 + i % 10), kMeasured);
    home.set("sensor.meter", std::to_string(i % 50), kMeter);
  }
  home.save();
  const Span span{kStart, clock_.now()};
  const auto before = ask(home, "sensor.t", span), meter = ask(home, "sensor.meter", span);
  ASSERT_GT(before.size(), 500u);
  home.maintain();
  auto database = open_history(folder_ / "history.db").value();
  auto count = database.prepare("SELECT count(*) FROM statistics").value();
  count.step().value();
  EXPECT_EQ(2, count.integer(0));
  const auto expect_same = [&](const std::vector<Statistics>& first, const std::vector<Statistics>& second) {
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].start, second[i].start);
      EXPECT_NEAR(first[i].mean, second[i].mean, 1e-5) << i;
      EXPECT_NEAR(first[i].sum, second[i].sum, 1e-5) << i;
    }
  };
  expect_same(before, ask(home, "sensor.t", span));
  expect_same(meter, ask(home, "sensor.meter", span));
  clock_.advance(20 * 24h);
  home.save();
  home.maintain();
  clock_.advance(15min);
  home.maintain();
  EXPECT_EQ("", home.history("sensor.t", kStart, kStart + 24h));
  EXPECT_GT(ask(home, "sensor.t", {kStart, kStart + 24h}).size(), 280u);
}

TEST_F(StatisticsStoreTest, GoOnWhenTheClockIsSetBack) {
  TestHome home(clock_, folder_.path());
  home.set("sensor.t", "20", kMeasured);
  home.set("light.a", "on");
  home.save();
  clock_.set(kStart + 4 * 365 * 24h);
  home.maintain();
  clock_.set(kStart + 1h);
  home.maintain();
  for (int hour = 0; hour < 48; ++hour) {
    clock_.advance(1h);
    home.set("sensor.t", std::to_string(hour), kMeasured);
  }
  home.save();
  home.maintain();
  auto database = open_history(folder_ / "history.db").value();
  const auto total = stored_statistics(database, 1, day_of(kStart), day_of(kStart) + 1).value();
  ASSERT_EQ(2u * 288, total.size());
  EXPECT_EQ(45, total.back().state);
}

TEST_F(StatisticsStoreTest, CountATotalOnWithinTheDay) {
  TestHome home(clock_, folder_.path());
  clock_.advance(1min);
  for (int i = 0; i < 70; ++i) {
    home.set("sensor.meter", std::to_string(i), kMeter);
    home.set("sensor.t", std::to_string(i), kMeasured);
    clock_.advance(1h);
  }
  home.save();
  for (const bool stored : {false, true}) {
    if (stored) home.maintain();
    HistoryFileReader reader(*home.recorder);
    for (int hour = 49; hour < 69; ++hour) {
      EntityStatistics meter("sensor.meter", {kStart + hour * 1h, clock_.now()}, Period::hour);
      while (meter.read_on(reader).value()) {
      }
      const auto periods = meter.take_finished(true);
      // From where the changes are of this day alone if the former days are not stored.
      const double since = stored ? 0 : 47;
      ASSERT_EQ(static_cast<std::size_t>(71 - hour), periods.size());
      EXPECT_EQ(kStart + hour * 1h, periods.front().start);
      EXPECT_DOUBLE_EQ(hour - since, periods.front().sum);
      EXPECT_DOUBLE_EQ(hour - 1 - since, meter.sum_before());
      EXPECT_DOUBLE_EQ(69 - since, periods.back().sum);
    }
    const auto measured = ask(home, "sensor.t", {kStart + 50 * 1h + 2min, clock_.now()});
    EXPECT_EQ(kStart + 50 * 1h, measured.front().start);
    EXPECT_EQ(base::Duration(3min), measured.front().covered);
  }
}

TEST_F(StatisticsStoreTest, AGainAtMidnightCountsOnce) {
  TestHome home(clock_, folder_.path());
  const base::Timestamp midnight = std::chrono::floor<std::chrono::days>(kStart) + std::chrono::days(1);
  constexpr int kMidnights = 3;
  for (int quarter = -4; quarter <= kMidnights * 96; ++quarter) {
    clock_.set(midnight + quarter * 15min);
    home.set("sensor.meter", std::to_string(100 + quarter), kMeter);
  }
  home.save();
  for (const bool stored : {false, true}) {
    if (stored) home.maintain();
    const auto hours = [&](base::Timestamp start) {
      HistoryFileReader reader(*home.recorder);
      EntityStatistics meter("sensor.meter", {start, clock_.now() + 1h}, Period::hour);
      while (meter.read_on(reader).value()) {
      }
      return meter.take_finished(true);
    };
    const auto all = hours(midnight - 1h);
    EXPECT_DOUBLE_EQ(4 + kMidnights * 96, all.back().sum) << stored;
    // Each hour from one midnight on has all four of its quarters.
    for (std::size_t hour = 1; hour + 1 < all.size(); ++hour)
      EXPECT_DOUBLE_EQ(4, all[hour].sum - all[hour - 1].sum) << hour << stored;
    if (stored) {
      EXPECT_DOUBLE_EQ(all.back().sum, hours(midnight + kMidnights * 24h).back().sum);
    }
  }
}

TEST_F(StatisticsStoreTest, AreReadInPiecesForAYear) {
  TestHome home(clock_, folder_.path());
  for (int day = 0; day < 300; ++day) {
    home.set("sensor.t", std::to_string(day % 7), kMeasured);
    home.set("light.a", std::to_string(day));
    home.save();
    home.maintain();
    clock_.advance(24h);
  }
  home.maintain();
  HistoryFileReader reader(*home.recorder);
  EntityStatistics statistics("sensor.t", {kStart, clock_.now()}, Period::day);
  int pieces = 1;
  while (statistics.read_on(reader).value()) ++pieces;
  EXPECT_GE(pieces, 4);
  const auto periods = statistics.take_finished(true);
  ASSERT_EQ(300u, periods.size());
  for (std::size_t day = 0; day < 300; ++day) EXPECT_DOUBLE_EQ(static_cast<double>(day % 7), periods[day].mean);
}

TEST_F(StatisticsStoreTest, PeriodsThatAreFinishedAreGivenOnce) {
  TestHome home(clock_, folder_.path());
  for (int day = 0; day < 100; ++day) {
    home.set("sensor.t", std::to_string(day % 7), kMeasured);
    home.save();
    home.maintain();
    clock_.advance(24h);
  }
  home.maintain();
  HistoryFileReader reader(*home.recorder);
  EntityStatistics statistics("sensor.t", {kStart, clock_.now()}, Period::day);
  std::vector<Statistics> all;
  for (bool more = true; more;) {
    more = statistics.read_on(reader).value();
    const auto finished = statistics.take_finished(!more);
    EXPECT_LE(finished.size(), 33u);
    all.insert(all.end(), finished.begin(), finished.end());
  }
  ASSERT_EQ(100u, all.size());
  for (std::size_t day = 0; day < 100; ++day) EXPECT_DOUBLE_EQ(static_cast<double>(day % 7), all[day].mean);
}

TEST_F(StatisticsStoreTest, CostNoMoreForMillenniaThanForTheDaysThatExist) {
  TestHome home(clock_, folder_.path());
  for (int day = 0; day < 40; ++day) {
    home.set("sensor.t", std::to_string(day), kMeasured);
    home.save();
    home.maintain();
    clock_.advance(24h);
  }
  home.maintain();
  HistoryFileReader reader(*home.recorder);
  const auto first_year = base::Timestamp(std::chrono::sys_days(std::chrono::year(1000) / 1 / 1));
  EntityStatistics statistics("sensor.t", {first_year, clock_.now()}, Period::day);
  while (statistics.read_on(reader).value()) {
  }
  EXPECT_EQ(40u, statistics.take_finished(true).size());
  EXPECT_LT(statistics.steps(), 50u);
  EntityStatistics nobody("sensor.none", {first_year, clock_.now()}, Period::day);
  while (nobody.read_on(reader).value()) {
  }
  EXPECT_LT(nobody.steps(), 5u);
}

}  // namespace
}  // namespace hearth::recorder
