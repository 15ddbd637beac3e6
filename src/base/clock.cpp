// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <ctime>

namespace hearth::base {
namespace {

Duration since_epoch(clockid_t clock) {
  std::timespec time;
  ::clock_gettime(clock, &time);
  return std::chrono::floor<Duration>(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace

Timestamp SystemClock::coarse_now() const {
  return Timestamp(since_epoch(CLOCK_REALTIME_COARSE));
}

SteadyTime SystemClock::coarse_steady_now() const {
  return SteadyTime(since_epoch(CLOCK_MONOTONIC_COARSE));
}

}  // namespace hearth::base
