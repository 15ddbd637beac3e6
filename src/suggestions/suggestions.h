// SPDX-License-Identifier: Apache-2.0
// Suggests automations for the habits that weeks of history show. Any thread.
#pragma once

#include <vector>

#include "suggestions/habit.h"
#include "suggestions/past.h"

namespace hearth::suggestions {

constexpr std::size_t kMostSuggestions = 50;

// The surest first; of what has the same effect only the surest. Stops early when `stopped` says so.
std::vector<Habit> find(const Past& past, const Stopped& stopped);

}  // namespace hearth::suggestions
