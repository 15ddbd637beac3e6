// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/state_watches.h"

#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

// Their present entity ids; some may be named by their ids in the registry.
std::vector<std::string> entity_ids_of(const Home& home, std::vector<std::string> references) {
  for (std::string& each : references) each = home.now().entity_id_of(each);
  return references;
}

// The facts that both kinds of triggers have.
FiringFacts facts_of(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                     std::optional<base::Duration> held) {
  return {{"entity_id", templates::Value(entity_id)},
          {"from_state", templates::state_value(from)},
          {"to_state", templates::state_value(to)},
          {"for", held ? templates::Value(templates::TimeDelta{held->count()}) : templates::Value()}};
}

templates::Value limit_fact(const Limit& limit) {
  if (const auto* const number = std::get_if<double>(&limit)) return templates::Value(*number);
  if (const auto* const entity = std::get_if<std::string>(&limit)) return templates::Value(*entity);
  return {};
}

}  // namespace

StateWatch::StateWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place, Fire fire,
                       std::optional<std::uint64_t> since)
    : trigger_(trigger),
      kind_(std::get<StateTrigger>(trigger.kind)),
      home_(home),
      variables_(std::move(variables)),
      fire_(std::move(fire)),
      clocks_(
          home, place,
          [this](const std::string& entity_id, const ForClocks::Clock& clock, const Moment& moment) {
            this->fire(entity_id, clock.from, clock.to, clock.time, clock.cause, moment);
          },
          [this](std::string_view entity_id) { return look_.is_away(entity_id); }),
      look_(home.hub, home.store, place, trigger_.gap,
            [this](const std::string& entity_id) { clocks_.stop(entity_id); }) {
  listening_ = home.hub.entity_listeners.listen_since(
      since.value_or(home.hub.bus.last_sequence()), entity_ids_of(home, kind_.entity_ids),
      [this](const core::StateChange& change, const core::Event& event) { on_change(change, event); });
}

bool StateWatch::matches(const json::value& from, const json::value& to) const {
  const auto fits = [](const std::optional<Values>& values, const json::value& value, bool wanted) {
    return !values || values->any || is_one_of(value, values->values) == wanted;
  };
  return fits(kind_.from, from, true) && fits(kind_.to, to, true) && fits(kind_.not_from, from, false) &&
         fits(kind_.not_to, to, false);
}

bool StateWatch::still_so(const ForClocks::Clock& clock, const json::value& now) const {
  const json::value was = value_of(clock.from, kind_.attribute), became = value_of(clock.to, kind_.attribute);
  if (is_equal(now, became)) return true;
  const bool from_alone = kind_.from && !kind_.to;
  return from_alone && !is_equal(now, was) && now != json::string(core::kUnavailable);
}

void StateWatch::on_change(const core::StateChange& told, const core::Event& event) {
  const Moment moment = home_.at(event);
  const std::string_view entity_id = told.entity_id();
  const auto* const clock = clocks_.find(entity_id);
  const auto change = look_.seen(told, clock ? clock->to : nullptr);
  if (!change) return;
  const json::value from = value_of(change->old_state, kind_.attribute),
                    to = value_of(change->new_state, kind_.attribute);
  if (clock) {
    if (still_so(*clock, to)) return clocks_.go_on(entity_id, moment);
    clocks_.end(entity_id);
  }
  const bool by_value =
      kind_.from || kind_.to || kind_.not_from || kind_.not_to || !kind_.attribute.empty() || kind_.held;
  if ((by_value && is_equal(from, to)) || !matches(from, to)) return;
  if (!kind_.held) return fire(entity_id, change->old_state, change->new_state, {}, event.context, moment);

  const auto held = held_time(home_, moment, *kind_.held, variables_,
                              trigger_value(trigger_, facts(entity_id, change->old_state, change->new_state, {})));
  if (!held) return;
  clocks_.begin(entity_id, {change->old_state, change->new_state, *held, event.context}, moment);
}

FiringFacts StateWatch::facts(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                              std::optional<base::Duration> held) const {
  FiringFacts facts = facts_of(entity_id, from, to, held);
  facts.emplace_back("attribute", kind_.attribute.empty() ? templates::Value() : templates::Value(kind_.attribute));
  return facts;
}

