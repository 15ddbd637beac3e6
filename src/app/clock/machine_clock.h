// SPDX-License-Identifier: Apache-2.0
// Tells if the machine's clock is set: a small board has no clock that runs while it is off, and gets the time from the
// network after it has started.
#pragma once

namespace hearth::app {

struct MachineClock {
  bool runs_while_off = true;  // there is a real-time clock
  bool synchronized = true;    // the kernel says so
  double seconds_up = 0;       // since the machine has started
};
constexpr double kClockPatience = 300;  // seconds; then whatever it says counts

constexpr bool is_set(const MachineClock& clock) {
  return clock.runs_while_off || clock.synchronized || clock.seconds_up >= kClockPatience;
}

// Of this machine; once true, it stays so. Any thread.
bool machine_clock_is_set();

}  // namespace hearth::app
