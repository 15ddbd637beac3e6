// SPDX-License-Identifier: Apache-2.0
#include "domains/light/light.h"

#include <algorithm>

namespace hearth::domains {
namespace {

constexpr int kEffectFeature = 4;
constexpr int kFlashFeature = 8;
constexpr int kTransitionFeature = 32;

// A lamp of one mode is in that one; one of several, which has said nothing, is in none that is known.
std::string_view color_mode(const LightCapabilities& capabilities, const LightState& state) {
  if (state.color) return to_string(mode_of(*state.color));
  return capabilities.modes.size() == 1 ? to_string(*capabilities.modes.begin()) : core::kUnknown;
}

}  // namespace

LightState apply(LightState state, const LightCommand& command) {
  state.on = true;
  if (command.brightness) state.brightness = *command.brightness;
  if (command.color) {
    state.color = command.color;
    state.effect.clear();  // setting a colour ends the effect
  }
  if (command.effect) state.effect = *command.effect;
  return state;
}

void Light::report(LightState state, const core::Context* cause) {
  state_ = std::move(state);
  write(cause);
}

void Light::forget(const core::Context* cause) {
  state_.reset();
  write(cause);
}

std::string Light::value() const {
  if (!state_) return std::string(core::kUnknown);
  return state_->on ? "on" : "off";
}

void Light::add_capabilities(json::object& attributes) const {
  if (capabilities_.has(ColorMode::color_temp)) {
    attributes["min_color_temp_kelvin"] = capabilities_.kelvin.min;
    attributes["max_color_temp_kelvin"] = capabilities_.kelvin.max;
  }
  if (!capabilities_.effects.empty()) {
    attributes["effect_list"] = json::array(capabilities_.effects.begin(), capabilities_.effects.end());
  }
  json::array modes;
  for (const ColorMode mode : capabilities_.modes) modes.emplace_back(to_string(mode));
  attributes["supported_color_modes"] = std::move(modes);
  attributes["supported_features"] = (capabilities_.effects.empty() ? 0 : kEffectFeature) +
                                     (capabilities_.flash ? kFlashFeature : 0) +
                                     (capabilities_.transition ? kTransitionFeature : 0);
}

// A lamp that is off has all keys, with null values.
void Light::add_attributes(json::object& attributes) const {
  const bool on = state_ && state_->on;
  if (!capabilities_.effects.empty()) {
    attributes["effect"] = on && !state_->effect.empty() ? json::value(state_->effect) : json::value();
  }
  attributes["color_mode"] = on ? json::value(color_mode(capabilities_, *state_)) : json::value();
  if (capabilities_.can_dim()) attributes["brightness"] = on ? json::value(state_->brightness) : json::value();
  const LightColor* color = on && state_->color ? &*state_->color : nullptr;
  if (capabilities_.has(ColorMode::color_temp)) {
    const auto* temperature = color ? std::get_if<ColorTemperature>(color) : nullptr;
    attributes["color_temp_kelvin"] = temperature ? json::value(temperature->kelvin) : json::value();
  }
  const bool any_color = std::any_of(capabilities_.modes.begin(), capabilities_.modes.end(), [](ColorMode mode) {
    return mode != ColorMode::onoff && mode != ColorMode::brightness && mode != ColorMode::white;
  });
  if (!any_color) return;
  if (color && std::holds_alternative<WhiteChannel>(*color)) color = nullptr;
  const auto show = [&](const char* key, const auto& shown) {
    attributes[key] = color ? json::value(to_json_array(shown())) : json::value();
  };
  show("hs_color", [&] { return to_hs(*color, capabilities_.kelvin); });
  show("rgb_color", [&] { return to_rgb(*color, capabilities_.kelvin); });
  show("xy_color", [&] { return to_xy(*color, capabilities_.kelvin); });
  if (capabilities_.has(ColorMode::rgbw)) {
    const auto* rgbw = color ? std::get_if<RgbwColor>(color) : nullptr;
    attributes["rgbw_color"] = rgbw ? json::value(to_json_array(*rgbw)) : json::value();
  }
  if (capabilities_.has(ColorMode::rgbww)) {
    const auto* rgbww = color ? std::get_if<RgbwwColor>(color) : nullptr;
    attributes["rgbww_color"] = rgbww ? json::value(to_json_array(*rgbww)) : json::value();
  }
}

}  // namespace hearth::domains
