// SPDX-License-Identifier: Apache-2.0
#include "suggestions/suggestions.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "suggestions/daily.h"
#include "suggestions/days.h"
#include "suggestions/pairs.h"

namespace hearth::suggestions {

std::vector<Habit> find(const Past& past, const Stopped& stopped) {
  const Days days(past);
  std::vector<Habit> habits = habits_after_causes(past, days, stopped);
  std::ranges::move(habits_of_days(past, days, stopped), std::back_inserter(habits));
  std::ranges::sort(habits, [](const Habit& one, const Habit& other) {
    return std::pair(-one.score, one.id()) < std::pair(-other.score, other.id());
  });
  std::map<std::pair<std::string, std::string>, bool> seen;
  std::vector<Habit> kept;
  for (Habit& habit : habits) {
    if (kept.size() == kMostSuggestions) break;
    if (seen.emplace(std::pair(habit.entity_id, habit.value), true).second) kept.push_back(std::move(habit));
  }
  return kept;
}

}  // namespace hearth::suggestions
