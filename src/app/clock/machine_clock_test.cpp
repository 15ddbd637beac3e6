// SPDX-License-Identifier: Apache-2.0
#include "app/clock/machine_clock.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

TEST(MachineClock, IsSetOnceTheNetworkHasToldItUnlessItRanWhileOff) {
  EXPECT_FALSE(is_set({.runs_while_off = false, .synchronized = false, .seconds_up = 20}));
  EXPECT_TRUE(is_set({.runs_while_off = true, .synchronized = false, .seconds_up = 20}));
  EXPECT_TRUE(is_set({.runs_while_off = false, .synchronized = true, .seconds_up = 20}));
}

TEST(MachineClock, IsBelievedAfterFiveMinutes) {
  EXPECT_FALSE(is_set({.runs_while_off = false, .synchronized = false, .seconds_up = 299}));
  EXPECT_TRUE(is_set({.runs_while_off = false, .synchronized = false, .seconds_up = 300}));
}

TEST(MachineClock, OfThisOneIsSet) {
  EXPECT_TRUE(machine_clock_is_set());
}

}  // namespace
}  // namespace hearth::app
