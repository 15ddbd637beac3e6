// SPDX-License-Identifier: Apache-2.0
// The default schema: a topic for each property.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "integrations/mqtt/components/kinds/light_entity.h"

namespace hearth::integrations::mqtt {
namespace {

using domains::ColorMode;

// The topics of one kind of colour: <name>_command_topic and so on.
struct ColorTopics {
  ColorMode mode;
  std::string_view command, command_template, state, value_template;
  std::size_t numbers;
};
constexpr ColorTopics kColors[] = {
    {ColorMode::hs, "hs_command_topic", "hs_command_template", "hs_state_topic", "hs_value_template", 2},
    {ColorMode::rgb, "rgb_command_topic", "rgb_command_template", "rgb_state_topic", "rgb_value_template", 3},
    {ColorMode::rgbw, "rgbw_command_topic", "rgbw_command_template", "rgbw_state_topic", "rgbw_value_template", 4},
    {ColorMode::rgbww, "rgbww_command_topic", "rgbww_command_template", "rgbww_state_topic", "rgbww_value_template", 5},
    {ColorMode::xy, "xy_command_topic", "xy_command_template", "xy_state_topic", "xy_value_template", 2},
};

domains::LightCapabilities basic_light_abilities(const Settings& settings) {
  domains::LightCapabilities can{.modes = {}, .kelvin = kelvin_range(settings)};
  for (const ColorTopics& color : kColors) {
    if (settings.has(color.command)) can.modes.insert(color.mode);
  }
  if (settings.has("color_temp_command_topic")) can.modes.insert(ColorMode::color_temp);
  if (settings.has("white_command_topic") && !can.modes.empty()) can.modes.insert(ColorMode::white);
  if (can.modes.empty()) {
    const bool dims = settings.has_any("brightness_command_topic white_command_topic");
    can.modes.insert(dims ? ColorMode::brightness : ColorMode::onoff);
  }
  if (settings.has("effect_command_topic")) can.effects = effects_of(settings);
  return can;
}

// "255,100,0" as numbers; null if it is something else.
std::optional<std::array<double, 5>> parse_numbers(std::string_view text, std::size_t count) {
  std::array<double, 5> numbers{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto comma = text.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == count)) return {};
    const auto number = base::parse_number(text.substr(0, comma));
    if (!number || *number < 0) return {};
    numbers[i] = *number;
    if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  }
  return numbers;
}

int channel_of(double number) {
  return static_cast<int>(std::lround(std::min(number, 255.0)));
}

domains::LightColor color_from(ColorMode mode, const std::array<double, 5>& n) {
  if (mode == ColorMode::hs) return domains::HsColor{std::min(n[0], 360.0), std::min(n[1], 100.0)};
  if (mode == ColorMode::xy) return domains::XyColor{std::min(n[0], 1.0), std::min(n[1], 1.0)};
  if (mode == ColorMode::rgb) return domains::RgbColor{channel_of(n[0]), channel_of(n[1]), channel_of(n[2])};
  if (mode == ColorMode::rgbw)
    return domains::RgbwColor{channel_of(n[0]), channel_of(n[1]), channel_of(n[2]), channel_of(n[3])};
  return domains::RgbwwColor{channel_of(n[0]), channel_of(n[1]), channel_of(n[2]), channel_of(n[3]), channel_of(n[4])};
}

class BasicLight final : public LightEntity {
 public:
  BasicLight(EntityHome& home, EntityPlan plan, domains::LightCapabilities can)
      : LightEntity(home, std::move(plan), std::move(can)) {}

 protected:
  void listen_to_all() override;
  bool assumes() const override { return !settings().has("state_topic") || settings().boolean("optimistic"); }
  void send_on(const domains::LightCommand& command) override;
  void send_off(const domains::LightOffCommand& command) override;

 private:
  // Calls receive(text) for each message that is not to be ignored.
  template <class Take>
  void read(std::string_view topic, std::string_view value_template, Take receive);
  void wrong(std::string_view topic, std::string_view expected, std::string_view text) {
    complain(topic, fmt::format("expected {}, got {}", expected, base::utf8_excerpt(base::utf8_repaired(text))));
  }
  void receive_state(const std::string& text);
  void receive_color(const ColorTopics& topics, const std::string& text);
  void receive_mode(const std::string& text);
  void send_color(const domains::LightColor& color, std::optional<int> brightness);
  void send_brightness_as_color(int brightness);
};

