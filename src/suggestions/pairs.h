// SPDX-License-Identifier: Apache-2.0
// Finds habits of doing something by hand soon after something else happened: the hall light after the front door
// opened.
//
// A cause counts as an occasion if the effect was still to be done. In a habit the effect follows most occasions, a
// good part of the effects follow the cause, and both happen together more often than by chance: each occasion is
// compared with how often the effect comes anyway in that hour of the day, and with the number of pairs examined. Any
// thread.
#pragma once

#include <vector>

#include "suggestions/days.h"
#include "suggestions/habit.h"

namespace hearth::suggestions {

// Stops early, with what it has, when `stopped` says so.
std::vector<Habit> habits_after_causes(const Past& past, const Days& days, const Stopped& stopped);

}  // namespace hearth::suggestions
