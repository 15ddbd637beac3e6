// SPDX-License-Identifier: Apache-2.0
// Logs what history cannot show later: the clock was wrong when something was recorded, or it was set while the home
// ran. A board without a battery for its clock starts in 1970.
//
// One thread.
#pragma once

#include <string>

#include "base/clock.h"

namespace hearth::app {

class ClockWatch {
 public:
  // A clock that says less is wrong: there was no Hearth before.
  static constexpr base::Timestamp kEarliest = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  static constexpr base::Duration kJump = std::chrono::minutes(1);

  // The clock must outlive it.
  explicit ClockWatch(const base::Clock& clock) : clock_(clock) {}

  // At the start, and every few seconds. Returns what it has logged, for tests; empty if the clock runs as it should.
  std::string check();

 private:
  const base::Clock& clock_;
  bool started_ = false;
  base::Timestamp last_;
  base::SteadyTime steady_start_, steady_last_;
};

}  // namespace hearth::app
