// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <ctime>

namespace hearth::base {

Timestamp SystemClock::coarse_now() const {
  std::timespec time;
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
  return Timestamp(
      std::chrono::floor<Duration>(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)));
}

}  // namespace hearth::base
