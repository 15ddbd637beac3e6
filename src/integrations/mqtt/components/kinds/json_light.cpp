// SPDX-License-Identifier: Apache-2.0
// The schema json: states and commands are JSON objects.
#include <fmt/format.h>

#include <cmath>

#include "base/json/json.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "integrations/mqtt/components/kinds/light_entity.h"

namespace hearth::integrations::mqtt {
namespace {

using domains::ColorMode;

constexpr ColorMode kModes[] = {ColorMode::onoff, ColorMode::brightness, ColorMode::color_temp,
                                ColorMode::hs,    ColorMode::xy,         ColorMode::rgb,
                                ColorMode::rgbw,  ColorMode::rgbww,      ColorMode::white};

std::optional<ColorMode> parse_mode(std::string_view name) {
  for (const ColorMode mode : kModes) {
    if (domains::to_string(mode) == name) return mode;
  }
  return {};
}

domains::LightCapabilities json_light_abilities(const Settings& settings) {
  domains::LightCapabilities can{.modes = {}};
  for (const json::value& each : settings.texts("supported_color_modes")) {
    if (const auto mode = parse_mode(each.get_string())) can.modes.insert(*mode);
  }
  // The keys of old devices.
  if (settings.boolean("color_temp")) can.modes.insert(ColorMode::color_temp);
  if (settings.boolean("hs")) can.modes.insert(ColorMode::hs);
  if (settings.boolean("rgb") || settings.boolean("xy"))
    can.modes.insert(settings.boolean("xy") ? ColorMode::xy : ColorMode::rgb);
  if (can.modes.size() > 1) {
    can.modes.erase(ColorMode::onoff);
    can.modes.erase(ColorMode::brightness);
  }
  if (can.modes.empty()) can.modes.insert(settings.boolean("brightness") ? ColorMode::brightness : ColorMode::onoff);
  can.kelvin = kelvin_range(settings);
  if (settings.boolean("effect")) can.effects = effects_of(settings);
  can.flash = settings.boolean("flash");
  can.transition = settings.boolean("transition");
  return can;
}

// The numbers of an object by these names; null if one is missing or no number.
template <std::size_t kCount>
std::optional<std::array<double, kCount>> numbers(const json::object& object,
                                                  const std::array<std::string_view, kCount>& names) {
  std::array<double, kCount> found{};
  for (std::size_t i = 0; i < kCount; ++i) {
    const json::value* const value = object.if_contains(names[i]);
    const auto number = value ? base::parse_number(printed(*value)) : std::nullopt;
    if (!number) return {};
    found[i] = *number;
  }
  return found;
}

int channel(double number) {
  return static_cast<int>(std::clamp(std::lround(number), 0L, 255L));
}

std::optional<domains::LightColor> color_of(ColorMode mode, const json::object& color) {
  switch (mode) {
    case ColorMode::hs:
      if (const auto n = numbers<2>(color, {"h", "s"}))
        return domains::HsColor{std::clamp((*n)[0], 0.0, 360.0), std::clamp((*n)[1], 0.0, 100.0)};
      return {};
    case ColorMode::xy:
      if (const auto n = numbers<2>(color, {"x", "y"}))
        return domains::XyColor{std::clamp((*n)[0], 0.0, 1.0), std::clamp((*n)[1], 0.0, 1.0)};
      return {};
    case ColorMode::rgb:
      if (const auto n = numbers<3>(color, {"r", "g", "b"}))
        return domains::RgbColor{channel((*n)[0]), channel((*n)[1]), channel((*n)[2])};
      return {};
    case ColorMode::rgbw:
      if (const auto n = numbers<4>(color, {"r", "g", "b", "w"}))
        return domains::RgbwColor{channel((*n)[0]), channel((*n)[1]), channel((*n)[2]), channel((*n)[3])};
      return {};
    case ColorMode::rgbww:
      if (const auto n = numbers<5>(color, {"r", "g", "b", "c", "w"}))
        return domains::RgbwwColor{channel((*n)[0]), channel((*n)[1]), channel((*n)[2]), channel((*n)[3]),
                                   channel((*n)[4])};
      return {};
    default:
      return {};
  }
}

bool has_channels(const domains::LightColor& color) {
  const ColorMode mode = domains::mode_of(color);
  return mode == ColorMode::rgb || mode == ColorMode::rgbw || mode == ColorMode::rgbww;
}

// Colours with channels only; others stay as they are.
domains::LightColor dimmed(domains::LightColor color, int brightness) {
  const auto scale = [brightness](auto&... channels) {
    ((channels = static_cast<int>(std::lround(channels * brightness / 255.0))), ...);
  };
  if (auto* const rgb = std::get_if<domains::RgbColor>(&color))
    scale(rgb->red, rgb->green, rgb->blue);
  else if (auto* const rgbw = std::get_if<domains::RgbwColor>(&color))
    scale(rgbw->red, rgbw->green, rgbw->blue, rgbw->white);
  else if (auto* const rgbww = std::get_if<domains::RgbwwColor>(&color))
    scale(rgbww->red, rgbww->green, rgbww->blue, rgbww->cold_white, rgbww->warm_white);
  return color;
}

double rounded(double number) {
  return std::round(number * 1000) / 1000;
}

json::value number_value(double number) {
  if (number == std::trunc(number)) return static_cast<std::int64_t>(number);
  return number;
}

class JsonLight final : public LightEntity {
 public:
  JsonLight(EntityHome& home, EntityPlan plan, domains::LightCapabilities can)
      : LightEntity(home, std::move(plan), std::move(can)) {}

