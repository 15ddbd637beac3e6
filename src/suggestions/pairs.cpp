// SPDX-License-Identifier: Apache-2.0
#include "suggestions/pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

#include "suggestions/chance.h"
#include "suggestions/limits.h"

namespace hearth::suggestions {
namespace {

using base::Duration;
using base::Timestamp;

constexpr std::array kTimesOfDay{When::any, When::dark, When::morning, When::day, When::evening, When::night};
constexpr std::size_t kMostCausesAtOnce = 200;  // before one effect; a home in which more happens tells nothing

// Times as many causes as effects after them; with more, no part of the day makes a habit of it.
constexpr std::size_t kMostIdle = 40;

bool fits(When when, int hour, std::optional<bool> dark) {
  switch (when) {
    case When::dark:
      return dark.value_or(false);
    case When::morning:
      return hour >= 5 && hour < 10;
    case When::day:
      return hour >= 10 && hour < 17;
    case When::evening:
      return hour >= 17 && hour < 23;
    case When::night:
      return hour >= 23 || hour < 5;
    default:
      return true;
  }
}

// How often an effect comes in each hour of the day, per second in which it can.
class Rates {
 public:
  Rates(const Past& past, const Days& days, const Event& effect) {
    std::array<double, 24> seconds{}, count{};
    for (const Timestamp time : effect.times) ++count[static_cast<std::size_t>(days.hour_of(time))];
    const PastEntity& entity = past.entities[effect.entity];
    const auto add = [&](Timestamp from, Timestamp until) {
      while (from < until) {
        const auto hour = static_cast<std::size_t>(days.hour_of(from));
        // Hours begin where those of UTC do, give or take half an hour in some zones, which does not matter here.
        const Timestamp next =
            std::min<Timestamp>(until, std::chrono::floor<std::chrono::hours>(from) + std::chrono::hours(1));
        seconds[hour] += std::chrono::duration<double>(next - from).count();
        from = next;
      }
    };
    Timestamp open = past.from;
    bool is_open = true;
    for (const Occurrence& change : entity.changes) {
      const bool there = change.value == effect.value || !is_known(entity.values[change.value]);
      if (is_open && there) add(open, std::max(open, change.at));
      if (!is_open && !there) open = std::max(past.from, change.at);
      is_open = !there;
    }
    if (is_open) add(open, past.until);
    for (std::size_t hour = 0; hour < 24; ++hour) {
      double events = 0, time = 0;
      for (const std::size_t near : {hour + 23, hour, hour + 1}) {
        events += count[near % 24];
        time += seconds[near % 24];
      }
      rates_[hour] = time > 0 ? events / time : 0;
    }
  }

  double chance_within(int hour, Duration span) const {
    const double seconds = std::chrono::duration<double>(span).count();
    return 1 - std::exp(-rates_[static_cast<std::size_t>(hour)] * seconds);
  }

 private:
  std::array<double, 24> rates_{};
};

Duration span_after(const PastEntity& cause) {
  return cause.entity_id.starts_with("person.") ? Duration(kAfterPerson) : Duration(kSoon);
}

// One cause at which the effect was still to be done.
struct Chance {
  Timestamp at;
  std::optional<Timestamp> effect;
  int hour;
  std::optional<bool> dark;
};

class PairFinder {
 public:
  PairFinder(const Past& past, const Days& days, const Stopped& stopped)
      : past_(past), days_(days), stopped_(stopped), causes_(causes_of(past, kSoon)), effects_(effects_of(past)) {}

  std::vector<Habit> find() {
    collect();
    std::vector<Habit> habits;
    for (std::size_t effect = 0; effect < effects_.size() && !stopped_(); ++effect) {
      std::optional<Rates> rates;
      std::optional<Habit> best;
      for (const std::size_t cause : candidates_[effect]) {
        if (stopped_()) break;
        if (!rates) rates.emplace(past_, days_, effects_[effect]);
        auto habit = judge(causes_[cause], effects_[effect], *rates);
        if (habit && (!best || habit->score > best->score)) best = std::move(habit);
      }
      if (best) habits.push_back(std::move(*best));
    }
    return habits;
  }

