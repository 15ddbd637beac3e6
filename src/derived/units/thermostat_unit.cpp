// SPDX-License-Identifier: Apache-2.0
#include "derived/units/thermostat_unit.h"

#include <algorithm>
#include <cmath>

#include "base/log/log.h"
#include "core/values/units.h"

namespace hearth::derived {
namespace {

using domains::HvacMode;

constexpr std::string_view kNone = "none", kCelsius = "°C", kSaved = "saved_temperature";

std::optional<double> number_attribute(const json::object& attributes, std::string_view name) {
  const json::value* const found = attributes.if_contains(name);
  return found && found->is_number() ? std::optional(found->to_number<double>()) : std::nullopt;
}

double on_grid(double value, double grid) {
  return std::round(std::round(value / grid) * grid * 1e6) / 1e6;
}

}  // namespace

domains::ClimateState ThermostatUnit::first_state(const core::State* last) {
  domains::ClimateState state;
  const json::object attributes = last ? last->attributes() : json::object();
  state.temperature = options_.target;
  if (!options_.presets.empty()) state.preset = kNone;
  const auto former = number_attribute(attributes, "temperature");
  const std::string preset = text_attribute(last, "preset_mode");
  if (std::ranges::find(options_.presets, preset, &std::pair<std::string, double>::first) != options_.presets.end()) {
    state.preset = preset;
    state.temperature = former;
    saved_ = number_attribute(attributes, kSaved);
  }
  if (!state.temperature) state.temperature = former;
  if (!state.temperature) state.temperature = options_.cools ? options_.max : options_.min;
  state.temperature = std::clamp(*state.temperature, options_.min, options_.max);
  const std::string_view own = options_.cools ? HvacMode::cool : HvacMode::heat;
  const bool was_on = last && last->value() == own;
  state.mode = !options_.initial_mode.empty() ? options_.initial_mode : was_on ? std::string(own) : HvacMode::off;
  return state;
}

base::Result<void> ThermostatUnit::start() {
  core::Hub& hub = environment_.home.hub;
  const auto registry = hub.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity(plan().platform, plan().domain, plan().unique_id);
  const core::StatePtr last = known ? hub.states.find(known->entity_id) : nullptr;
  state_ = first_state(last.get());
  domains::ClimateCapabilities can{
      .modes = {options_.cools ? HvacMode::cool : HvacMode::heat, HvacMode::off},
      .min_temperature = options_.min,
      .max_temperature = options_.max,
      .temperature_step = options_.step,
  };
  if (!options_.presets.empty()) can.presets.emplace_back(kNone);
  for (const auto& [name, temperature] : options_.presets) can.presets.push_back(name);
  auto made = std::make_unique<domains::Climate>(domains::EntityInfo{.integration = plan().platform,
                                                                     .unique_id = plan().unique_id,
                                                                     .object_id = plan().object_id,
                                                                     .name = plan().name},
                                                 std::move(can), *this);
  made->report(state_);
  const auto added = environment_.entities.add(std::move(made));
  if (!added) return std::unexpected(added.error());
  climate_ = *added;
  // Before the states are read: a change that comes meanwhile is not missed.
  changes_ = hub.entity_listeners.listen({options_.sensor, options_.heater},
                                         [this](const core::StateChange& change, const core::Event& event) {
                                           if (change.entity_id() == options_.sensor)
                                             on_sensor(change.new_state, &event.context);
                                           else
                                             on_heater(change, event.context);
                                         });
  const core::StatePtr sensor = hub.states.find(options_.sensor);
  // A restored sensor has as long to report as any other.
  reported_ = hub.clock.now();
  receive_temperature(sensor.get());
  // The same value again is a sign of life, too.
  const auto on_report = [this](const core::Event& event) {
    const core::StateChange* const change = event.by_client ? nullptr : event.state_change();
    if (change && change->entity_id() == options_.sensor) on_sensor(change->new_state, &event.context);
  };
  reports_ = hub.bus.listen(core::event_type::kStateReported, on_report);
  confirmations_ = hub.bus.listen(core::event_type::kStateConfirmed, on_report);
  look_whether_stale();
  if (options_.keep_alive.count()) keep_alive();
  if (is_off() && heats() == true) turn(false, nullptr);
  control(Haste::none, nullptr);
  show(nullptr);
  return {};
}

void ThermostatUnit::withdraw() {
  changes_ = {};
  reports_ = {};
  confirmations_ = {};
  for (core::Timer* const timer : {&stale_, &cycle_, &again_}) *timer = core::Timer();
  if (climate_) const auto gone = environment_.entities.withdraw(climate_->entity_id());
  climate_ = nullptr;
}

std::vector<std::string> ThermostatUnit::entity_ids() const {
  if (!climate_) return {};
  return {std::string(climate_->entity_id())};
}

bool ThermostatUnit::is_off() const {
  return state_.mode == HvacMode::off;
}

std::optional<bool> ThermostatUnit::heats() const {
  const core::StatePtr heater = environment_.home.hub.states.find(options_.heater);
  if (!is_known(heater.get())) return {};
  return heater->value() == "on";
}

void ThermostatUnit::receive_temperature(const core::State* state) {
  temperature_ = number_of(state);
  const std::string unit = text_attribute(state, "unit_of_measurement");
  if (temperature_ && !unit.empty() && unit != kCelsius)
    temperature_ = core::convert_unit(*temperature_, unit, kCelsius).value_or(*temperature_);
}

void ThermostatUnit::on_sensor(const core::StatePtr& state, const core::Context* cause) {
  if (!climate_) return;
  receive_temperature(state.get());
  reported_ = environment_.home.hub.clock.now();
  told_ = false;
  look_whether_stale();
  control(Haste::none, cause);
  show(cause);
}

void ThermostatUnit::look_whether_stale() {
  const base::Timestamp now = environment_.home.hub.clock.now();
  if (reported_ + kStale > now) {
    // A clock that is set back makes nobody wait longer.
    reported_ = std::min(reported_, now);
    stale_ = environment_.home.hub.bus.schedule(reported_ + kStale - now, [this] { look_whether_stale(); });
    return;
  }
  if (!std::exchange(told_, true))
    base::log_warning("derived", "{} has said nothing for 15 minutes: {} is turned off", options_.sensor,
                      options_.heater);
  temperature_ = {};
  control(Haste::at_once, nullptr);
  show(nullptr);
}

void ThermostatUnit::on_heater(const core::StateChange& change, const core::Context& cause) {
  if (!climate_) return;
  if (!is_known(change.old_state.get()) && is_known(change.new_state.get())) {
    if (is_off() && heats() == true) turn(false, &cause);
    control(Haste::none, &cause);
  }
  show(&cause);
}

void ThermostatUnit::keep_alive() {
  again_ = environment_.home.hub.bus.schedule(options_.keep_alive, [this] { keep_alive(); });
  if (is_off() || !temperature_) return;
  control(Haste::none, nullptr);
  if (const auto on = heats()) turn(*on, nullptr);
}

void ThermostatUnit::control(Haste haste, const core::Context* cause) {
  cycle_ = core::Timer();
  if (!climate_ || is_off()) return;
  const bool on = heats().value_or(false);
  if (!temperature_) {
    if (on) turn(false, cause);
    return;
  }
  const bool cold = *temperature_ <= *state_.temperature - options_.cold_tolerance;
  const bool hot = *temperature_ >= *state_.temperature + options_.hot_tolerance;
  const bool wanted = on ? !(options_.cools ? cold : hot) : (options_.cools ? hot : cold);
  if (wanted == on) return;
  if (haste == Haste::none && options_.min_cycle.count()) {
    const core::StatePtr heater = environment_.home.hub.states.find(options_.heater);
    const base::Timestamp now = environment_.home.hub.clock.now();
    const base::Timestamp due = heater ? heater->last_changed() + options_.min_cycle : now;
    if (due > now) {
      cycle_ = environment_.home.hub.bus.schedule(due - now, [this] { control(Haste::none, nullptr); });
      return;
    }
  }
  turn(wanted, cause);
}

void ThermostatUnit::turn(bool on, const core::Context* cause) {
  core::Context context = core::Context::create(environment_.home.hub.clock.now());
  if (cause) {
    context.parent_id = cause->id;
    context.user_id = cause->user_id;
  }
  core::ServiceRequest request{.domain = "homeassistant",
                               .service = on ? "turn_on" : "turn_off",
                               .data = {{"entity_id", options_.heater}},
                               .context = std::move(context),
                               .if_full = core::IfFull::pass};
  environment_.home.hub.services.call(
      std::move(request), [heater = options_.heater](const base::Result<core::CallOutcome>& outcome) {
        if (!outcome) base::log_warning("derived", "a thermostat cannot turn {}: {}", heater, outcome.error().message);
      });
}

void ThermostatUnit::choose_preset(const std::string& preset) {
  if (preset == state_.preset) return;
  const bool had_none = state_.preset == kNone;
  state_.preset = preset;
  if (preset == kNone) {
    if (saved_) state_.temperature = std::exchange(saved_, std::nullopt);
    return;
  }
  if (had_none) saved_ = state_.temperature;
  for (const auto& [name, temperature] : options_.presets)
    if (name == preset) state_.temperature = temperature;
}

void ThermostatUnit::set(const domains::ClimateCommand& command) {
  const bool was_off = is_off();
  if (command.mode) state_.mode = *command.mode;
  if (command.preset) choose_preset(*command.preset);
  if (command.temperature) {
    state_.temperature = *command.temperature;
    if (!options_.presets.empty()) {
      const auto same =
          std::ranges::find(options_.presets, *command.temperature, &std::pair<std::string, double>::second);
      if (same != options_.presets.end() && same->first == state_.preset) {
        // It stays so.
      } else {
        state_.preset = kNone;
        saved_ = {};
      }
    }
  }
  const core::Context cause = climate_->command_context();
  if (is_off() && !was_off && heats() == true) turn(false, &cause);
  control(Haste::at_once, &cause);
  show(&cause);
  // A set temperature is not lost if the hub ends now.
  environment_.home.store.keep(environment_.home.hub.states.find(climate_->entity_id()));
  environment_.home.store.when_written([] {});
}

void ThermostatUnit::show(const core::Context* cause) {
  domains::ClimateState shown = state_;
  const bool works = heats().value_or(false);
  using Action = domains::HvacAction;
  shown.action = is_off() ? Action::off : !works ? Action::idle : options_.cools ? Action::cooling : Action::heating;
  if (temperature_) shown.current_temperature = on_grid(*temperature_, options_.precision);
  if (shown.temperature) shown.temperature = on_grid(*shown.temperature, options_.precision);
  json::object extra;
  if (saved_) extra[kSaved] = *saved_;
  climate_->set_extra_attributes(std::move(extra));
  climate_->report(std::move(shown), cause);
}

}  // namespace hearth::derived
