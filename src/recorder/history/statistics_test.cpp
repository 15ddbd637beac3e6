// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "recorder/log/test_changes.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

Change measured(base::Duration after, std::string_view value, std::string_view attributes = kMeasured) {
  return recorder::change(kStart + after, value, attributes);
}

TEST(Statistics, TheMeanIsOverTime) {
  StatisticsWalk walk;
  walk.add(measured(0s, "10"));
  walk.add(measured(4min, "20"));
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
  walk.add(measured(1min, "10"));
  walk.add(measured(21min, "40"));
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
  walk.add(measured(0s, "10"));
  walk.add(measured(2min, "unavailable"));
  walk.add(measured(20min, "30"));
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
    walk.add(measured(after, value, kMeter));
  walk.until(kStart + 10min);
  const auto steps = walk.take();
  ASSERT_EQ(2u, steps.size());
  EXPECT_TRUE(steps[0].total);
  EXPECT_DOUBLE_EQ(5, steps[0].sum);
  EXPECT_DOUBLE_EQ(5 + 2 + 2.5, steps[1].sum);
}

TEST(Statistics, OnlyMeasurementsHaveThem) {
  EXPECT_FALSE(measured(measured(0s, "10", "{}")));
  EXPECT_FALSE(measured(measured(0s, "on")));
  EXPECT_FALSE(measured(measured(0s, "nan")));
  EXPECT_FALSE(measured(measured(0s, "10 °C")));
  EXPECT_EQ(-1.5, measured(measured(0s, "-1.5")));
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
    walk.add(measured(after, value, kMeter));
  const auto steps = walk.take();
  ASSERT_EQ(1u, steps.size());
  EXPECT_NEAR(0.2, steps[0].sum, 1e-9);
}

struct Reading {
  base::Duration after;
  std::string value;
  std::string more = "";  // members of the attributes
};

std::string attributes_of(std::string_view state_class, const Reading& reading) {
  return R"({"state_class":")" + std::string(state_class) + "\"" + reading.more + "}";
}

// The sum at the end.
double sum_of(std::string_view state_class, const std::vector<Reading>& readings, const Total& before = {}) {
  StatisticsWalk walk(before);
  for (const Reading& reading : readings)
    walk.add(measured(reading.after, reading.value, attributes_of(state_class, reading)));
  const auto steps = walk.take();
  return steps.empty() ? NAN : steps.back().sum;
}

std::string reset(std::string_view when) {
  return R"(,"last_reset":")" + std::string(when) + "\"";
}

std::string unit(std::string_view name) {
  return R"(,"unit_of_measurement":")" + std::string(name) + "\"";
}

TEST(Statistics, ATotalBeginsANewCycleWhenItsLastResetChanges) {
  const std::string first = reset("2026-01-01T00:00:00+00:00"), second = reset("2026-01-02T00:00:00+00:00");
  // The old cycle's gain, then the whole new value.
  EXPECT_DOUBLE_EQ(5,
                   sum_of("total", {{0min, "5", first}, {1min, "7", first}, {2min, "1", second}, {3min, "3", second}}));
  EXPECT_DOUBLE_EQ(2 + 9, sum_of("total", {{0min, "5", first}, {1min, "7", first}, {2min, "9", second}}));
  EXPECT_DOUBLE_EQ(2 - 4, sum_of("total", {{0min, "5", first}, {1min, "7", first}, {2min, "-4", second}}));
  // The same moment, written otherwise; and a fall within a cycle.
  EXPECT_DOUBLE_EQ(-2, sum_of("total", {{0min, "5", first}, {1min, "3", reset("2026-01-01T01:00:00+01:00")}}));
  // The first value is the zero point, with a last reset or without.
  EXPECT_DOUBLE_EQ(0, sum_of("total", {{0min, "500", first}}));
  EXPECT_DOUBLE_EQ(0, sum_of("total", {{0min, "500"}}));
  // A last_reset that comes begins a cycle; one that goes, or is no time, begins none.
  EXPECT_DOUBLE_EQ(2 + 9, sum_of("total", {{0min, "5"}, {1min, "7"}, {2min, "9", second}}));
  EXPECT_DOUBLE_EQ(2 + 1, sum_of("total", {{0min, "5", first}, {1min, "7"}, {2min, "8", first}}));
  EXPECT_DOUBLE_EQ(2, sum_of("total", {{0min, "5", first}, {1min, "7", reset("yesterday")}}));
  EXPECT_DOUBLE_EQ(2, sum_of("total", {{0min, "5", first}, {1min, "7", R"(,"last_reset":null)"}}));
  // A new cycle while it was unavailable.
  EXPECT_DOUBLE_EQ(
      2 + 1, sum_of("total", {{0min, "5", first}, {1min, "7", first}, {2min, "unavailable"}, {3min, "1", second}}));
  // Without one a fall is a fall; and one means nothing to a meter that only increases.
  EXPECT_DOUBLE_EQ(-3, sum_of("total", {{0min, "5"}, {1min, "2"}}));
  EXPECT_DOUBLE_EQ(2, sum_of("total_increasing", {{0min, "5", first}, {1min, "7", second}}));
}

