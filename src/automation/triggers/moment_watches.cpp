// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/moment_watches.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/comparison.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

using templates::Value;

bool counts(const base::Result<Value>& value) {
  return value && counts_as_true(*value);
}

// Whether all of `wanted` is in the value: the keys of objects, lists as a whole.
bool holds(const json::value& value, const json::value& wanted) {
  if (!wanted.is_object()) return is_equal(value, wanted);
  const auto* const object = value.if_object();
  if (!object) return false;
  return std::ranges::all_of(wanted.get_object(), [&](const auto& entry) {
    const json::value* const found = object->if_contains(entry.key());
    return found && holds(*found, entry.value());
  });
}

// Of a device's trigger of MQTT: the message, as a trigger of MQTT tells it.
FiringFacts facts_of_message(const json::value& data) {
  FiringFacts facts;
  for (const char* const key : {"topic", "payload", "qos"}) {
    const json::value* const found = data.is_object() ? data.get_object().if_contains(key) : nullptr;
    if (!found) continue;
    facts.emplace_back(key, Value::from_json(json::value(*found)));
    if (key != std::string_view("payload") || !found->is_string()) continue;
    if (auto parsed = base::parse_json(found->get_string()))
      facts.emplace_back("payload_json", Value::from_json(*parsed));
  }
  return facts;
}

json::object context_json(const core::Context& context) {
  const auto text = [](const std::optional<base::Id>& id) {
    return id ? json::value(json::string(std::string_view(*id))) : json::value();
  };
  return {{"id", json::string(std::string_view(context.id))},
          {"parent_id", text(context.parent_id)},
          {"user_id", text(context.user_id)}};
}

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

TemplateWatch::TemplateWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place,
                             Fire fire)
    : trigger_(trigger),
      kind_(std::get<TemplateTrigger>(trigger.kind)),
      home_(home),
      variables_(variables),
      fire_(std::move(fire)),
      kept_(home, place),
      clocks_(
          home, std::move(place),
          [this](const std::string&, const HeldClocks::Clock& clock) {
            if (was_true_ == true) this->fire(clock.from, clock.to, clock.time, clock.cause);
          },
          [this](std::string_view) { return is_away(); }),
      live_(home, kind_.condition, std::move(variables),
            [this](const base::Result<Value>& value, const core::Event* event) { on_value(value, event); }) {
  if (!is_away()) was_true_ = counts(live_.value());
  if (const auto kept = kept_.find(""); kept && (is_away() || !live_.value())) was_true_ = kept;
  if (!live_.value()) tell(live_.value().error().message);
}

bool TemplateWatch::is_away() const {
  return trigger_.gap && std::ranges::any_of(live_.seen().entities, [this](const std::string& id) {
           return is_no_real_state(home_.find(id));
         });
}

void TemplateWatch::on_value(const base::Result<Value>& value, const core::Event* event) {
  if (!value) {  // neither fires nor disarms
    kept_.keep("", was_true_, false);
    return tell(value.error().message);
  }
  told_.clear();
  if (is_away()) {
    kept_.keep("", was_true_, {});
    if (!away_) away_ = home_.hub.bus.schedule(*trigger_.gap, [this] { clocks_.stop(""); });
    return;
  }
  away_.reset();
  const bool is_true = counts(value);
  const auto was_true = std::exchange(was_true_, is_true);
  kept_.keep("", is_true, is_true);
  if (!is_true) clocks_.end_all();
  if (is_true && was_true == true) clocks_.go_on("");
  if (!is_true || was_true != false) return;
  const core::StateChange none, *const change = event ? event->state_change() : nullptr;
  const auto& [from, to] = change ? *change : none;
  const auto cause = event ? std::optional(event->context) : std::nullopt;
  if (!kind_.held) return fire(from, to, {}, cause);
  const auto held = held_time(home_, *kind_.held, variables_, trigger_value(trigger_, facts(from, to, {})));
  if (!held) return;
  clocks_.begin("", {from, to, *held, cause});
}

void TemplateWatch::tell(const std::string& failure) {
  if (std::exchange(told_, failure) == failure) return;
  base::log_warning("automation", "{} cannot be rendered: {}", trigger_name(variables_), failure);
}

FiringFacts TemplateWatch::facts(const core::StatePtr& from, const core::StatePtr& to,
                                 std::optional<base::Duration> held) const {
  const core::StatePtr& known = to ? to : from;
  return {{"entity_id", known ? Value(known->entity_id()) : Value()},
          {"from_state", templates::state_value(from)},
          {"to_state", templates::state_value(to)},
          {"for", held ? Value(templates::TimeDelta{held->count()}) : Value()}};
}

void TemplateWatch::fire(const core::StatePtr& from, const core::StatePtr& to, std::optional<base::Duration> held,
                         const std::optional<core::Context>& cause) const {
  fire_({trigger_value(trigger_, facts(from, to, held)), "template", cause, to});
}

