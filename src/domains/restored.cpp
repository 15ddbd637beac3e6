// SPDX-License-Identifier: Apache-2.0
#include "domains/restored.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth::domains {
namespace {

// Reads the attributes of a state by type.
class Attributes {
 public:
  explicit Attributes(const core::State& state) : object_(state.attributes()) {}

  std::optional<double> number(std::string_view key) const {
    return number_in(object_.if_contains(key), -kBeyondAnyHome, kBeyondAnyHome);
  }
  std::optional<int> integer(std::string_view key, int min, int max) const {
    const auto value = number_in(object_.if_contains(key), min, max);
    if (!value) return {};
    return static_cast<int>(std::lround(*value));
  }
  std::optional<std::string> text(std::string_view key) const {
    const json::value* value = object_.if_contains(key);
    if (!value || !value->is_string()) return {};
    return std::string(value->get_string());
  }
  // True if there is a list with this text.
  bool lists(std::string_view key, std::string_view text) const {
    const json::value* value = object_.if_contains(key);
    return value && value->is_array() &&
           std::ranges::find(value->get_array(), json::value(text)) != value->get_array().end();
  }
  // A list of as many numbers as bounds, each from 0 to its bound.
  template <std::size_t N>
  std::optional<std::array<double, N>> numbers(std::string_view key, const std::array<double, N>& bounds) const {
    const json::value* value = object_.if_contains(key);
    if (!value || !value->is_array() || value->get_array().size() != N) return {};
    std::array<double, N> list;
    for (std::size_t i = 0; i < N; ++i) {
      const auto element = number_in(&value->get_array()[i], 0, bounds[i]);
      if (!element) return {};
      list[i] = *element;
    }
    return list;
  }

 private:
  static constexpr double kBeyondAnyHome = 1e6;

  static std::optional<double> number_in(const json::value* value, double min, double max) {
    if (!value || !value->is_number()) return {};
    const auto number = value->to_number<double>();
    if (number < min || number > max) return {};
    return number;
  }

  json::object object_;
};

template <class T>
void take(T& to, const auto& from) {
  if (from) to = *from;
}

int rounded(double value) {
  return static_cast<int>(std::lround(value));
}

// In the mode that the lamp showed.
std::optional<LightColor> color(const Attributes& last) {
  const std::string mode = last.text("color_mode").value_or("");
  if (mode == to_string(ColorMode::color_temp)) {
    if (const auto kelvin = last.integer("color_temp_kelvin", 1'000, 40'000)) return ColorTemperature{*kelvin};
  } else if (mode == to_string(ColorMode::hs)) {
    if (const auto c = last.numbers<2>("hs_color", {360, 100})) return HsColor{(*c)[0], (*c)[1]};
  } else if (mode == to_string(ColorMode::xy)) {
    if (const auto c = last.numbers<2>("xy_color", {1, 1})) return XyColor{(*c)[0], (*c)[1]};
  } else if (mode == to_string(ColorMode::rgb)) {
    if (const auto c = last.numbers<3>("rgb_color", {255, 255, 255}))
      return RgbColor{rounded((*c)[0]), rounded((*c)[1]), rounded((*c)[2])};
  } else if (mode == to_string(ColorMode::rgbw)) {
    if (const auto c = last.numbers<4>("rgbw_color", {255, 255, 255, 255})) {
      return RgbwColor{rounded((*c)[0]), rounded((*c)[1]), rounded((*c)[2]), rounded((*c)[3])};
    }
  } else if (mode == to_string(ColorMode::rgbww)) {
    if (const auto c = last.numbers<5>("rgbww_color", {255, 255, 255, 255, 255})) {
      return RgbwwColor{rounded((*c)[0]), rounded((*c)[1]), rounded((*c)[2]), rounded((*c)[3]), rounded((*c)[4])};
    }
  } else if (mode == to_string(ColorMode::white)) {
    return WhiteChannel{};
  }
  return {};
}

}  // namespace

LightState restored(LightState first, const core::State& last) {
  if (last.value() == "on" || last.value() == "off") first.on = last.value() == "on";
  if (!first.on) return first;  // a lamp that is off does not show its colour
  const Attributes attributes(last);
  take(first.brightness, attributes.integer("brightness", 1, 255));
  if (auto shown = color(attributes)) first.color = std::move(shown);
  first.effect = attributes.text("effect").value_or("");
  return first;
}

ClimateState restored(ClimateState first, const core::State& last) {
  const Attributes attributes(last);
  if (attributes.lists("hvac_modes", last.value())) first.mode = last.value();
  if (const auto action = attributes.text("hvac_action")) {
    for (const HvacAction each : {HvacAction::off, HvacAction::preheating, HvacAction::heating, HvacAction::cooling,
                                  HvacAction::drying, HvacAction::fan, HvacAction::idle, HvacAction::defrosting}) {
      if (to_string(each) == *action) first.action = each;
    }
  }
  const auto take_number = [&](std::optional<double>& to, std::string_view key) {
    if (const auto value = attributes.number(key)) to = value;
  };
  take_number(first.current_temperature, "current_temperature");
  take_number(first.temperature, "temperature");
  take_number(first.temperature_low, "target_temp_low");
  take_number(first.temperature_high, "target_temp_high");
  take_number(first.current_humidity, "current_humidity");
  if (const auto humidity = attributes.integer("humidity", 0, 100)) first.humidity = humidity;
  take(first.preset, attributes.text("preset_mode"));
  take(first.fan_mode, attributes.text("fan_mode"));
  take(first.swing_mode, attributes.text("swing_mode"));
  take(first.swing_horizontal_mode, attributes.text("swing_horizontal_mode"));
  return first;
}

}  // namespace hearth::domains
