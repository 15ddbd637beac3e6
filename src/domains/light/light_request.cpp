// SPDX-License-Identifier: Apache-2.0
#include "domains/light/light_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hearth::domains {
namespace {

struct Profile {
  std::string_view name;
  XyColor color;
  int brightness;
};

constexpr Profile kProfiles[] = {
    {"relax", {0.5119, 0.4147}, 144},
    {"concentrate", {0.5119, 0.4147}, 219},
    {"energize", {0.368, 0.3686}, 203},
    {"reading", {0.4448, 0.4066}, 240},
};

// The only one present of a group of exclusive fields, or null.
base::Result<const json::key_value_pair*> only_one(const json::object& data,
                                                   std::initializer_list<std::string_view> group,
                                                   std::string_view what) {
  const json::key_value_pair* found = nullptr;
  for (const std::string_view key : group) {
    const auto it = data.find(key);
    if (it == data.end()) continue;
    if (found) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("{}, {}: only one {} per call", std::string_view(found->key()), key, what));
    }
    found = &*it;
  }
  return found;
}

// Halves round to even, as callers expect.
int from_percent(double percent) {
  return static_cast<int>(std::nearbyint(percent * 255 / 100));
}

base::Result<LightColor> parse_color(std::string_view key, const json::value& value) {
  const auto number = [&](std::size_t i) { return value.get_array()[i].get_double(); };
  const auto step = [&](std::size_t i) { return static_cast<int>(std::lround(number(i))); };
  if (key == "rgb_color") return RgbColor{step(0), step(1), step(2)};
  if (key == "rgbw_color") return RgbwColor{step(0), step(1), step(2), step(3)};
  if (key == "rgbww_color") return RgbwwColor{step(0), step(1), step(2), step(3), step(4)};
  if (key == "hs_color") return HsColor{number(0), number(1)};
  if (key == "xy_color") return XyColor{number(0), number(1)};
  if (key == "color_temp_kelvin" || key == "kelvin") return ColorTemperature{static_cast<int>(value.get_int64())};
  if (key == "color_temp") return ColorTemperature{mired_to_kelvin(value.get_double())};
  if (const auto color = parse_color_name(value.get_string())) return *color;
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("color_name: expected a CSS colour name, got {}", base::to_json(value).substr(0, 100)));
}

LightRequest::Brightness parse_brightness(std::string_view key, const json::value& value) {
  if (key == "brightness") return {false, static_cast<int>(value.get_int64())};
  if (key == "brightness_pct") return {false, from_percent(value.get_double())};
  if (key == "brightness_step") return {true, static_cast<int>(value.get_int64())};
  return {true, from_percent(value.get_double())};
}

// The colour in a mode of the lamp: its own, otherwise one that shows it exactly, otherwise the nearest white; null if
// it has neither.
std::optional<LightColor> in_mode_of_lamp(const LightColor& color, const LightCapabilities& lamp) {
  const ColorMode own = mode_of(color);
  for (const ColorMode mode :
       {own, ColorMode::rgbww, ColorMode::rgbw, ColorMode::rgb, ColorMode::hs, ColorMode::xy, ColorMode::color_temp}) {
    if (lamp.has(mode)) return convert(color, mode, lamp.kelvin);
  }
  return {};
}

// The white channel if there is one, otherwise white mixed from colours; otherwise the lamp is white already.
std::optional<LightColor> white_of_lamp(const LightCapabilities& lamp) {
  if (lamp.has(ColorMode::white)) return WhiteChannel{};
  if (lamp.has(ColorMode::rgbw)) return RgbwColor{0, 0, 0, 255};
  if (lamp.has(ColorMode::rgbww)) return RgbwwColor{0, 0, 0, 255, 255};
  if (lamp.has(ColorMode::color_temp)) return {};
  for (const ColorMode mode : {ColorMode::rgb, ColorMode::hs, ColorMode::xy}) {
    if (lamp.has(mode)) return convert(RgbColor{255, 255, 255}, mode, lamp.kelvin);
  }
  return {};
}

