// SPDX-License-Identifier: Apache-2.0
#include "derived/units/sensor_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/triggers/alarm.h"
#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"
#include "core/values/entity_id.h"
#include "core/values/units.h"
#include "domains/entities/kinds.h"

namespace hearth::derived {
namespace {

std::string books_key(const Plan& plan) {
  return fmt::format("{}{}/{}/{}", SensorUnit::kBooks, plan.domain, plan.platform, plan.unique_id);
}

}  // namespace

SensorUnit::SensorUnit(std::shared_ptr<const Plan> plan, const Environment& environment)
    : SensorUnit(plan, environment, plan->engine()) {}

SensorUnit::SensorUnit(std::shared_ptr<const Plan> plan, const Environment& environment, std::unique_ptr<Engine> engine)
    : Unit(std::move(plan)),
      environment_(environment),
      engine_(std::move(engine)),
      alive_(std::make_shared<const bool>(true)) {}

bool SensorUnit::is_restored(const core::State* state) const {
  return state && (state->last_updated() < environment_.began || state->attributes_json().contains("\"restored\""));
}

Moment SensorUnit::now() const {
  const automation::Moment home_now = environment_.home.now();
  return {home_now.time(), home_now.zone(), home_now.place()};
}

core::StatePtr SensorUnit::last_state() const {
  if (plan().anew) return nullptr;
  const auto registry = environment_.home.hub.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity(plan().platform, plan().domain, plan().unique_id);
  return known ? environment_.home.hub.states.find(known->entity_id) : nullptr;
}

core::StatePtr SensorUnit::books(core::StatePtr last) const {
  if (!last || is_known(last.get()) || !engine_->keeps_books()) return last;
  const json::object* const kept = environment_.home.store.find(books_key(plan()));
  return kept ? automation::state_from_stored(base::value_at(*kept, "state")) : last;
}

void SensorUnit::keep_books(const Output& shown) {
  if (!engine_->keeps_books() || entity_id().empty() || (shown.available && thing_->available())) return;
  std::string key = books_key(plan());
  if (shown.available) return environment_.home.store.remove(key);
  const auto value = domains::value_text(thing_->kind(), shown.value);
  if (!value || shown.value.is_null()) return;
  json::object attributes = shown.attributes;
  attributes["unit_of_measurement"] = shown.unit;
  attributes["device_class"] = shown.device_class;
  const json::object* const kept = environment_.home.store.find(key);
  const core::StatePtr before = kept ? automation::state_from_stored(base::value_at(*kept, "state")) : nullptr;
  if (before && before->value() == *value && before->attributes() == attributes) return;
  const base::Timestamp at = now().time;
  json::object entry{
      {"state", automation::to_stored(core::State::create(core::EntityId::parse(entity_id()).value(), *value,
                                                          base::to_json(attributes), {at, at}, core::Context()))}};
  environment_.home.store.replace(std::move(key), std::move(entry));
}

core::StatePtr SensorUnit::in_own_unit(core::StatePtr last, const std::string& unit) const {
  const std::string shown = text_attribute(last.get(), "unit_of_measurement");
  if (unit.empty() || shown.empty() || unit == shown) return last;
  const auto converted = core::convert_unit_of(last->value(), shown, unit);
  if (!converted) return last;
  json::object attributes = last->attributes();
  attributes["unit_of_measurement"] = unit;
  return core::State::create(core::EntityId::parse(last->entity_id()).value(), *converted, base::to_json(attributes),
                             {last->last_changed(), last->last_updated()}, last->context());
}

base::Result<void> SensorUnit::start() {
  core::Hub& hub = environment_.home.hub;
  const core::StatePtr last = last_state();
  follow_templates();
  // Before the states are read: a change that comes meanwhile is not missed.
  if (!plan().sources.empty())
    sources_ = hub.entity_listeners.listen(
        plan().sources,
        [this](const core::StateChange& change, const core::Event& event) { on_change(change, event); });
  const auto past = engine_->past(now());
  const bool no_clock = engine_->follows_clock() && !environment_.home.ports->clock_is_set();
  waits_ = no_clock || (past.has_value() && !plan().sources.empty());
  if (!waits_) receive_present();
  Output first = engine_->show(now());
  if (const core::StatePtr known = books(last); is_known(known.get())) {
    engine_->restore(*in_own_unit(known, first.unit), now());
    first = engine_->show(now());
  }
  const domains::Kind& kind = plan().domain == "binary_sensor" ? domains::kBinarySensor : domains::kSensor;
  auto made = std::make_unique<domains::Thing>(
      kind,
      domains::EntityInfo{.integration = plan().platform,
                          .unique_id = plan().unique_id,
                          .object_id = plan().object_id,
                          .name = plan().name,
                          .device_class = plan().device_class.empty() ? first.device_class : plan().device_class,
                          .icon = first.icon,
                          // While it waits it shows what was.
                          .available = waits_ && last ? last->value() != core::kUnavailable : first.available},
      domains::Abilities{}, this);
  thing_ = made.get();
  if (waits_ && last) {
    // Until history has answered, or somebody has set the clock.
    thing_->report(domains::restored(kind, {}, *last));
    if (kind.find_attribute("unit_of_measurement"))
      for (const char* const name : {"unit_of_measurement", "state_class"})
        if (std::string text = text_attribute(last.get(), name); !text.empty())
          thing_->report({.attributes = {{name, std::move(text)}}});
  }
  renew(nullptr);
  if (const auto added = environment_.entities.add(std::move(made)); !added) {
    thing_ = nullptr;
    sources_ = {};
    return std::unexpected(added.error());
  }
  zone_changes_ = hub.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) { renew(nullptr); });
  if (no_clock)
    await_clock();
  else if (waits_)
    ask_past(*past);
  else
    arm();
  return {};
}

