// SPDX-License-Identifier: Apache-2.0
#include "recorder/statistics.h"

#include <gtest/gtest.h>

#include "recorder/test_changes.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

Change change(base::Duration after, std::string_view value, std::string_view attributes = kMeasured) {
  return recorder::change(kStart + after, value, attributes);
}

TEST(Statistics, TheMeanIsOverTime) {
  StatisticsWalk walk;
  walk.add(change(0s, "10"));
  walk.add(change(4min, "20"));
  walk.until(kStart + 5min);
  const auto steps = walk.take();
  ASSERT_EQ(1u, steps.size());
  EXPECT_EQ(kStart, steps[0].start);
  EXPECT_EQ(5min, steps[0].covered);
  EXPECT_DOUBLE_EQ(12, steps[0].mean);
  EXPECT_EQ(10, steps[0].min);
  EXPECT_EQ(20, steps[0].max);
  EXPECT_EQ(20, steps[0].state);
}

TEST(Statistics, AValueHoldsUntilTheNextOne) {
  StatisticsWalk walk;
  walk.add(change(1min, "10"));
  walk.add(change(21min, "40"));
  walk.until(kStart + 25min);
  const auto steps = walk.take();
  ASSERT_EQ(5u, steps.size());
  EXPECT_EQ(4min, steps[0].covered);
  EXPECT_DOUBLE_EQ(10, steps[2].mean);
  EXPECT_DOUBLE_EQ((10 * 1 + 40 * 4) / 5.0, steps[4].mean);
  std::vector<Statistics> hours;
  for (const Statistics& step : steps) add_step(hours, step, Period::hour);
  ASSERT_EQ(1u, hours.size());
  EXPECT_EQ(24min, hours[0].covered);
  EXPECT_DOUBLE_EQ((10 * 20 + 40 * 4) / 24.0, hours[0].mean);
}

TEST(Statistics, UnavailableTimeDoesNotCount) {
  StatisticsWalk walk;
  walk.add(change(0s, "10"));
  walk.add(change(2min, "unavailable"));
  walk.add(change(20min, "30"));
  walk.until(kStart + 21min);
  const auto steps = walk.take();
  ASSERT_EQ(2u, steps.size());
  EXPECT_EQ(2min, steps[0].covered);
  EXPECT_EQ(kStart + 20min, steps[1].start);
  EXPECT_DOUBLE_EQ(30, steps[1].mean);
}

TEST(Statistics, AMeterAddsUpAcrossAReset) {
  StatisticsWalk walk;
  for (const auto& [after, value] :
       {std::pair{0min, "100"}, {1min, "103"}, {2min, "unavailable"}, {3min, "105"}, {6min, "2"}, {7min, "4.5"}})
    walk.add(change(after, value, kMeter));
  walk.until(kStart + 10min);
  const auto steps = walk.take();
  ASSERT_EQ(2u, steps.size());
  EXPECT_TRUE(steps[0].total);
  EXPECT_DOUBLE_EQ(5, steps[0].sum);
  EXPECT_DOUBLE_EQ(5 + 2 + 2.5, steps[1].sum);
}

TEST(Statistics, OnlyMeasurementsHaveThem) {
  EXPECT_FALSE(measured(change(0s, "10", "{}")));
  EXPECT_FALSE(measured(change(0s, "on")));
  EXPECT_FALSE(measured(change(0s, "nan")));
  EXPECT_FALSE(measured(change(0s, "10 °C")));
  EXPECT_EQ(-1.5, measured(change(0s, "-1.5")));
}

TEST(Statistics, PeriodsBeginWhereTheCalendarSays) {
  const auto time = kStart + 13h + 37min + 12s;  // a Saturday
  EXPECT_EQ(kStart + 13h + 35min, period_start(time, Period::five_minutes));
  EXPECT_EQ(kStart + 13h, period_start(time, Period::hour));
  EXPECT_EQ(kStart, period_start(time, Period::day));
  EXPECT_EQ(kStart - 5 * 24h, period_start(time, Period::week));
  EXPECT_EQ(kStart - 20 * 24h, period_start(time, Period::month));
}

TEST(Statistics, AMeterThatIsALittleLessWasNotReset) {
  StatisticsWalk walk;
  for (const auto& [after, value] : {std::pair{0min, "1000.2"}, {1min, "1000.1"}, {2min, "1000.4"}})
    walk.add(change(after, value, kMeter));
  const auto steps = walk.take();
  ASSERT_EQ(1u, steps.size());
  EXPECT_NEAR(0.2, steps[0].sum, 1e-9);
}

TEST(Statistics, AMeterThatIsUnavailableAtTheStartContinues) {
  StatisticsWalk walk(Total{7, 100});
  walk.begin(kStart, change(-1h, "unavailable", "{}"));
  walk.add(change(2min, "103", kMeter));
  const auto steps = walk.take();
  ASSERT_EQ(1u, steps.size());
  EXPECT_DOUBLE_EQ(10, steps[0].sum);
}

TEST(Statistics, AClockThatWasYearsBehindMeasuresNoYears) {
  StatisticsWalk walk;
  walk.add(change(0s, "10"));
  walk.add(change(50 * 365 * 24h, "20"));
  const auto steps = walk.take();
  EXPECT_EQ(366u * 288 + 1, steps.size());
  EXPECT_EQ(20, steps.back().state);
}

}  // namespace
}  // namespace hearth::recorder