// REQUIRES: the lamp has effects.
base::Result<std::string> effect_of_lamp(const std::string& effect, std::string_view entity_id,
                                         const LightCapabilities& lamp) {
  if (std::find(lamp.effects.begin(), lamp.effects.end(), effect) != lamp.effects.end()) return effect;
  if (effect == "off" || effect == "none") return std::string();
  return cannot(entity_id, fmt::format("show the effect {}; it has {}", base::to_json(json::value(effect)),
                                       fmt::join(lamp.effects, ", ")));
}

}  // namespace

std::optional<Flash> flash_of_lamp(const LightRequest& request, std::string_view entity_id,
                                   const LightCapabilities& lamp) {
  if (!request.flash || lamp.flash) return request.flash;
  leave_out(entity_id, "flash", "flash");
  return {};
}

base::Result<LightRequest> parse_light_request(const json::object& data) {
  LightRequest request;
  const auto color = only_one(data,
                              {"rgb_color", "rgbw_color", "rgbww_color", "hs_color", "xy_color", "color_name",
                               "color_temp_kelvin", "color_temp", "kelvin", "white", "profile"},
                              "colour");
  if (!color) return std::unexpected(color.error());
  const auto brightness =
      only_one(data, {"brightness", "brightness_pct", "brightness_step", "brightness_step_pct"}, "brightness");
  if (!brightness) return std::unexpected(brightness.error());

  if (const auto* entry = *color) {
    if (entry->key() == "white") {
      request.white = static_cast<int>(entry->value().get_int64());
    } else if (entry->key() == "profile") {
      const auto* profile = std::find_if(std::begin(kProfiles), std::end(kProfiles),
                                         [&](const Profile& p) { return p.name == entry->value().get_string(); });
      request.color = profile->color;
      request.brightness = {false, profile->brightness};
    } else {
      auto parsed = parse_color(entry->key(), entry->value());
      if (!parsed) return std::unexpected(parsed.error());
      request.color = *parsed;
    }
  }
  if (const auto* entry = *brightness) request.brightness = parse_brightness(entry->key(), entry->value());
  if (const auto* effect = data.if_contains("effect")) request.effect = std::string(effect->get_string());
  if (const auto* flash = data.if_contains("flash")) {
    request.flash = flash->get_string() == "short" ? Flash::brief : Flash::extended;
  }
  if (const auto* transition = data.if_contains("transition")) {
    request.transition = base::Duration(std::llround(transition->get_double() * 1e6));
  }
  return request;
}

base::Result<std::optional<LightCommand>> resolve(const LightRequest& request, std::string_view entity_id,
                                                  const LightCapabilities& lamp,
                                                  const std::optional<LightState>& state) {
  LightCommand command{.flash = flash_of_lamp(request, entity_id, lamp), .transition = request.transition};
  std::optional<int> brightness = request.white;
  if (request.brightness) {
    const int from = request.brightness->relative && state && state->on ? state->brightness : 0;
    brightness = std::clamp(from + request.brightness->value, 0, 255);
  }
  if (brightness && !lamp.can_dim() && *brightness > 0) {
    leave_out(entity_id, "the brightness", "be dimmed");
    brightness.reset();
  }
  if (request.white) command.color = white_of_lamp(lamp);
  if (request.color) {
    command.color = in_mode_of_lamp(*request.color, lamp);
    if (!command.color) leave_out(entity_id, "the colour", "change it");
  }
  if (request.effect && lamp.effects.empty()) {
    leave_out(entity_id, "effect", "show effects");
  } else if (request.effect) {
    auto effect = effect_of_lamp(*request.effect, entity_id, lamp);
    if (!effect) return std::unexpected(effect.error());
    command.effect = *effect;
  }
  if (brightness == 0) return std::nullopt;
  command.brightness = brightness;
  return command;
}

}  // namespace hearth::domains