template <class Take>
void BasicLight::read(std::string_view topic, std::string_view value_template, Take receive) {
  if (settings().broken(value_template)) return;
  listen(topic, [this, value_template, receive](const core::MqttMessage& message) {
    const auto text = rendered(value_template, message);
    if (!text || text->empty()) return;
    heard();
    if (*text != "None") receive(*text);
  });
}

void BasicLight::listen_to_all() {
  // Colours come first: they are there when the state says on.
  for (const ColorTopics& color : kColors) {
    read(color.state, color.value_template, [this, &color](const std::string& text) { receive_color(color, text); });
  }
  read("color_temp_state_topic", "color_temp_value_template", [this](const std::string& text) {
    const auto number = base::parse_number(text);
    if (!number || *number <= 0) return wrong("color_temp_state_topic", "a number", text);
    domains::LightState next = state();
    if (can().has(ColorMode::color_temp)) next.color = domains::ColorTemperature{kelvin_of(settings(), *number)};
    report_property(next);
  });
  read("color_mode_state_topic", "color_mode_value_template", [this](const std::string& text) { receive_mode(text); });
  read("brightness_state_topic", "brightness_value_template", [this](const std::string& text) {
    const auto number = base::parse_number(text);
    if (!number) return wrong("brightness_state_topic", "a number", text);
    domains::LightState next = state();
    if (const auto brightness = brightness_of(*number)) next.brightness = *brightness;
    report_property(next);
  });
  read("effect_state_topic", "effect_value_template", [this](const std::string& text) {
    domains::LightState next = state();
    next.effect = text;
    report_property(next);
  });
  if (settings().broken("state_value_template")) return;
  listen("state_topic", [this](const core::MqttMessage& message) {
    const auto text = rendered("state_value_template", message);
    if (!text || text->empty()) return;
    heard();
    receive_state(*text);
  });
}

void BasicLight::receive_state(const std::string& text) {
  domains::LightState next = state();
  if (text == "None") return report_unknown();
  if (text == settings().text("payload_on"))
    next.on = true;
  else if (text == settings().text("payload_off"))
    next.on = false;
  else
    return wrong("state_topic", fmt::format("{} or {}", settings().text("payload_on"), settings().text("payload_off")),
                 text);
  report(next);
}

void BasicLight::receive_color(const ColorTopics& topics, const std::string& text) {
  const auto numbers = parse_numbers(text, topics.numbers);
  if (!numbers) return wrong(topics.state, fmt::format("{} numbers with commas", topics.numbers), text);
  if (!can().has(topics.mode)) return;
  domains::LightState next = state();
  next.color = color_from(topics.mode, *numbers);
  // Without a topic for it, the brightest channel is the brightness.
  const bool has_channels =
      topics.mode == ColorMode::rgb || topics.mode == ColorMode::rgbw || topics.mode == ColorMode::rgbww;
  if (has_channels && !settings().has("brightness_state_topic") && !settings().has("color_mode_state_topic")) {
    auto channels = *numbers;
    const double brightest = *std::ranges::max_element(channels);
    if (brightest <= 0) return;
    for (double& level : channels) level = level * 255 / brightest;
    next.brightness = std::max(channel_of(brightest), 1);
    next.color = color_from(topics.mode, channels);
  }
  report_property(next);
}

void BasicLight::receive_mode(const std::string& text) {
  domains::LightState next = state();
  if (text == "white" && can().has(ColorMode::white)) next.color = domains::WhiteChannel{};
  if (text == "brightness" || text == "onoff") next.color.reset();
  if (text == "color_temp" && can().has(ColorMode::color_temp) &&
      !(next.color && std::holds_alternative<domains::ColorTemperature>(*next.color)))
    next.color = domains::ColorTemperature{can().kelvin.min};
  report_property(next);
}

