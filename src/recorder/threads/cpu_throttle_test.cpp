// SPDX-License-Identifier: Apache-2.0
#include "recorder/threads/cpu_throttle.h"

#include <gtest/gtest.h>

namespace hearth::recorder {
namespace {

void work() {
  std::this_thread::sleep_for(2 * CpuThrottle::kWork);
}

TEST(CpuThrottle, RestsInTheBackgroundAfterEachPieceOfWork) {
  CpuThrottle throttle;
  const CpuThrottle::Background background(throttle);
  for (int i = 0; i < 10; ++i) {
    work();
    EXPECT_TRUE(throttle.rest_if_due());
  }
}

TEST(CpuThrottle, DoesNotRestOutsideTheBackground) {
  CpuThrottle throttle;
  work();
  EXPECT_FALSE(throttle.rest_if_due());
  {
    const CpuThrottle::Background background(throttle);
    EXPECT_TRUE(throttle.rest_if_due());
  }
  work();
  EXPECT_FALSE(throttle.rest_if_due());
}

TEST(CpuThrottle, DoesNotRestIfSomebodyWaits) {
  CpuThrottle throttle;
  const CpuThrottle::Background background(throttle);
  throttle.hurry(true);
  for (int i = 0; i < 10; ++i) {
    work();
    EXPECT_FALSE(throttle.rest_if_due());
  }
  throttle.hurry(false);
  work();
  EXPECT_TRUE(throttle.rest_if_due());
}

}  // namespace
}  // namespace hearth::recorder
