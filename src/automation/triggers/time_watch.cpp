// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/time_watch.h"

#include <algorithm>

#include "automation/conditions/comparison.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

using templates::Value;

// The time that an entity tells: of an input_datetime, or a sensor of class timestamp.
std::optional<DueTime> time_of_entity(const core::State& state, base::Timestamp after, const templates::Zone& zone) {
  if (state.domain() == "sensor") {
    if (!is_timestamp(state)) return {};
    const auto time = base::parse_timestamp(state.value());
    return time ? std::optional(DueTime{*time}) : std::nullopt;
  }
  const std::string_view text = state.value();
  if (const auto time = parse_time_of_day(text)) return next_time_of_day(after, *time, Weekdays::all(), zone);
  const auto local = base::parse_timestamp(text);
  return local ? std::optional(due_time_of(local->time_since_epoch().count(), zone)) : std::nullopt;
}

}  // namespace

TimeWatch::TimeWatch(const Trigger& trigger, Home& home, Fire fire)
    : trigger_(trigger), home_(home), fire_(std::move(fire)) {
  if (const auto* const pattern = std::get_if<PatternTrigger>(&trigger.kind)) {
    add([&home, pattern](base::Timestamp after) { return pattern->pattern.next(after, home.now().zone()); },
        "time pattern");
    return;
  }
  if (const auto* const sun = std::get_if<SunTrigger>(&trigger.kind)) {
    constexpr const char* kNames[] = {"sunrise", "sunset", "dawn", "dusk", "solar noon", "solar midnight"};
    const char* const event = kNames[static_cast<int>(sun->event)];
    const auto next = [&home, sun](base::Timestamp after) {
      const auto time = next_sun_event(sun->event, after - sun->offset, home.now().place());
      return time ? std::optional(DueTime{*time + sun->offset}) : std::nullopt;
    };
    add(next, event, {{"event", event}, {"offset", templates::TimeDelta{sun->offset.count()}}});
    return;
  }
  const auto& kind = std::get<TimeTrigger>(trigger.kind);
  for (const auto& at : kind.at) {
    if (const auto* const time = std::get_if<base::Duration>(&at)) {
      add([&home, &kind,
           time](base::Timestamp after) { return next_time_of_day(after, *time, kind.weekdays, home.now().zone()); },
          "time", {{"entity_id", Value()}});
      continue;
    }
    const auto& entity = std::get<TimeTrigger::EntityTime>(at);
    const auto next = [&home, &kind, &entity](base::Timestamp after) -> std::optional<DueTime> {
      const core::StatePtr state = home.hub.states.find(entity.entity_id);
      if (!state) return {};
      auto time = time_of_entity(*state, after - entity.offset, home.now().zone());
      if (!time || time->at + entity.offset <= after) return {};
      const auto local = templates::at(time->at.time_since_epoch().count(), home.now().zone());
      if (!kind.weekdays.has(weekday_of(local))) return {};
      time->at += entity.offset;
      return time;
    };
    // Before the alarm reads the state: a change that comes meanwhile is not missed.
    listenings_.push_back(home.hub.entity_listeners.listen(
        {entity.entity_id},
        [this, alarm = alarms_.size()](const core::StateChange&, const core::Event&) { alarms_[alarm]->set(); }));
    add(next, "time", {{"entity_id", Value(entity.entity_id)}});
  }
}

void TimeWatch::add(Alarm::Next next, std::string source, Facts facts) {
  const auto ring = [this, source = std::move(source), facts = std::move(facts)](base::Timestamp now,
                                                                                 const DueTime& due) {
    Facts all{{"now", templates::at(now.time_since_epoch().count(), home_.now().zone())}};
    all.insert(all.end(), facts.begin(), facts.end());
    fire_({.trigger = trigger_value(trigger_, std::move(all)), .source = source, .due = due}, home_.now());
  };
  rings_.push_back(ring);
  alarms_.push_back(std::make_unique<Alarm>(
      home_.hub, [&home = home_] { return home.ports->clock_is_set(); }, std::move(next),
      [this, ring](const DueTime& due) { ring(home_.hub.clock.now(), due); },
      [this, alarm = alarms_.size()](const DueTime& first) { jumped(alarm, first); }));
}

std::vector<TriggerWatch::MissedTime> TimeWatch::missed(base::Timestamp after, base::Timestamp until,
                                                        std::size_t most) {
  std::vector<MissedTime> all;
  for (std::size_t alarm = 0; alarm < alarms_.size(); ++alarm)
    std::ranges::move(missed_by(alarm, after, until, most), std::back_inserter(all));
  return all;
}

std::vector<TriggerWatch::MissedTime> TimeWatch::missed_by(std::size_t alarm, base::Timestamp after,
                                                           base::Timestamp until, std::size_t most) const {
  std::vector<MissedTime> all;
  for (const DueTime& due : alarms_[alarm]->between(after, until, most))
    all.push_back({due, trigger_.id, [ring = rings_[alarm], due] { ring(due.at, due); }});
  return all;
}

void TimeWatch::report_jumps(std::size_t most, ReportMissed tell) {
  most_missed_ = most;
  report_missed_ = std::move(tell);
}

void TimeWatch::jumped(std::size_t alarm, const DueTime& first) const {
  if (report_missed_)
    report_missed_(missed_by(alarm, first.at - base::Duration(1), home_.hub.clock.now(), most_missed_));
  else
    base::log_warning("automation", "the clock jumped over {}: the trigger did not fire for it",
                      base::to_string(first.at));
}

}  // namespace hearth::automation
