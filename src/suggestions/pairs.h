// SPDX-License-Identifier: Apache-2.0
// Finds what is done by hand soon after something happened: the hall light after the front door opened.
//
// A cause counts as an occasion if the effect was still to be done. Of a habit most occasions have to be followed by
// the effect, a good part of the effects have to follow the cause, and both together more often than a busy entity
// would bring about by chance: each occasion is compared with how often the effect comes anyway in that hour of the
// day, and with how many pairs were looked at. Any thread.
#pragma once

#include <vector>

#include "suggestions/days.h"
#include "suggestions/habit.h"

namespace hearth::suggestions {

// Stops early, with what it has, when `stopped` says so.
std::vector<Habit> habits_after_causes(const Past& past, const Days& days, const Stopped& stopped);

}  // namespace hearth::suggestions
