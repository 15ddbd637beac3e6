// SPDX-License-Identifier: Apache-2.0
// The schema template: templates make commands, and read one state topic.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "integrations/mqtt/components/kinds/light_entity.h"

namespace hearth::integrations::mqtt {
namespace {

using domains::ColorMode;

constexpr std::string_view kChannels[] = {"red_template", "green_template", "blue_template"};

domains::LightCapabilities template_light_abilities(const Settings& settings) {
  domains::LightCapabilities can{.modes = {}, .kelvin = kelvin_range(settings)};
  if (settings.has("color_temp_template")) can.modes.insert(ColorMode::color_temp);
  if (settings.has("red_template") && settings.has("green_template") && settings.has("blue_template"))
    can.modes.insert(ColorMode::hs);
  if (can.modes.empty())
    can.modes.insert(settings.has("brightness_template") ? ColorMode::brightness : ColorMode::onoff);
  can.effects = effects_of(settings);
  can.flash = can.transition = true;
  return can;
}

class TemplateLight final : public LightEntity {
 public:
  TemplateLight(EntityHome& home, EntityPlan plan, domains::LightCapabilities can)
      : LightEntity(home, std::move(plan), std::move(can)) {}

 protected:
  void listen_to_all() override {
    listen("state_topic", [this](const core::MqttMessage& message) { receive(message); });
  }
  bool assumes() const override {
    return !settings().has("state_topic") || !settings().has("state_template") || settings().boolean("optimistic");
  }
  void send_on(const domains::LightCommand& command) override;
  void send_off(const domains::LightOffCommand& command) override;

 private:
  void receive(const core::MqttMessage& message);
  // The number that the template makes of the message; null if there is no template or no number.
  std::optional<double> number(std::string_view key, const core::MqttMessage& message);
};

std::optional<double> TemplateLight::number(std::string_view key, const core::MqttMessage& message) {
  if (!settings().has(key)) return {};
  const auto text = rendered(key, message);
  if (!text || text->empty() || *text == "None") return {};
  const auto found = base::parse_number(*text);
  if (!found) complain(key, fmt::format("expected a number, got {}", base::utf8_excerpt(base::utf8_repaired(*text))));
  return found;
}

void TemplateLight::receive(const core::MqttMessage& message) {
  domains::LightState next = state();
  if (settings().has("state_template")) {
    const auto text = rendered("state_template", message);
    if (!text || text->empty()) return;
    heard();
    if (*text == "None") return report_unknown();
    if (*text != "on" && *text != "off")
      return complain("state_template",
                      fmt::format("expected on or off, got {}", base::utf8_excerpt(base::utf8_repaired(*text))));
    next.on = *text == "on";
  } else {
    heard();
  }
  if (const auto level = number("brightness_template", message)) {
    if (*level > 0) next.brightness = static_cast<int>(std::lround(std::min(*level, 255.0)));
  }
  if (const auto white = number("color_temp_template", message); white && *white > 0)
    next.color = domains::ColorTemperature{kelvin_of(settings(), *white)};
  std::array<std::optional<double>, 3> channels;
  for (std::size_t i = 0; i < 3; ++i) channels[i] = number(kChannels[i], message);
  if (channels[0] && channels[1] && channels[2] && can().has(ColorMode::hs)) {
    const auto byte = [](double value) { return static_cast<int>(std::lround(std::clamp(value, 0.0, 255.0))); };
    next.color =
        domains::to_hs(domains::RgbColor{byte(*channels[0]), byte(*channels[1]), byte(*channels[2])}, can().kelvin);
  }
  if (settings().has("effect_template")) {
    const auto effect = rendered("effect_template", message);
    if (effect && !effect->empty()) next.effect = *effect == "None" ? std::string() : *effect;
  }
  report(next);
}

void TemplateLight::send_on(const domains::LightCommand& command) {
  using templates::Value;
  templates::Variables variables{{"state", true}};
  if (command.brightness) variables.emplace_back("brightness", *command.brightness);
  if (command.color) {
    if (const auto* const white = std::get_if<domains::ColorTemperature>(&*command.color)) {
      variables.emplace_back("color_temp", static_cast<std::int64_t>(device_temperature(settings(), white->kelvin)));
    } else if (const auto* const hs = std::get_if<domains::HsColor>(&*command.color)) {
      const domains::RgbColor rgb = domains::to_rgb(*hs, can().kelvin);
      // A lamp whose brightness has no template has it in its colour.
      const int by = settings().has("brightness_template") ? 255 : command.brightness.value_or(state().brightness);
      const auto dimmed = [by](int value) { return static_cast<std::int64_t>(std::lround(value * by / 255.0)); };
      variables.emplace_back("red", dimmed(rgb.red));
      variables.emplace_back("green", dimmed(rgb.green));
      variables.emplace_back("blue", dimmed(rgb.blue));
      variables.emplace_back("hue", hs->hue);
      variables.emplace_back("sat", hs->saturation);
    }
  }
  if (command.effect) variables.emplace_back("effect", *command.effect);
  if (command.flash) variables.emplace_back("flash", *command.flash == domains::Flash::brief ? "short" : "long");
  if (command.transition) variables.emplace_back("transition", static_cast<double>(command.transition->count()) / 1e6);
  send("command_topic", "command_on_template", std::string(), std::move(variables));
}

void TemplateLight::send_off(const domains::LightOffCommand& command) {
  templates::Variables variables{{"state", false}};
  if (command.transition) variables.emplace_back("transition", static_cast<double>(command.transition->count()) / 1e6);
  send("command_topic", "command_off_template", std::string(), std::move(variables));
}

}  // namespace

std::unique_ptr<MqttEntity> make_template_light(EntityHome& home, EntityPlan plan) {
  auto can = template_light_abilities(plan.settings);
  return std::make_unique<TemplateLight>(home, std::move(plan), std::move(can));
}

}  // namespace hearth::integrations::mqtt
