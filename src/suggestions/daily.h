// SPDX-License-Identifier: Apache-2.0
// Finds habits of doing something by hand at the same time of day: at half past ten in the evening, or twenty minutes
// after sunset, on each day, on workdays or at weekends.
//
// It compares with how often it is done in the hours around that time, so that an entity that is busy all evening has
// no such habit. Any thread.
#pragma once

#include <vector>

#include "suggestions/days.h"
#include "suggestions/habit.h"

namespace hearth::suggestions {

std::vector<Habit> habits_of_days(const Past& past, const Days& days, const Stopped& stopped);

}  // namespace hearth::suggestions