 protected:
  void listen_to_all() override {
    listen("state_topic", [this](const core::MqttMessage& message) { receive(message); });
  }
  bool assumes() const override { return !settings().has("state_topic") || settings().boolean("optimistic"); }
  void send_on(const domains::LightCommand& command) override;
  void send_off(const domains::LightOffCommand& command) override;

 private:
  void receive(const core::MqttMessage& message);
  void receive_color(const json::object& object, domains::LightState& next);
  void add_color(json::object& message, const domains::LightColor& color, std::optional<int> brightness) const;
  void add_flash(json::object& message, std::optional<domains::Flash> flash,
                 std::optional<base::Duration> transition) const;
  void wrong(std::string_view key, const json::value& value) {
    complain("state_topic", fmt::format("{}: {} is not expected", key, base::utf8_excerpt(base::to_json(value))));
  }
};

void JsonLight::receive(const core::MqttMessage& message) {
  const json::value* const parsed = message.json();
  if (!parsed || !parsed->is_object()) {
    return complain("state_topic", fmt::format("expected a JSON object, got {}",
                                               base::utf8_excerpt(base::utf8_repaired(message.payload()))));
  }
  const json::object& object = parsed->get_object();
  heard();
  domains::LightState next = state();
  if (const json::value* const value = object.if_contains("state")) {
    if (value->is_null()) return report_unknown();
    if (*value == json::value("ON"))
      next.on = true;
    else if (*value == json::value("OFF"))
      next.on = false;
    else
      return wrong("state", *value);
  }
  if (const json::value* const value = object.if_contains("brightness");
      value && !value->is_null() && can().can_dim()) {
    const auto number = base::parse_number(printed(*value));
    if (!number) return wrong("brightness", *value);
    if (const auto brightness = brightness_of(*number)) next.brightness = *brightness;
  }
  receive_color(object, next);
  if (const json::value* const value = object.if_contains("effect"); value && !can().effects.empty()) {
    next.effect = value->is_string() ? std::string(value->get_string()) : std::string();
    if (next.effect == "none" || next.effect == "None") next.effect.clear();
  }
  report(next);
}

void JsonLight::receive_color(const json::object& object, domains::LightState& next) {
  const json::value* const named = object.if_contains("color_mode");
  const json::value* const temperature = object.if_contains("color_temp");
  const json::value* const color = object.if_contains("color");
  const auto kelvin = temperature ? base::parse_number(printed(*temperature)) : std::nullopt;
  if (named && named->is_string()) {
    const auto mode = parse_mode(named->get_string());
    if (!mode || !can().has(*mode)) return wrong("color_mode", *named);
    if (*mode == ColorMode::color_temp) {
      if (kelvin) next.color = domains::ColorTemperature{kelvin_of(settings(), *kelvin)};
    } else if (*mode == ColorMode::white) {
      next.color = domains::WhiteChannel{};
    } else if (color && color->is_object()) {
      if (const auto parsed = color_of(*mode, color->get_object())) next.color = *parsed;
    } else if (*mode == ColorMode::onoff || *mode == ColorMode::brightness) {
      next.color.reset();
    }
    return;
  }
  // Without a mode, what the message has tells it.
  if (color && color->is_object()) {
    for (const ColorMode mode : {ColorMode::rgbww, ColorMode::rgbw, ColorMode::rgb, ColorMode::xy, ColorMode::hs}) {
      const auto parsed = can().has(mode) ? color_of(mode, color->get_object()) : std::nullopt;
      if (!parsed) continue;
      next.color = *parsed;
      return;
    }
    for (const ColorMode mode : {ColorMode::rgb, ColorMode::xy, ColorMode::hs}) {
      const auto parsed = color_of(mode, color->get_object());
      if (!parsed) continue;
      for (const ColorMode own : {ColorMode::rgb, ColorMode::hs, ColorMode::xy}) {
        if (!can().has(own)) continue;
        next.color = domains::convert(*parsed, own, can().kelvin);
        return;
      }
    }
  }
  if (kelvin && can().has(ColorMode::color_temp))
    next.color = domains::ColorTemperature{kelvin_of(settings(), *kelvin)};
}

void JsonLight::add_color(json::object& message, const domains::LightColor& color,
                          std::optional<int> brightness) const {
  if (const auto* const hs = std::get_if<domains::HsColor>(&color)) {
    message["color"] = {{"h", number_value(rounded(hs->hue))}, {"s", number_value(rounded(hs->saturation))}};
  } else if (const auto* const xy = std::get_if<domains::XyColor>(&color)) {
    message["color"] = {{"x", rounded(xy->x)}, {"y", rounded(xy->y)}};
  } else if (const auto* const rgb = std::get_if<domains::RgbColor>(&color)) {
    message["color"] = {{"r", rgb->red}, {"g", rgb->green}, {"b", rgb->blue}};
  } else if (const auto* const rgbw = std::get_if<domains::RgbwColor>(&color)) {
    message["color"] = {{"r", rgbw->red}, {"g", rgbw->green}, {"b", rgbw->blue}, {"w", rgbw->white}};
  } else if (const auto* const rgbww = std::get_if<domains::RgbwwColor>(&color)) {
    message["color"] = {
        {"r", rgbww->red}, {"g", rgbww->green}, {"b", rgbww->blue}, {"c", rgbww->cold_white}, {"w", rgbww->warm_white}};
  } else if (const auto* const white = std::get_if<domains::ColorTemperature>(&color)) {
    message["color_temp"] = number_value(device_temperature(settings(), white->kelvin));
  } else {
    const double scale = settings().number("white_scale");
    const double level = std::round(brightness.value_or(state().brightness) * scale / 255);
    message["white"] = number_value(std::max(std::min(level, scale), 1.0));
  }
}

void JsonLight::add_flash(json::object& message, std::optional<domains::Flash> flash,
                          std::optional<base::Duration> transition) const {
  if (flash) {
    const bool brief = *flash == domains::Flash::brief;
    message["flash"] = number_value(settings().number(brief ? "flash_time_short" : "flash_time_long"));
  }
  if (transition) message["transition"] = number_value(static_cast<double>(transition->count()) / 1e6);
}

void JsonLight::send_on(const domains::LightCommand& command) {
  json::object message{{"state", "ON"}};
  add_flash(message, command.flash, command.transition);
  const bool white = command.color && std::holds_alternative<domains::WhiteChannel>(*command.color);
  // A lamp that does not say that it knows the key has its brightness in the channels of its colour.
  const bool knows_brightness = settings().boolean("brightness") || can().has(ColorMode::brightness);
  const auto& color = command.color || knows_brightness || !command.brightness ? command.color : state().color;
  if (command.color || (color && has_channels(*color)))
    add_color(message, knows_brightness ? *color : dimmed(*color, command.brightness.value_or(255)),
              command.brightness);
  if (command.brightness && !white && knows_brightness)
    message["brightness"] = number_value(scaled(*command.brightness));
  if (command.effect) message["effect"] = command.effect->empty() ? std::string("none") : *command.effect;
  send("command_topic", base::to_json(message));
}

void JsonLight::send_off(const domains::LightOffCommand& command) {
  json::object message{{"state", "OFF"}};
  add_flash(message, command.flash, command.transition);
  send("command_topic", base::to_json(message));
}

}  // namespace

std::unique_ptr<MqttEntity> make_json_light(EntityHome& home, EntityPlan plan) {
  auto can = json_light_abilities(plan.settings);
  return std::make_unique<JsonLight>(home, std::move(plan), std::move(can));
}

}  // namespace hearth::integrations::mqtt