void SensorUnit::await_clock() {
  if (!environment_.home.ports->clock_is_set()) {
    timer_ = environment_.home.hub.bus.schedule(automation::Alarm::kBetweenLooks, [this] { await_clock(); });
    return;
  }
  waits_ = false;
  renew(nullptr);
}

void SensorUnit::follow_templates() {
  if (plan().templates.empty()) return;
  const auto render = [this](const automation::Moment& home, templates::Dependencies& seen) {
    receive_values(home, &seen);
    return base::Result<templates::Value>(templates::Value());
  };
  live_ = std::make_unique<automation::LiveTemplate>(
      environment_.home, render,
      [this](const base::Result<templates::Value>&, const core::Event* event, const automation::Moment& home) {
        renew(event ? &event->context : nullptr, home);
      });
}

void SensorUnit::receive_values(const automation::Moment& home, templates::Dependencies* seen) {
  std::vector<base::Result<json::value>> values;
  for (const automation::Data& each : plan().templates) {
    auto value = each.render(home.renderer(), {}, seen);
    if (value)
      values.emplace_back(automation::json_of(*value));
    else
      values.emplace_back(std::unexpected(value.error()));
  }
  engine_->receive_values(values);
}

void SensorUnit::withdraw() {
  live_ = nullptr;
  sources_ = {};
  timer_ = {};
  zone_changes_ = {};
  alive_.reset();
  if (thing_) const auto gone = environment_.entities.withdraw(entity_id());
  thing_ = nullptr;
}

std::vector<std::string> SensorUnit::entity_ids() const {
  if (!thing_) return {};
  return {std::string(entity_id())};
}

void SensorUnit::receive_present() {
  known_until_ = environment_.home.hub.bus.last_sequence();  // first: what comes meanwhile is told by its event, too
  for (const std::string& id : plan().sources) {
    const core::StatePtr state = environment_.home.hub.states.find(id);
    engine_->receive({.entity_id = id,
                      .state = state.get(),
                      .before = nullptr,
                      .at = state ? state->last_updated() : environment_.home.hub.clock.now(),
                      .why = is_restored(state.get()) ? Reading::Why::restored : Reading::Why::first});
    if (state) present_.push_back(state);
  }
}

void SensorUnit::ask_past(const Past& past) {
  const base::Timestamp until = environment_.home.hub.clock.now();
  questions_ = plan().sources.size();
  for (const std::string& id : plan().sources) {
    environment_.history.ask({id, until - past.span, until, past.most},
                             [this, alive = std::weak_ptr(alive_)](std::vector<core::StatePtr> states) {
                               if (alive.expired()) return;
                               past_.insert(past_.end(), states.begin(), states.end());
                               if (--questions_ == 0) receive_past();
                             });
  }
}

