// SPDX-License-Identifier: Apache-2.0
#include "domains/climate/climate.h"

#include <algorithm>

namespace hearth::domains {
namespace {

enum ClimateFeature {
  kTargetTemperature = 1,
  kTargetRange = 2,
  kTargetHumidity = 4,
  kFanMode = 8,
  kPresetMode = 16,
  kSwingMode = 32,
  kTurnOff = 128,
  kTurnOn = 256,
  kSwingHorizontalMode = 512,
};

constexpr std::string_view kActions[] = {"off",    "preheating", "heating", "cooling",
                                         "drying", "fan",        "idle",    "defrosting"};

bool has(const std::vector<std::string>& modes, std::string_view mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

json::value or_null(const auto& optional) {
  return optional ? json::value(*optional) : json::value();
}
json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

}  // namespace

std::string_view to_string(HvacAction action) {
  return kActions[static_cast<std::size_t>(action)];
}

ClimateState apply(ClimateState state, const ClimateCommand& command) {
  const auto take = [](auto& to, const auto& from) {
    if (from) to = *from;
  };
  take(state.mode, command.mode);
  take(state.temperature, command.temperature);
  take(state.temperature_low, command.temperature_low);
  take(state.temperature_high, command.temperature_high);
  take(state.humidity, command.humidity);
  take(state.preset, command.preset);
  take(state.fan_mode, command.fan_mode);
  take(state.swing_mode, command.swing_mode);
  take(state.swing_horizontal_mode, command.swing_horizontal_mode);
  return state;
}

void Climate::report(ClimateState state, const core::Context* cause) {
  if (state.mode != HvacMode::off) last_mode_on_ = state.mode;
  state_ = std::move(state);
  write(cause);
}

std::optional<std::string> Climate::mode_when_on() const {
  if (last_mode_on_) return last_mode_on_;
  for (const char* const mode : {HvacMode::heat_cool, HvacMode::heat, HvacMode::cool}) {
    if (has(capabilities_.modes, mode)) return mode;
  }
  for (const std::string& mode : capabilities_.modes) {
    if (mode != HvacMode::off) return mode;
  }
  return {};
}

base::Result<void> Climate::can(std::string_view service, const json::object&) const {
  if (service == "turn_off" || service == "toggle") {
    if (!has(capabilities_.modes, HvacMode::off)) return cannot(*this, "be turned off");
  }
  if (service == "turn_on" || service == "toggle") {
    if (!mode_when_on()) return cannot(*this, "be turned on");
  }
  return {};
}

std::string Climate::value() const {
  return state_ ? state_->mode : std::string(core::kUnknown);
}

void Climate::add_capabilities(json::object& attributes) const {
  const ClimateCapabilities& can = capabilities_;
  int features = 0;
  attributes["hvac_modes"] = json::array(can.modes.begin(), can.modes.end());
  attributes["min_temp"] = can.min_temperature;
  attributes["max_temp"] = can.max_temperature;
  attributes["target_temp_step"] = can.temperature_step;
  if (can.target_temperature) features |= kTargetTemperature;
  if (can.target_range) features |= kTargetRange;
  if (can.target_humidity) {
    features |= kTargetHumidity;
    attributes["min_humidity"] = can.min_humidity;
    attributes["max_humidity"] = can.max_humidity;
  }
  const auto list = [&](const char* key, const std::vector<std::string>& names, ClimateFeature feature) {
    if (names.empty()) return;
    features |= feature;
    attributes[key] = json::array(names.begin(), names.end());
  };
  list("fan_modes", can.fan_modes, kFanMode);
  list("preset_modes", can.presets, kPresetMode);
  list("swing_modes", can.swing_modes, kSwingMode);
  list("swing_horizontal_modes", can.swing_horizontal_modes, kSwingHorizontalMode);
  if (has(can.modes, HvacMode::off)) features |= kTurnOff;
  if (mode_when_on()) features |= kTurnOn;
  attributes["supported_features"] = features;
}

void Climate::add_attributes(json::object& attributes) const {
  const ClimateCapabilities& can = capabilities_;
  const ClimateState state = state_.value_or(ClimateState{});
  attributes["current_temperature"] = or_null(state.current_temperature);
  if (can.target_temperature) attributes["temperature"] = or_null(state.temperature);
  if (can.target_range) {
    attributes["target_temp_high"] = or_null(state.temperature_high);
    attributes["target_temp_low"] = or_null(state.temperature_low);
  }
  if (state.current_humidity) attributes["current_humidity"] = *state.current_humidity;
  if (can.target_humidity) attributes["humidity"] = or_null(state.humidity);
  if (state.action) attributes["hvac_action"] = to_string(*state.action);
  if (!can.fan_modes.empty()) attributes["fan_mode"] = text_or_null(state.fan_mode);
  if (!can.presets.empty()) attributes["preset_mode"] = text_or_null(state.preset);
  if (!can.swing_modes.empty()) attributes["swing_mode"] = text_or_null(state.swing_mode);
  if (!can.swing_horizontal_modes.empty()) {
    attributes["swing_horizontal_mode"] = text_or_null(state.swing_horizontal_mode);
  }
}

}  // namespace hearth::domains
