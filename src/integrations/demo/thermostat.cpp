// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/thermostat.h"

#include <cmath>

#include "integrations/demo/sensors.h"

namespace hearth::integrations::demo {
namespace {

using domains::HvacAction;
using domains::HvacMode;

constexpr auto kPeriod = std::chrono::seconds(30);
constexpr double kPeriodHours = 30.0 / 3600;
constexpr double kHeatingPerHour = 4.0;  // K that a hot radiator gives
constexpr double kRadiatorHours = 0.15;  // time constant of the radiator
constexpr double kRoomHours = 18;        // time constant of the walls
constexpr double kHysteresis = 0.2;      // K around the target

struct Preset {
  const char* name;
  double temperature;
};
constexpr Preset kPresets[] = {{"comfort", 21.5}, {"eco", 18.0}, {"away", 15.0}};

domains::ClimateCapabilities capabilities() {
  domains::ClimateCapabilities can{.presets = {"none"}};
  for (const Preset& preset : kPresets) can.presets.emplace_back(preset.name);
  return can;
}

double in_tenths(double value) {
  return std::round(value * 10) / 10;
}

}  // namespace

Thermostat::Thermostat(World& world, domains::EntityInfo info, domains::EntityInfo thermometer)
    : world_(world),
      state_(world.remembered<domains::Climate>(info, domains::ClimateState{.mode = HvacMode::heat,
                                                                            .action = HvacAction::heating,
                                                                            .current_temperature = 20.4,
                                                                            .temperature = 21.0,
                                                                            .preset = "none"})),
      room_(state_.current_temperature.value()),
      climate_(world.add<domains::Climate>(state_, std::move(info), capabilities(), *this)),
      thermometer_(
          world.add(domains::kSensor, {.value = room_}, std::move(thermometer), measuring({"°C", "measurement", 1}))),
      pulse_(world, kPeriod, [this] { pass_time(); }) {}

void Thermostat::set(const domains::ClimateCommand& command) {
  state_ = domains::apply(state_, command);
  if (command.temperature) state_.preset = "none";
  if (command.preset) {
    for (const Preset& preset : kPresets) {
      if (preset.name == *command.preset) state_.temperature = preset.temperature;
    }
  }
  switch_valve();
  report();
}

void Thermostat::pass_time() {
  const double wanted = state_.action == HvacAction::heating ? 1 : 0;
  radiator_ += (wanted - radiator_) * kPeriodHours / kRadiatorHours;
  room_ +=
      radiator_ * kHeatingPerHour * kPeriodHours - (room_ - world_.weather().temperature) * kPeriodHours / kRoomHours;
  switch_valve();
  report();
  thermometer_.report({.value = *state_.current_temperature});
}

void Thermostat::switch_valve() {
  if (state_.mode == HvacMode::off) {
    state_.action = HvacAction::off;
    return;
  }
  const bool heating = state_.action == HvacAction::heating;
  const double threshold = *state_.temperature + (heating ? kHysteresis : -kHysteresis);
  state_.action = room_ < threshold ? HvacAction::heating : HvacAction::idle;
}

void Thermostat::report() {
  // Shows the last measurement, as the thermometer does: only pass_time changes the room.
  state_.current_temperature = in_tenths(room_);
  climate_.report(state_);
}

}  // namespace hearth::integrations::demo