EventWatch::EventWatch(const Trigger& trigger, Home& home, Fire fire, std::optional<std::uint64_t> since)
    : trigger_(trigger), kind_(std::get<EventTrigger>(trigger.kind)), home_(home), fire_(std::move(fire)) {
  listening_ = home.events.listen(kind_.types, [this](const core::Event& event) { on_event(event); }, since);
}

void EventWatch::on_event(const core::Event& event) const {
  const Home::Moment moment(home_, event);
  const json::object context = context_json(event.context);
  for (const auto& [key, ids] : kind_.context) {
    const auto& wanted = ids.as_array();
    if (std::ranges::find(wanted, context.at(key)) == wanted.end()) return;
  }
  std::string text;
  core::write_data_json(text, event);
  auto data = base::parse_json(text);
  if (!data || !holds(*data, kind_.data)) return;
  const auto fits = [&](const json::object& wanted) { return holds(*data, wanted); };
  if (!kind_.alternatives.empty() && std::ranges::none_of(kind_.alternatives, fits)) return;
  FiringFacts facts = trigger_.platform == "device" ? facts_of_message(*data) : FiringFacts();
  templates::Dict fired;
  fired.set("event_type", Value(event.type));
  fired.set("data", Value::from_json(std::move(*data)));
  fired.set("origin", event.origin == core::Origin::local ? "LOCAL" : "REMOTE");
  fired.set("time_fired", templates::DateTime{event.time_fired.time_since_epoch().count(), templates::Zone::utc()});
  fired.set("context", Value::from_json(json::value(context)));
  facts.emplace_back("event", Value::dict(std::move(fired)));
  fire_({trigger_value(trigger_, std::move(facts)), fmt::format("event '{}'", event.type), event.context,
         event.state_change() ? event.state_change()->new_state : nullptr});
}

TimeWatch::TimeWatch(const Trigger& trigger, Home& home, Fire fire)
    : trigger_(trigger), home_(home), fire_(std::move(fire)) {
  if (const auto* const pattern = std::get_if<PatternTrigger>(&trigger.kind)) {
    add([&home, pattern](base::Timestamp after) { return pattern->pattern.next(after, home.zone()); }, "time pattern");
    return;
  }
  if (const auto* const sun = std::get_if<SunTrigger>(&trigger.kind)) {
    constexpr const char* kNames[] = {"sunrise", "sunset", "dawn", "dusk", "solar noon", "solar midnight"};
    const char* const event = kNames[static_cast<int>(sun->event)];
    const auto next = [&home, sun](base::Timestamp after) {
      const auto time = next_sun_event(sun->event, after - sun->offset, home.place());
      return time ? std::optional(DueTime{*time + sun->offset}) : std::nullopt;
    };
    add(next, event, {{"event", event}, {"offset", templates::TimeDelta{sun->offset.count()}}});
    return;
  }
  const auto& kind = std::get<TimeTrigger>(trigger.kind);
  for (const auto& at : kind.at) {
    if (const auto* const time = std::get_if<base::Duration>(&at)) {
      add([&home, &kind,
           time](base::Timestamp after) { return next_time_of_day(after, *time, kind.weekdays, home.zone()); },
          "time", {{"entity_id", Value()}});
      continue;
    }
    const auto& entity = std::get<TimeTrigger::EntityTime>(at);
    const auto next = [&home, &kind, &entity](base::Timestamp after) -> std::optional<DueTime> {
      const core::StatePtr state = home.find(entity.entity_id);
      if (!state) return {};
      auto time = time_of_entity(*state, after - entity.offset, home.zone());
      if (!time || time->at + entity.offset <= after) return {};
      const auto local = templates::at(time->at.time_since_epoch().count(), home.zone());
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
    Facts all{{"now", templates::at(now.time_since_epoch().count(), home_.zone())}};
    all.insert(all.end(), facts.begin(), facts.end());
    fire_({.trigger = trigger_value(trigger_, std::move(all)), .source = source, .due = due});
  };
  rings_.push_back(ring);
  alarms_.push_back(std::make_unique<Alarm>(
      home_.hub, home_.clock_is_set, std::move(next),
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

void TimeWatch::tell_jumps(std::size_t most, TellMissed tell) {
  most_missed_ = most;
  tell_missed_ = std::move(tell);
}

void TimeWatch::jumped(std::size_t alarm, const DueTime& first) const {
  if (tell_missed_)
    tell_missed_(missed_by(alarm, first.at - base::Duration(1), home_.hub.clock.now(), most_missed_));
  else
    base::log_warning("automation", "the clock jumped over {}, which is missed", base::to_string(first.at));
}

HubWatch::HubWatch(const Trigger& trigger, Home& home, Fire fire) {
  const bool start = std::get<HubTrigger>(trigger.kind).start;
  const auto type = start ? core::event_type::kPlatformStarted : core::event_type::kPlatformStop;
  subscription_ = home.hub.bus.listen(type, [&trigger, start, fire = std::move(fire)](const core::Event& event) {
    fire({trigger_value(trigger, {{"event", start ? "start" : "shutdown"}}),
          start ? "start of the hub" : "shutdown of the hub", event.context});
  });
}

}  // namespace hearth::automation
