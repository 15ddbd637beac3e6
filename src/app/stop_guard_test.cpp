// SPDX-License-Identifier: Apache-2.0
#include "app/stop_guard.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace hearth::app {
namespace {

// It would end this process. The hub may have stopped at any moment of the thread's start.
TEST(StopGuard, LetsAHubGoThatStopsInTime) {
  for (int spins = 0; spins < 20'000; ++spins) {
    const StopGuard guard(std::chrono::minutes(1), [] { ADD_FAILURE() << "the hub had stopped"; });
    for (int spin = 0; spin < spins; ++spin) std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

TEST(StopGuardDeathTest, EndsTheProcessAfterItsPatience) {
  EXPECT_EXIT(
      {
        const StopGuard guard(std::chrono::milliseconds(20), [] {});
        std::this_thread::sleep_for(std::chrono::seconds(30));
      },
      testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace hearth::app