void SensorUnit::receive_past() {
  waits_ = false;
  std::ranges::sort(past_, {}, [](const core::StatePtr& state) { return state->last_updated(); });
  base::Timestamp last{base::Duration::min()};
  for (const core::StatePtr& state : past_) {
    engine_->receive({state->entity_id(), state.get(), nullptr, state->last_updated(), Reading::Why::past});
    last = state->last_updated();
  }
  past_.clear();
  // History is not told again; without any, the present is all there is.
  std::erase_if(held_, [&](const Held& each) { return !each.state || each.state->last_updated() <= last; });
  if (held_.empty()) {
    receive_present();
  } else {
    for (const Held& each : held_) receive(each.state, each.before, each.state->entity_id());
  }
  held_.clear();
  renew(nullptr);
}

bool SensorUnit::knows(const core::StateChange& change, const core::Event& event) {
  if (event.sequence <= known_until_) return true;
  const auto taken = std::ranges::find_if(
      present_, [&](const core::StatePtr& state) { return state->entity_id() == change.entity_id(); });
  if (taken == present_.end()) return false;
  if (change.new_state == *taken) return true;
  present_.erase(taken);
  return false;
}

void SensorUnit::on_change(const core::StateChange& change, const core::Event& event) {
  if (knows(change, event)) return;
  if (waits_) {
    if (held_.size() == kMostHeld) held_.pop_front();
    held_.push_back({change.new_state, change.old_state, event.context});
    return;
  }
  receive(change.new_state, change.old_state, change.entity_id());
  if (live_)
    renew(&event.context, environment_.home.at(event));
  else
    renew(&event.context);
}

void SensorUnit::receive(const core::StatePtr& state, const core::StatePtr& before, std::string_view entity_id) {
  engine_->receive({.entity_id = entity_id,
                    .state = state.get(),
                    .before = is_restored(before.get()) ? nullptr : before.get(),
                    .at = state ? state->last_updated() : environment_.home.hub.clock.now(),
                    .why = is_restored(state.get()) ? Reading::Why::restored : Reading::Why::change});
}

void SensorUnit::renew(const core::Context* cause, const automation::Moment& home) {
  if (!thing_ || waits_) return;
  if (live_) receive_values(home, nullptr);
  if (!entity_id().empty() && engine_->lacks_past(now())) {
    if (const auto past = engine_->past(now())) {
      waits_ = true;
      return ask_past(*past);
    }
  }
  Output shown = engine_->show(now());
  keep_books(shown);
  const std::string& device_class = plan().device_class.empty() ? shown.device_class : plan().device_class;
  domains::Report report{.value = std::move(shown.value)};
  if (&thing_->kind() == &domains::kSensor) {
    const auto text = [](const std::string& value) {
      return value.empty() ? json::value() : json::value(json::string(value));
    };
    report.attributes = {{"unit_of_measurement", text(shown.unit)}, {"state_class", text(shown.state_class)}};
    if (json::value* const reset = shown.attributes.if_contains("last_reset")) {
      report.attributes["last_reset"] = *reset;
      shown.attributes.erase("last_reset");
    }
  }
  if (!entity_id().empty() && (device_class != thing_->info().device_class || shown.icon != thing_->info().icon)) {
    domains::EntityInfo info = thing_->info();
    info.device_class = device_class;
    info.icon = shown.icon;
    environment_.entities.describe(*thing_, std::move(info));
  }
  const auto told = [&] {
    const bool value = domains::value_text(thing_->kind(), *report.value) == thing_->reported();
    return value && std::ranges::all_of(report.attributes, [&](const auto& each) {
             return thing_->attribute(each.key()) == each.value();
           });
  };
  const bool same = shown.available == thing_->available() && shown.attributes == thing_->extra_attributes() && told();
  if (!same || entity_id().empty()) {
    thing_->set_extra_attributes(std::move(shown.attributes));
    // A value is never shown as that of a source that is away, nor the former one when it is back.
    if (shown.available) thing_->report(std::move(report), cause);
    thing_->set_available(shown.available);
  }
  arm();
}

void SensorUnit::arm() {
  const Moment at = now();
  const auto time = engine_->next(at);
  timer_ = core::Timer();
  if (!time || entity_id().empty()) return;
  timer_ = environment_.home.hub.bus.schedule_at(std::max(*time, at.time + kSoonest), [this] { renew(nullptr); });
}

}  // namespace hearth::derived
