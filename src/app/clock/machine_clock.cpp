// SPDX-License-Identifier: Apache-2.0
#include "app/clock/machine_clock.h"

#include <sys/timex.h>
#include <time.h>

#include <atomic>
#include <filesystem>

namespace hearth::app {
namespace {

MachineClock look() {
  MachineClock clock;
  std::error_code error;
  clock.runs_while_off = std::filesystem::exists("/sys/class/rtc/rtc0", error);
  timex status{};  // modes 0: only asks
  clock.synchronized = ::ntp_adjtime(&status) != TIME_ERROR;
  timespec up{};
  if (::clock_gettime(CLOCK_BOOTTIME, &up) == 0) clock.seconds_up = static_cast<double>(up.tv_sec);
  return clock;
}

}  // namespace

bool machine_clock_is_set() {
  static std::atomic<bool> set = false;
  if (set) return true;
  if (is_set(look())) set = true;
  return set;
}

}  // namespace hearth::app
