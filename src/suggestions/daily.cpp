// SPDX-License-Identifier: Apache-2.0
#include "suggestions/daily.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "suggestions/chance.h"
#include "suggestions/limits.h"

namespace hearth::suggestions {
namespace {

using base::Duration;
using base::Timestamp;
using Cause = Habit::Cause;

constexpr std::array kAnchors{Cause::time, Cause::sunset, Cause::sunrise};
constexpr std::array kDaySets{When::any, When::workdays, When::weekend};
constexpr std::size_t kLeastDaily = 8, kLeastWeekend = 6;
constexpr std::chrono::hours kAround{2};  // what is done how long before and after counts as chance
constexpr std::chrono::hours kMostFromSun{2};
// So many windows are looked at, of each effect: those of a day, which overlap.
constexpr double kLooks = 3 * 72 * kAnchors.size() * kDaySets.size();

struct DayEvents {
  Timestamp anchor;
  std::vector<Duration> offsets;  // of what is done that day
};

bool counts(When when, const Days::Day& day) {
  return when == When::any || (when == When::weekend) == day.is_weekend;
}

class DailyFinder {
 public:
  DailyFinder(const Past& past, const Days& days, const Event& effect, std::size_t effects)
      : days_(days),
        effect_(effect),
        entity_(past.entities[effect.entity]),
        looks_(kLooks * static_cast<double>(effects)) {}

  std::optional<Habit> find() const {
    std::optional<Habit> best;
    for (const Cause anchor : kAnchors) {
      for (const When when : kDaySets) {
        auto habit = find(anchor, when);
        // Each day, and a time of day, are what needs the least words.
        if (habit && (!best || habit->score > best->score + 0.05)) best = std::move(habit);
      }
    }
    if (!best) return {};
    best->entity_id = entity_.entity_id;
    best->value = entity_.values[effect_.value];
    best->service = service_for(best->entity_id, best->value);
    best->within = kTimeWindow;
    return best;
  }

 private:
  std::vector<DayEvents> events_from(Cause anchor, When when) const {
    std::vector<DayEvents> all;
    for (const Days::Day& day : days_.all()) {
      if (!counts(when, day)) continue;
      const auto sun = anchor == Cause::sunrise ? day.sunrise : day.sunset;
      if (anchor != Cause::time && !sun) continue;
      DayEvents events{anchor == Cause::time ? day.begin : *sun, {}};
      auto time = std::ranges::lower_bound(effect_.times, day.begin);
      for (; time != effect_.times.end() && *time < day.end; ++time) events.offsets.push_back(*time - events.anchor);
      all.push_back(std::move(events));
    }
    return all;
  }

  bool is_known_at(Timestamp time) const {
    const std::string* const value = value_before(entity_, time);
    return value && is_known(*value);
  }

  // The offsets within [begin, begin + length).
  static auto within(const DayEvents& day, Duration begin, Duration length) {
    const auto first = std::ranges::lower_bound(day.offsets, begin);
    return std::ranges::subrange(first, std::ranges::lower_bound(first, day.offsets.end(), begin + length));
  }

  std::optional<Habit> find(Cause anchor, When when) const {
    const std::vector<DayEvents> all = events_from(anchor, when);
    const std::size_t least = when == When::weekend ? kLeastWeekend : kLeastDaily;
    std::vector<Duration> starts;
    for (const DayEvents& day : all)
      for (const Duration offset : day.offsets)
        if (anchor == Cause::time || std::chrono::abs(offset) <= kMostFromSun) starts.push_back(offset);
    std::ranges::sort(starts);
    Duration best{0};
    std::size_t most = 0;
    for (const Duration start : starts) {
      const auto days = static_cast<std::size_t>(
          std::ranges::count_if(all, [&](const DayEvents& day) { return !within(day, start, kTimeWindow).empty(); }));
      if (days > most) most = days, best = start;
    }
    if (most < least) return {};
    return judge(all, anchor, when, best, least);
  }

  std::optional<Habit> judge(const std::vector<DayEvents>& all, Cause anchor, When when, Duration start,
                             std::size_t least) const {
    Habit habit;
    habit.cause = anchor;
    habit.when = when;
    std::vector<Duration> offsets;
    std::size_t before = 0, after = 0;
    for (auto day = all.rbegin(); day != all.rend(); ++day) {
      const auto hits = within(*day, start, kTimeWindow);
      before += within(*day, start - kAround, kAround).size();
      after += within(*day, start + kTimeWindow, kAround).size();
      habit.effects += day->offsets.size();
      const Timestamp begin = day->anchor + start;
      // Each day counts, whether or not there was anything to do: only the days on which it was would be all of them.
      if (hits.empty() && !is_known_at(begin)) continue;
      ++habit.occasions;
      std::optional<Timestamp> effect;
      if (!hits.empty()) {
        ++habit.hits;
        offsets.push_back(hits.front());
        effect = day->anchor + hits.front();
      }
      if (habit.examples.size() < kExamples) habit.examples.push_back({begin, effect});
    }
    habit.days = habit.hits;
    if (habit.hits < least) return {};
    const double share = static_cast<double>(habit.hits) / static_cast<double>(habit.occasions);
    // As busy as the busier side of it: where a busy time begins, the other side says nothing. And as much busier as
    // so few numbers may hide.
    const auto around = static_cast<double>(std::max(before, after) + 1);
    const double per_window = (around + 2 * std::sqrt(around)) / static_cast<double>(all.size()) *
                              (std::chrono::duration<double>(kTimeWindow) / std::chrono::duration<double>(kAround));
    const double chance = 1 - std::exp(-per_window);
    habit.lift = share / std::max(chance, 1e-6);
    if (share < kLeastShare || habit.lift < kLeastLift ||
        chance_of_at_least(habit.hits, habit.occasions, chance) * looks_ > kMostByChance)
      return {};
    std::ranges::sort(offsets);
    // In whole minutes, as people set clocks.
    habit.offset = std::chrono::round<std::chrono::minutes>(offsets[offsets.size() / 2]);
    habit.score = least_share(habit.hits, habit.occasions);
    return habit;
  }

  const Days& days_;
  const Event& effect_;
  const PastEntity& entity_;
  const double looks_;
};

}  // namespace

std::vector<Habit> habits_of_days(const Past& past, const Days& days, const Stopped& stopped) {
  std::vector<Habit> habits;
  const std::vector<Event> effects = effects_of(past);
  for (const Event& effect : effects) {
    if (stopped()) break;
    if (auto habit = DailyFinder(past, days, effect, effects.size()).find()) habits.push_back(std::move(*habit));
  }
  return habits;
}

}  // namespace hearth::suggestions