TEST(Statistics, ATotalGoesOnOverADayWithItsLastReset) {
  StatisticsWalk yesterday;
  yesterday.add(measured(0min, "5", attributes_of("total", {{}, {}, reset("2026-01-01T00:00:00Z")})));
  yesterday.add(measured(1min, "7", attributes_of("total", {{}, {}, reset("2026-01-01T00:00:00Z")})));
  const Total before = total_after(yesterday.take().back());
  for (const auto& [again, sum] : {std::pair{"2026-01-01T00:00:00Z", 3.0}, {"2026-01-02T00:00:00Z", 10.0}}) {
    StatisticsWalk walk(before);
    walk.begin(kStart, measured(-1h, "unavailable", "{}"));
    walk.add(measured(2min, "8", attributes_of("total", {{}, {}, reset(again)})));
    EXPECT_DOUBLE_EQ(sum, walk.take().back().sum) << again;
  }
}

TEST(Statistics, AnIncreasingMeterIgnoresNegativeValues) {
  EXPECT_DOUBLE_EQ(2, sum_of("total_increasing", {{0min, "5"}, {1min, "-1"}, {2min, "7"}}));
  EXPECT_DOUBLE_EQ(3, sum_of("total_increasing", {{0min, "-1"}, {1min, "5"}, {2min, "8"}}));
}

TEST(Statistics, WhatWasMeasuredIsTheZeroPointOfATotalThatItBecomes) {
  StatisticsWalk walk;
  walk.add(measured(0min, "500", kMeasured));
  walk.add(measured(1min, "700", kMeter));
  walk.add(measured(2min, "701", kMeter));
  EXPECT_DOUBLE_EQ(1, walk.take().back().sum);
}

TEST(Statistics, AnotherUnitIsNoGain) {
  const std::string kilo = unit("kWh"), watt = unit("Wh"), cubic = unit("m³");
  EXPECT_DOUBLE_EQ(2 + 500, sum_of("total_increasing", {{0min, "5", kilo}, {1min, "7", kilo}, {2min, "7500", watt}}));
  EXPECT_DOUBLE_EQ(0.5, sum_of("total", {{0min, "7000", watt}, {1min, "7.5", kilo}}));
  EXPECT_DOUBLE_EQ(2 + 1,
                   sum_of("total", {{0min, "5", kilo}, {1min, "7", kilo}, {2min, "100", cubic}, {3min, "101", cubic}}));
}

TEST(Statistics, TheMeanOfAnglesIsOverTheCircle) {
  constexpr std::string_view kAngle = R"({"state_class":"measurement_angle","unit_of_measurement":"°"})";
  StatisticsWalk walk;
  walk.add(measured(0min, "350", kAngle));
  walk.add(measured(2min, "10", kAngle));
  walk.add(measured(4min, "90", kAngle));
  walk.add(measured(5min, "180", kAngle));
  walk.until(kStart + 10min);
  const auto steps = walk.take();
  ASSERT_EQ(2u, steps.size());
  // Two minutes each of 350° and 10°, and one of 90°.
  EXPECT_NEAR(std::atan2(1, 4 * std::cos(std::numbers::pi / 18)) * 180 / std::numbers::pi, steps[0].mean, 1e-9);
  EXPECT_NEAR(180, steps[1].mean, 1e-9);
  EXPECT_TRUE(steps[0].angle && !steps[0].total);
  std::vector<Statistics> hours;
  for (const Statistics& step : steps) add_step(hours, step, Period::hour);
  const double x = 4 * std::cos(std::numbers::pi / 18) - 5;
  EXPECT_NEAR(std::atan2(1, x) * 180 / std::numbers::pi, hours[0].mean, 1e-9);
  StatisticsWalk around;
  around.add(measured(0min, "-90", kAngle));
  around.until(kStart + 1min);
  EXPECT_NEAR(270, around.take()[0].mean, 1e-9);
}

TEST(Statistics, AMeterThatIsUnavailableAtTheStartContinues) {
  StatisticsWalk walk(Total{7, 100});
  walk.begin(kStart, measured(-1h, "unavailable", "{}"));
  walk.add(measured(2min, "103", kMeter));
  const auto steps = walk.take();
  ASSERT_EQ(1u, steps.size());
  EXPECT_DOUBLE_EQ(10, steps[0].sum);
}

TEST(Statistics, AClockThatWasYearsBehindMeasuresNoYears) {
  StatisticsWalk walk;
  walk.add(measured(0s, "10"));
  walk.add(measured(50 * 365 * 24h, "20"));
  const auto steps = walk.take();
  EXPECT_EQ(366u * 288 + 1, steps.size());
  EXPECT_EQ(20, steps.back().state);
}

}  // namespace
}  // namespace hearth::recorder
