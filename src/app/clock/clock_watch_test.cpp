// SPDX-License-Identifier: Apache-2.0
#include "app/clock/clock_watch.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

using namespace std::chrono_literals;

TEST(ClockWatch, SaysNothingOfAClockThatRuns) {
  base::ManualClock clock;
  ClockWatch watch(clock);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ("", watch.check());
    clock.advance(24h);
  }
  clock.set(clock.now() + 30s);
  EXPECT_EQ("", watch.check());
}

TEST(ClockWatch, SaysThatTheClockIsWrongAndThenThatItIsSet) {
  base::ManualClock clock{base::Timestamp()};
  ClockWatch watch(clock);
  EXPECT_TRUE(watch.check().contains("says 1970-01-01 00:00:00 UTC, which is wrong"));
  clock.advance(5min);
  EXPECT_EQ("", watch.check());
  clock.set(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21));
  const std::string said = watch.check();
  EXPECT_TRUE(said.contains("forward by 20777 days at once, from 1970-01-01 00:05:00 to 2026-11-21 00:00:00")) << said;
  EXPECT_TRUE(said.contains("since the start, 5 min ago")) << said;
  EXPECT_EQ("", watch.check());
}

TEST(ClockWatch, SaysThatTheClockIsSetBack) {
  base::ManualClock clock;
  ClockWatch watch(clock);
  watch.check();
  clock.set(clock.now() - 3h);
  EXPECT_TRUE(watch.check().contains("back by 3 h at once"));
}

}  // namespace
}  // namespace hearth::app
