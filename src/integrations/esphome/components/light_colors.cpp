// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/light_colors.h"

#include <algorithm>
#include <cmath>

#include "integrations/esphome/entities/values.h"

namespace hearth::integrations::esphome {
namespace {

using domains::ColorMode;

enum Mode : std::uint32_t {
  kOnOff = 1,
  kOldBrightness = 2,
  kBrightness = 3,
  kWhite = 7,
  kTemperature = 11,
  kColdWarm = 19,
  kRgb = 35,
  kRgbWhite = 39,
  kRgbTemperature = 47,
  kRgbColdWarm = 51,
};

constexpr std::string_view kNoEffect = "None";
constexpr std::uint32_t kBriefFlash = 2'000, kExtendedFlash = 10'000;  // ms
constexpr std::uint32_t kMaxTransition = 3'600'000;                    // ms

bool has(const proto::ListLight& list, std::uint32_t mode) {
  return std::ranges::find(list.color_modes(), mode) != list.color_modes().end();
}

std::uint32_t first_of(const proto::ListLight& list, std::initializer_list<std::uint32_t> modes) {
  for (const std::uint32_t mode : modes) {
    if (has(list, mode)) return mode;
  }
  return 0;
}

int level(float value) {
  return share_of(value, 255).value_or(0);
}

domains::RgbColor rgb_of(const proto::LightState& state) {
  const float share = state.color_brightness();
  return {level(state.red() * share), level(state.green() * share), level(state.blue() * share)};
}

// In mireds. A light of cold and warm white may say the mix only.
double mireds_of(const proto::ListLight& list, const proto::LightState& state) {
  const float both = state.cold_white() + state.warm_white();
  if (state.color_temperature() > 0 || !(both > 0)) return state.color_temperature();
  return list.min_mireds() + (list.max_mireds() - list.min_mireds()) * state.warm_white() / both;
}

std::optional<domains::LightColor> temperature_of(const proto::ListLight& list, const proto::LightState& state) {
  const double mireds = mireds_of(list, state);
  if (!std::isfinite(mireds) || mireds <= 0) return {};
  return domains::ColorTemperature{domains::mired_to_kelvin(std::clamp(mireds, 25.0, 1'000.0))};
}

std::optional<domains::LightColor> color_of(const proto::ListLight& list, const proto::LightState& state) {
  const domains::RgbColor rgb = rgb_of(state);
  switch (state.color_mode()) {
    case kWhite:
      return domains::WhiteChannel{};
    case kTemperature:
    case kColdWarm:
      return temperature_of(list, state);
    case kRgb:
      return rgb;
    case kRgbWhite:
      return domains::RgbwColor{rgb.red, rgb.green, rgb.blue, level(state.white())};
    case kRgbTemperature:
      if (state.white() > 0 && !(state.color_brightness() > 0)) return temperature_of(list, state);
      return rgb;
    case kRgbColdWarm:
      return domains::RgbwwColor{rgb.red, rgb.green, rgb.blue, level(state.cold_white()), level(state.warm_white())};
    default:
      return {};
  }
}

void set_rgb(proto::LightCommand& out, int red, int green, int blue) {
  const int most = std::max({red, green, blue});
  const float whole = static_cast<float>(std::max(most, 1));
  out.set_has_rgb(true);
  out.set_red(static_cast<float>(red) / whole);
  out.set_green(static_cast<float>(green) / whole);
  out.set_blue(static_cast<float>(blue) / whole);
  out.set_has_color_brightness(true);
  out.set_color_brightness(static_cast<float>(most) / 255);
}

void set_white(proto::LightCommand& out, int white) {
  out.set_has_white(true);
  out.set_white(static_cast<float>(white) / 255);
}

// Returns the mode that shows the colour; 0 if it is to stay.
std::uint32_t set_color(proto::LightCommand& out, const proto::ListLight& list, const domains::LightColor& color) {
  if (const auto* const rgb = std::get_if<domains::RgbColor>(&color)) {
    set_rgb(out, rgb->red, rgb->green, rgb->blue);
    return first_of(list, {kRgb, kRgbTemperature, kRgbWhite, kRgbColdWarm});
  }
  if (const auto* const rgbw = std::get_if<domains::RgbwColor>(&color)) {
    set_rgb(out, rgbw->red, rgbw->green, rgbw->blue);
    set_white(out, rgbw->white);
    return kRgbWhite;
  }
  if (const auto* const rgbww = std::get_if<domains::RgbwwColor>(&color)) {
    set_rgb(out, rgbww->red, rgbww->green, rgbww->blue);
    out.set_has_cold_white(true);
    out.set_cold_white(static_cast<float>(rgbww->cold_white) / 255);
    out.set_has_warm_white(true);
    out.set_warm_white(static_cast<float>(rgbww->warm_white) / 255);
    return kRgbColdWarm;
  }
  if (const auto* const white = std::get_if<domains::ColorTemperature>(&color)) {
    out.set_has_color_temperature(true);
    out.set_color_temperature(1e6F / static_cast<float>(std::max(white->kelvin, 1)));
    const std::uint32_t mode = first_of(list, {kTemperature, kColdWarm, kRgbTemperature});
    if (mode != kRgbTemperature) return mode;
    out.set_has_color_brightness(true);
    out.set_color_brightness(0);
    set_white(out, 255);
    return mode;
  }
  if (std::holds_alternative<domains::WhiteChannel>(color)) return first_of(list, {kWhite});
  return 0;
}

void set_times(proto::LightCommand& out, const std::optional<domains::Flash>& flash,
               const std::optional<base::Duration>& transition) {
  if (transition) {
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(*transition).count();
    out.set_has_transition_length(true);
    out.set_transition_length(static_cast<std::uint32_t>(std::clamp<std::int64_t>(time, 0, kMaxTransition)));
  }
  if (flash) {
    out.set_has_flash_length(true);
    out.set_flash_length(*flash == domains::Flash::brief ? kBriefFlash : kExtendedFlash);
  }
}

}  // namespace

domains::LightCapabilities light_capabilities(const proto::ListLight& list) {
  domains::LightCapabilities can{.modes = {}};
  for (const std::uint32_t mode : list.color_modes()) {
    if (mode == kOldBrightness || mode == kBrightness) can.modes.insert(ColorMode::brightness);
    if (mode == kWhite) can.modes.insert(ColorMode::white);
    if (mode == kTemperature || mode == kColdWarm || mode == kRgbTemperature) can.modes.insert(ColorMode::color_temp);
    if (mode == kRgb || mode == kRgbTemperature) can.modes.insert(ColorMode::rgb);
    if (mode == kRgbWhite) can.modes.insert(ColorMode::rgbw);
    if (mode == kRgbColdWarm) can.modes.insert(ColorMode::rgbww);
  }
  // White is a mode beside others only, and brightness none beside others.
  if (can.modes.size() > 1) can.modes.erase(ColorMode::brightness);
  if (can.modes == std::set{ColorMode::white}) can.modes = {ColorMode::brightness};
  if (can.modes.empty()) can.modes = {ColorMode::onoff};
  if (const auto mireds = decimal_of(list.max_mireds()); mireds && *mireds >= 25)
    can.kelvin.min = domains::mired_to_kelvin(std::min(*mireds, 1'000.0));
  if (const auto mireds = decimal_of(list.min_mireds()); mireds && *mireds >= 25)
    can.kelvin.max = domains::mired_to_kelvin(std::min(*mireds, 1'000.0));
  if (can.kelvin.min > can.kelvin.max) std::swap(can.kelvin.min, can.kelvin.max);
  for (const json::value& effect : texts_of(list.effects())) {
    if (effect.get_string() != kNoEffect) can.effects.emplace_back(effect.get_string());
  }
  can.flash = true;
  can.transition = can.can_dim();
  return can;
}

std::optional<domains::LightState> light_state(const proto::ListLight& list, const proto::LightState& state) {
  constexpr std::uint32_t known[] = {0,         kOnOff, kOldBrightness, kBrightness,     kWhite,      kTemperature,
                                     kColdWarm, kRgb,   kRgbWhite,      kRgbTemperature, kRgbColdWarm};
  if (std::ranges::find(known, state.color_mode()) == std::end(known)) return {};
  domains::LightState made{.on = state.state(), .brightness = std::max(level(state.brightness()), 1)};
  made.color = color_of(list, state);
  const domains::LightCapabilities can = light_capabilities(list);
  if (made.color && !can.has(domains::mode_of(*made.color))) made.color.reset();
  if (state.effect() != kNoEffect) made.effect = clean_text(state.effect());
  return made;
}

proto::LightCommand light_command(const proto::ListLight& list, std::uint32_t present,
                                  const domains::LightCommand& command) {
  proto::LightCommand out;
  out.set_has_state(true);
  out.set_state(true);
  if (command.brightness) {
    out.set_has_brightness(true);
    out.set_brightness(static_cast<float>(*command.brightness) / 255);
  }
  std::uint32_t mode = command.color ? set_color(out, list, *command.color) : 0;
  if (mode == 0 && list.color_modes_size() == 1) mode = list.color_modes(0);
  if (mode == 0 && has(list, present)) mode = present;
  if (mode != 0) {
    out.set_has_color_mode(true);
    out.set_color_mode(mode);
  }
  if (command.effect) {
    out.set_has_effect(true);
    out.set_effect(command.effect->empty() ? std::string(kNoEffect) : *command.effect);
  }
  set_times(out, command.flash, command.transition);
  return out;
}

proto::LightCommand light_off_command(const domains::LightOffCommand& command) {
  proto::LightCommand out;
  out.set_has_state(true);
  set_times(out, command.flash, command.transition);
  return out;
}

}  // namespace hearth::integrations::esphome
