// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

using std::chrono::seconds;

TEST(ManualClock, StandsStillUntilItIsMoved) {
  ManualClock clock;
  const auto now = clock.now();
  const auto steady = clock.steady_now();
  EXPECT_EQ(clock.now(), now);
  clock.advance(seconds(3));
  EXPECT_EQ(clock.now() - now, seconds(3));
  EXPECT_EQ(clock.steady_now() - steady, seconds(3));
}

TEST(ManualClock, MovesTheWallAloneWhenSet) {
  ManualClock clock;
  const auto steady = clock.steady_now();
  clock.set(clock.now() - seconds(60));
  EXPECT_EQ(clock.steady_now(), steady);
}

TEST(SystemClock, HasASteadyTimeThatNeverGoesBack) {
  const SystemClock clock;
  const auto first = clock.steady_now();
  EXPECT_GE(clock.steady_now(), first);
  EXPECT_GT(clock.now(), Timestamp(std::chrono::sys_days(std::chrono::year(2024) / 1 / 1)));
}

TEST(SystemClock, HasACoarseTimeThatIsALittleLate) {
  const SystemClock clock;
  const auto coarse = clock.coarse_now();
  const auto now = clock.now();
  EXPECT_LE(coarse, now);
  EXPECT_GT(coarse, now - seconds(60));
}

}  // namespace
}  // namespace hearth::base