void BasicLight::send_color(const domains::LightColor& color, std::optional<int> brightness) {
  using templates::Value;
  const auto join = [](std::initializer_list<double> numbers) {
    std::string text;
    for (const double number : numbers)
      text += (text.empty() ? "" : ",") + number_text(std::round(number * 1000) / 1000);
    return text;
  };
  // A lamp without a topic for its brightness has it in its colour.
  const bool scales = !settings().has("brightness_command_topic");
  const int by = scales ? brightness.value_or(state().brightness) : 255;
  const auto dimmed = [&](int value) { return std::int64_t{value * by / 255}; };
  if (const auto* const hs = std::get_if<domains::HsColor>(&color)) {
    send("hs_command_topic", "hs_command_template", join({hs->hue, hs->saturation}),
         {{"hue", hs->hue}, {"sat", hs->saturation}});
  } else if (const auto* const xy = std::get_if<domains::XyColor>(&color)) {
    send("xy_command_topic", "xy_command_template", join({xy->x, xy->y}), {{"x", xy->x}, {"y", xy->y}});
  } else if (const auto* const rgb = std::get_if<domains::RgbColor>(&color)) {
    const std::int64_t red = dimmed(rgb->red), green = dimmed(rgb->green), blue = dimmed(rgb->blue);
    send("rgb_command_topic", "rgb_command_template", fmt::format("{},{},{}", red, green, blue),
         {{"red", red}, {"green", green}, {"blue", blue}});
  } else if (const auto* const rgbw = std::get_if<domains::RgbwColor>(&color)) {
    const std::int64_t red = dimmed(rgbw->red), green = dimmed(rgbw->green), blue = dimmed(rgbw->blue),
                       white = dimmed(rgbw->white);
    send("rgbw_command_topic", "rgbw_command_template", fmt::format("{},{},{},{}", red, green, blue, white),
         {{"red", red}, {"green", green}, {"blue", blue}, {"white", white}});
  } else if (const auto* const rgbww = std::get_if<domains::RgbwwColor>(&color)) {
    const std::int64_t red = dimmed(rgbww->red), green = dimmed(rgbww->green), blue = dimmed(rgbww->blue),
                       cold = dimmed(rgbww->cold_white), warm = dimmed(rgbww->warm_white);
    send("rgbww_command_topic", "rgbww_command_template", fmt::format("{},{},{},{},{}", red, green, blue, cold, warm),
         {{"red", red}, {"green", green}, {"blue", blue}, {"cold_white", cold}, {"warm_white", warm}});
  } else if (const auto* const white = std::get_if<domains::ColorTemperature>(&color)) {
    send("color_temp_command_topic", "color_temp_command_template", device_temperature(settings(), white->kelvin));
  } else {
    const int level = brightness.value_or(state().brightness);
    send("white_command_topic", number_text(std::round(level * settings().number("white_scale") / 255)));
  }
}

// By the channels of the present colour, or of white.
void BasicLight::send_brightness_as_color(int brightness) {
  for (const domains::LightColor& full : {domains::LightColor(domains::RgbColor{255, 255, 255}),
                                          domains::LightColor(domains::RgbwColor{255, 255, 255, 255}),
                                          domains::LightColor(domains::RgbwwColor{255, 255, 255, 255, 255})}) {
    if (!can().has(domains::mode_of(full))) continue;
    const auto& present = state().color;
    return send_color(present && present->index() == full.index() ? *present : full, brightness);
  }
}

void BasicLight::send_on(const domains::LightCommand& command) {
  const std::string_view type = settings().text("on_command_type");
  std::string on(settings().text("payload_on"));
  std::optional<int> brightness = command.brightness;
  if (type == "first") send("command_topic", on);
  const bool white = command.color && std::holds_alternative<domains::WhiteChannel>(*command.color);
  if (type == "brightness" && !brightness && !white) brightness = state().brightness;
  // The temperature comes after the brightness, which may switch the lamp on.
  const bool warm = command.color && std::holds_alternative<domains::ColorTemperature>(*command.color);
  if (command.color && !warm)
    send_color(*command.color, brightness);
  else if (!command.color && brightness && !settings().has("brightness_command_topic"))
    send_brightness_as_color(*brightness);
  if (brightness && !white && settings().has("brightness_command_topic"))
    send("brightness_command_topic", "brightness_command_template", scaled(*brightness));
  if (warm) send_color(*command.color, brightness);
  if (command.effect) send("effect_command_topic", "effect_command_template", *command.effect);
  if (type == "last") send("command_topic", on);
}

void BasicLight::send_off(const domains::LightOffCommand&) {
  send("command_topic", std::string(settings().text("payload_off")));
}

}  // namespace

std::unique_ptr<MqttEntity> make_basic_light(EntityHome& home, EntityPlan plan) {
  auto can = basic_light_abilities(plan.settings);
  return std::make_unique<BasicLight>(home, std::move(plan), std::move(can));
}

}  // namespace hearth::integrations::mqtt