void StateWatch::fire(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                      std::optional<base::Duration> held, const std::optional<core::Context>& cause,
                      const Moment& moment) const {
  fire_({trigger_value(trigger_, facts(entity_id, from, to, held)), "state of " + std::string(entity_id), cause, to},
        moment);
}

NumericWatch::NumericWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place,
                           Fire fire)
    : trigger_(trigger),
      kind_(std::get<NumericTrigger>(trigger.kind)),
      home_(home),
      variables_(std::move(variables)),
      fire_(std::move(fire)),
      kept_(home.store, place),
      clocks_(
          home, place,
          [this](const std::string& entity_id, const ForClocks::Clock& clock, const Moment& moment) {
            this->fire(entity_id, clock.from, clock.to, clock.time, clock.cause, moment);
          },
          [this](std::string_view entity_id) { return look_.is_away(entity_id); }),
      look_(home.hub, home.store, place, trigger_.gap,
            [this](const std::string& entity_id) { clocks_.stop(entity_id); }) {
  const std::vector<std::string> ids = entity_ids_of(home, kind_.entity_ids);
  // Before the states are read: a change that comes meanwhile is not missed.
  listening_ = home.hub.entity_listeners.listen(
      ids, [this](const core::StateChange& change, const core::Event& event) { on_change(change, event); });
  for (const std::string& id : ids) {
    // The value that it looks through is none below or above which it has been.
    const Fit now = look_.is_away(id) ? Fit::unclear : fit(home.hub.states.find(id), home.now());
    const bool by_state = now != Fit::yes && !look_.is_away(id);
    armed_[id] = now == Fit::unclear ? kept_.find(id).value_or(by_state) : by_state;
  }
}

Fit NumericWatch::fit(const core::StatePtr& state, const Moment& moment) const {
  return compare(moment, {kind_.above, kind_.below, kind_.attribute, kind_.value_template}, state, variables_);
}

void NumericWatch::on_change(const core::StateChange& told, const core::Event& event) {
  const Moment moment = home_.at(event);
  const std::string entity_id(told.entity_id());
  const auto* const clock = clocks_.find(entity_id);
  const auto change = look_.seen(told, clock ? clock->to : nullptr);
  const bool by_state = change && on_seen(*change, event, moment);
  kept_.keep(entity_id, armed_[entity_id], by_state);
}

bool NumericWatch::on_seen(const core::StateChange& change, const core::Event& event, const Moment& moment) {
  const std::string entity_id(change.entity_id());
  bool& armed = armed_[entity_id];
  const Fit now = fit(change.new_state, moment);
  if (now != Fit::yes) {
    if (now == Fit::no) armed = true;
    clocks_.end(entity_id);
  } else if (!std::exchange(armed, false)) {
    clocks_.go_on(entity_id, moment);
  } else if (!kind_.held) {
    fire(entity_id, change.old_state, change.new_state, {}, event.context, moment);
  } else if (const auto held =
                 held_time(home_, moment, *kind_.held, variables_,
                           trigger_value(trigger_, facts(entity_id, change.old_state, change.new_state, {})))) {
    clocks_.begin(entity_id, {change.old_state, change.new_state, *held, event.context}, moment);
  }
  return now != Fit::yes;
}

FiringFacts NumericWatch::facts(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                                std::optional<base::Duration> held) const {
  FiringFacts facts = facts_of(entity_id, from, to, held);
  facts.emplace_back("above", limit_fact(kind_.above));
  facts.emplace_back("below", limit_fact(kind_.below));
  facts.emplace_back("attribute", kind_.attribute.empty() ? templates::Value() : templates::Value(kind_.attribute));
  return facts;
}

void NumericWatch::fire(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                        std::optional<base::Duration> held, const std::optional<core::Context>& cause,
                        const Moment& moment) const {
  fire_({trigger_value(trigger_, facts(entity_id, from, to, held)), "numeric state of " + std::string(entity_id), cause,
         to},
        moment);
}

}  // namespace hearth::automation