 private:
  // Which causes often enough came soon before which effects.
  void collect() {
    std::vector<std::pair<Timestamp, std::size_t>> all;
    for (std::size_t cause = 0; cause < causes_.size(); ++cause)
      for (const Timestamp time : causes_[cause].times) all.emplace_back(time, cause);
    std::ranges::sort(all);
    candidates_.resize(effects_.size());
    for (std::size_t effect = 0; effect < effects_.size() && !stopped_(); ++effect) {
      const PastEntity& entity = past_.entities[effects_[effect].entity];
      std::unordered_map<std::size_t, std::size_t> hits;
      for (const Timestamp time : effects_[effect].times) {
        std::set<std::size_t> before;
        auto each = std::ranges::lower_bound(all, std::pair(time, std::size_t{0}));
        while (each != all.begin() && before.size() < kMostCausesAtOnce) {
          --each;
          if (each->first < time - Duration(kAfterPerson)) break;
          const PastEntity& cause = past_.entities[causes_[each->second].entity];
          const bool own = &cause == &entity || (!cause.device.empty() && cause.device == entity.device);
          if (!own && each->first >= time - span_after(cause)) before.insert(each->second);
        }
        for (const std::size_t cause : before) ++hits[cause];
      }
      for (const auto& [cause, count] : hits) {
        if (count < kLeastHits || count * kMostIdle < causes_[cause].times.size()) continue;
        candidates_[effect].push_back(cause);
        ++pairs_;
      }
      std::ranges::sort(candidates_[effect]);
    }
  }

  std::optional<Habit> judge(const Event& cause, const Event& effect, const Rates& rates) const {
    const PastEntity &before = past_.entities[cause.entity], &after = past_.entities[effect.entity];
    const Duration span = span_after(before);
    std::vector<Chance> chances;
    for (const Timestamp at : cause.times) {
      const std::string* const value = value_before(after, at);
      if (!value || !is_known(*value) || *value == after.values[effect.value]) continue;
      const auto next = std::ranges::upper_bound(effect.times, at);
      const bool followed = next != effect.times.end() && *next - at <= span;
      chances.push_back({at, followed ? std::optional(*next) : std::nullopt, days_.hour_of(at), days_.is_dark(at)});
    }
    std::optional<Habit> best;
    for (const When when : kTimesOfDay) {
      auto habit = judge(chances, effect, rates, span, when);
      // At any time is what needs the least words; another one has to be clearly better.
      if (habit && (!best || habit->score > best->score + 0.1)) best = std::move(habit);
    }
    if (!best) return {};
    best->cause = Habit::Cause::state;
    best->cause_entity = before.entity_id;
    best->cause_value = before.values[cause.value];
    best->entity_id = after.entity_id;
    best->value = after.values[effect.value];
    best->service = service_for(best->entity_id, best->value);
    return best;
  }

  std::optional<Habit> judge(const std::vector<Chance>& chances, const Event& effect, const Rates& rates, Duration span,
                             When when) const {
    Habit habit;
    habit.when = when;
    std::set<std::int64_t> days;
    std::vector<Duration> delays;
    double expected = 0;
    for (const Chance& each : chances) {
      if (!fits(when, each.hour, each.dark)) continue;
      ++habit.occasions;
      expected += rates.chance_within(each.hour, span);
      if (!each.effect) continue;
      ++habit.hits;
      days.insert(days_.day_of(each.at));
      delays.push_back(*each.effect - each.at);
    }
    habit.days = days.size();
    if (habit.hits < kLeastHits || habit.days < kLeastDays) return {};
    const double share = static_cast<double>(habit.hits) / static_cast<double>(habit.occasions);
    habit.effects = static_cast<std::size_t>(std::ranges::count_if(
        effect.times, [&](Timestamp time) { return fits(when, days_.hour_of(time), days_.is_dark(time)); }));
    const double explained = static_cast<double>(habit.hits) / static_cast<double>(std::max(habit.effects, habit.hits));
    const double chance = std::max(expected / static_cast<double>(habit.occasions), 1e-6);
    habit.lift = share / chance;
    const auto looks = static_cast<double>(std::max<std::size_t>(pairs_, 1) * kTimesOfDay.size());
    if (share < kLeastShare || explained < kLeastExplained || habit.lift < kLeastLift ||
        chance_of_at_least(habit.hits, habit.occasions, chance) * looks > kMostByChance)
      return {};
    std::ranges::sort(delays);
    if (delays[delays.size() / 2] < Duration(kTooSoon)) return {};
    habit.within = span;
    habit.score = least_share(habit.hits, habit.occasions) * std::sqrt(explained);
    for (auto each = chances.rbegin(); each != chances.rend() && habit.examples.size() < kExamples; ++each)
      if (fits(when, each->hour, each->dark)) habit.examples.push_back({each->at, each->effect});
    return habit;
  }

  const Past& past_;
  const Days& days_;
  const Stopped& stopped_;
  const std::vector<Event> causes_, effects_;
  std::vector<std::vector<std::size_t>> candidates_;  // of each effect
  std::size_t pairs_ = 0;
};

}  // namespace

std::vector<Habit> habits_after_causes(const Past& past, const Days& days, const Stopped& stopped) {
  return PairFinder(past, days, stopped).find();
}

}  // namespace hearth::suggestions
