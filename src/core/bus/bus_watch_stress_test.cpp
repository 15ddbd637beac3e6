// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/log/log.h"
#include "core/bus/bus_watch.h"

namespace hearth::core {
namespace {

TEST(BusWatchStress, ShowsConsistentLocationsWhileTheyChange) {
  base::set_log_level(base::LogLevel::error);
  base::ManualClock clock;
  BusWatch watch(clock);
  std::atomic<bool> done = false;
  std::atomic<int> seen = 0;
  std::jthread asking([&] {
    while (!done) {
      for (const auto& slow : watch.slow()) {
        EXPECT_TRUE(slow.where == "a.cpp:1" || slow.where == "b.cpp:2") << slow.where;
        if (slow.holds_now) ++seen;
      }
    }
  });
  for (int i = 0; i < 20'000 || (seen == 0 && i < 20'000'000); ++i) {
    watch.begin(i % 2 == 0 ? BusWatch::Where("a.cpp", 1) : BusWatch::Where("b.cpp", 2));
    // Only some are slow when they end; while they run all are.
    clock.advance(BusWatch::kTooLong + std::chrono::milliseconds(1));
    if (i % 8 != 0) watch.begin({});
  }
  done = true;
  EXPECT_GT(seen, 0);
  asking.join();
  base::set_log_level(base::LogLevel::info);
}

}  // namespace
}  // namespace hearth::core
