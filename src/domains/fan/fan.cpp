// SPDX-License-Identifier: Apache-2.0
#include "domains/fan/fan.h"

namespace hearth::domains {
namespace {

enum Feature { kSetSpeed = 1, kOscillate = 2, kDirection = 4, kPresetMode = 8, kTurnOff = 16, kTurnOn = 32 };

}  // namespace

FanState apply(FanState state, const FanCommand& command) {
  if (command.percentage) {
    state.percentage = *command.percentage;
    state.preset.clear();
  }
  if (command.preset) state.preset = *command.preset;
  if (command.oscillating) state.oscillating = *command.oscillating;
  if (command.direction) state.direction = *command.direction;
  return state;
}

void Fan::report(FanState state, const core::Context* cause) {
  state_ = std::move(state);
  write(cause);
}

std::string Fan::value() const {
  if (!state_) return std::string(core::kUnknown);
  return state_->on ? "on" : "off";
}

void Fan::add_capabilities(json::object& attributes) const {
  int features = kTurnOn | kTurnOff;
  if (capabilities_.speeds > 0) features |= kSetSpeed;
  if (capabilities_.oscillate) features |= kOscillate;
  if (capabilities_.direction) features |= kDirection;
  if (!capabilities_.presets.empty()) {
    features |= kPresetMode;
    attributes["preset_modes"] = json::array(capabilities_.presets.begin(), capabilities_.presets.end());
  }
  attributes["supported_features"] = features;
}

void Fan::add_attributes(json::object& attributes) const {
  const FanState state = state_.value_or(FanState{});
  if (capabilities_.speeds > 0) {
    attributes["percentage"] = state.on ? state.percentage : 0;
    attributes["percentage_step"] = 100.0 / capabilities_.speeds;
  }
  if (!capabilities_.presets.empty()) {
    attributes["preset_mode"] = state.on && !state.preset.empty() ? json::value(state.preset) : json::value();
  }
  if (capabilities_.oscillate) attributes["oscillating"] = state.oscillating;
  if (capabilities_.direction) {
    attributes["direction"] = state.direction == FanDirection::forward ? "forward" : "reverse";
  }
}

}  // namespace hearth::domains
