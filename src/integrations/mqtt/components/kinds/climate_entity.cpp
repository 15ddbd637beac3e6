// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/kinds/climate_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "domains/restored.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::string_view kNoPreset = "none", kNone = "None";

std::vector<std::string> names_in(const json::array& list) {
  std::vector<std::string> names;
  for (const json::value& each : list) names.emplace_back(each.get_string());
  return names;
}

double to_celsius(const Settings& settings, double degrees) {
  return settings.text("temperature_unit") == "F" ? std::round((degrees - 32) / 1.8 * 10) / 10 : degrees;
}

domains::ClimateCapabilities climate_abilities(const Settings& settings) {
  domains::ClimateCapabilities can;
  if (settings.has("modes")) {
    can.modes = names_in(settings.texts("modes"));
  } else {
    using Mode = domains::HvacMode;
    can.modes = {Mode::automatic, Mode::off, Mode::cool, Mode::heat, Mode::dry, Mode::fan_only};
  }
  if (can.modes.empty()) can.modes = {domains::HvacMode::off};
  const bool fahrenheit = settings.text("temperature_unit") == "F";
  can.min_temperature = settings.has("min_temp") ? to_celsius(settings, settings.number("min_temp")) : 7;
  can.max_temperature = settings.has("max_temp") ? to_celsius(settings, settings.number("max_temp")) : 35;
  can.temperature_step = fahrenheit ? 0.1 : settings.number("temp_step");
  can.target_temperature = settings.has_any("temperature_command_topic temperature_state_topic");
  can.target_range = settings.has("temperature_low_command_topic") && settings.has("temperature_high_command_topic");
  if (settings.has("preset_mode_command_topic") && settings.has("preset_modes")) {
    can.presets = names_in(settings.texts("preset_modes"));
    std::erase(can.presets, kNoPreset);
    can.presets.insert(can.presets.begin(), std::string(kNoPreset));
  }
  const auto choices = [&](std::string_view topics, std::string_view key, std::vector<std::string> otherwise) {
    const std::string command = fmt::format("{}_command_topic", topics), state = fmt::format("{}_state_topic", topics);
    if (!settings.has(command) && !settings.has(state)) return std::vector<std::string>();
    return settings.has(key) ? names_in(settings.texts(key)) : otherwise;
  };
  can.fan_modes = choices("fan_mode", "fan_modes", {"auto", "low", "medium", "high"});
  can.swing_modes = choices("swing_mode", "swing_modes", {"on", "off"});
  can.swing_horizontal_modes = choices("swing_horizontal_mode", "swing_horizontal_modes", {"on", "off"});
  can.target_humidity = settings.has("target_humidity_command_topic");
  can.min_humidity = static_cast<int>(settings.number("min_humidity"));
  can.max_humidity = static_cast<int>(settings.number("max_humidity"));
  return can;
}

std::optional<domains::HvacAction> parse_action(std::string_view name) {
  using enum domains::HvacAction;
  for (const domains::HvacAction action : {off, preheating, heating, cooling, drying, fan, idle, defrosting}) {
    if (domains::to_string(action) == name) return action;
  }
  return {};
}

}  // namespace

ClimateEntity::ClimateEntity(EntityHome& home, EntityPlan plan, domains::ClimateCapabilities can)
    : MqttEntity(home, std::move(plan)), can_(std::move(can)) {}

double ClimateEntity::celsius(double degrees) const {
  return to_celsius(settings(), degrees);
}

double ClimateEntity::device_degrees(double celsius) const {
  return settings().text("temperature_unit") == "F" ? std::round((celsius * 1.8 + 32) * 10) / 10 : celsius;
}

bool ClimateEntity::assumed(std::string_view state_topic) const {
  return settings().boolean("optimistic") || !settings().has(state_topic);
}

std::unique_ptr<domains::Entity> ClimateEntity::make(domains::EntityInfo info, const core::State* last) {
  auto made = std::make_unique<domains::Climate>(std::move(info), can_, *this);
  climate_ = made.get();
  if (assumed("temperature_state_topic") && can_.target_temperature)
    state_.temperature = celsius(settings().number("initial"));
  if (!can_.presets.empty()) state_.preset = kNoPreset;
  const bool remembered = last && std::ranges::find(can_.modes, last->value()) != can_.modes.end();
  if (remembered) state_ = domains::restored(state_, *last);
  if (remembered || assumed("mode_state_topic")) climate_->report(state_);
  return made;
}

void ClimateEntity::read(std::string_view topic, std::string_view value_template, Take receive) {
  if (settings().broken(value_template)) return;
  listen(topic, [this, topic, value_template, receive = std::move(receive)](const core::MqttMessage& message) {
    const auto text = rendered(value_template, message);
    if (!text || text->empty()) return;
    heard();
    State next = state_;
    if (const std::string expected = receive(*text, next); !expected.empty()) {
      return complain(topic,
                      fmt::format("expected {}, got {}", expected, base::utf8_excerpt(base::utf8_repaired(*text))));
    }
    const bool first = !climate_->state();
    // Its mode is its value: until it is known, the rest waits.
    if (first && topic != "mode_state_topic" && !assumed("mode_state_topic")) {
      state_ = next;
      return;
    }
    if (!first && !must_report() && next == state_) return;
    state_ = next;
    reported();
    climate_->report(state_);
  });
}

void ClimateEntity::read_number(std::string_view topic, std::string_view value_template,
                                std::optional<double> State::* field, bool degrees) {
  read(topic, value_template, [this, field, degrees](const std::string& text, State& next) -> std::string {
    const auto number = base::parse_number(text);
    if (!number && text != kNone) return "a number";
    next.*field = number && degrees ? std::optional(celsius(*number)) : number;
    return {};
  });
}

void ClimateEntity::read_choice(std::string_view topic, std::string_view value_template, std::string State::* field,
                                const std::vector<std::string>& choices) {
  read(topic, value_template, [field, &choices](const std::string& text, State& next) -> std::string {
    if (text != kNone && std::ranges::find(choices, text) == choices.end()) return "one of its modes";
    next.*field = text == kNone ? std::string() : text;
    return {};
  });
}

void ClimateEntity::listen_to_all() {
  read("mode_state_topic", "mode_state_template", [this](const std::string& text, State& next) -> std::string {
    if (std::ranges::find(can_.modes, text) == can_.modes.end()) return "one of modes";
    next.mode = text;
    return {};
  });
  read("action_topic", "action_template", [](const std::string& text, State& next) -> std::string {
    next.action = parse_action(text);
    return next.action || text == kNone ? "" : "an action such as heating";
  });
  read_number("current_temperature_topic", "current_temperature_template", &State::current_temperature, true);
  read_number("current_humidity_topic", "current_humidity_template", &State::current_humidity, false);
  read_number("temperature_state_topic", "temperature_state_template", &State::temperature, true);
  read_number("temperature_low_state_topic", "temperature_low_state_template", &State::temperature_low, true);
  read_number("temperature_high_state_topic", "temperature_high_state_template", &State::temperature_high, true);
  read("target_humidity_state_topic", "target_humidity_state_template",
       [](const std::string& text, State& next) -> std::string {
         const auto number = base::parse_number(text);
         if (!number && text != kNone) return "a number";
         next.humidity =
             number ? std::optional(static_cast<int>(std::lround(std::clamp(*number, 0.0, 100.0)))) : std::nullopt;
         return {};
       });
  if (!can_.presets.empty()) {
    read("preset_mode_state_topic", "preset_mode_value_template",
         [this](const std::string& text, State& next) -> std::string {
           next.preset = text == kNone ? std::string(kNoPreset) : text;
           return std::ranges::find(can_.presets, next.preset) == can_.presets.end() ? "one of preset_modes" : "";
         });
  }
  read_choice("fan_mode_state_topic", "fan_mode_state_template", &State::fan_mode, can_.fan_modes);
  read_choice("swing_mode_state_topic", "swing_mode_state_template", &State::swing_mode, can_.swing_modes);
  read_choice("swing_horizontal_mode_state_topic", "swing_horizontal_mode_state_template",
              &State::swing_horizontal_mode, can_.swing_horizontal_modes);
}

void ClimateEntity::send_number(std::string_view topic, std::string_view command_template, double number) {
  if (settings().has(topic)) send(topic, command_template, number);
}

void ClimateEntity::set(const domains::ClimateCommand& command) {
  commanded(climate_->state() && domains::apply(state_, command) != state_);
  domains::ClimateCommand done;  // what is taken as done
  const auto text = [&](const std::optional<std::string>& value, std::string_view topics,
                        std::optional<std::string> domains::ClimateCommand::* field, std::string_view state_topic) {
    if (!value) return;
    const std::string topic = fmt::format("{}_command_topic", topics);
    if (settings().has(topic)) send(topic, fmt::format("{}_command_template", topics), *value);
    if (assumed(state_topic)) done.*field = value;
  };
  if (command.mode) {
    const bool off = *command.mode == domains::HvacMode::off;
    if (settings().has("power_command_topic") && (off || !climate_->state() || state_.mode == domains::HvacMode::off)) {
      send("power_command_topic", "power_command_template",
           std::string(settings().text(off ? "payload_off" : "payload_on")));
    }
    if (settings().has("mode_command_topic")) send("mode_command_topic", "mode_command_template", *command.mode);
    if (assumed("mode_state_topic")) done.mode = command.mode;
  }
  if (command.temperature) {
    send_number("temperature_command_topic", "temperature_command_template", device_degrees(*command.temperature));
    if (assumed("temperature_state_topic")) done.temperature = command.temperature;
  }
  if (command.temperature_low) {
    send_number("temperature_low_command_topic", "temperature_low_command_template",
                device_degrees(*command.temperature_low));
    if (assumed("temperature_low_state_topic")) done.temperature_low = command.temperature_low;
  }
  if (command.temperature_high) {
    send_number("temperature_high_command_topic", "temperature_high_command_template",
                device_degrees(*command.temperature_high));
    if (assumed("temperature_high_state_topic")) done.temperature_high = command.temperature_high;
  }
  if (command.humidity) {
    send_number("target_humidity_command_topic", "target_humidity_command_template", *command.humidity);
    if (assumed("target_humidity_state_topic")) done.humidity = command.humidity;
  }
  text(command.preset, "preset_mode", &domains::ClimateCommand::preset, "preset_mode_state_topic");
  text(command.fan_mode, "fan_mode", &domains::ClimateCommand::fan_mode, "fan_mode_state_topic");
  text(command.swing_mode, "swing_mode", &domains::ClimateCommand::swing_mode, "swing_mode_state_topic");
  text(command.swing_horizontal_mode, "swing_horizontal_mode", &domains::ClimateCommand::swing_horizontal_mode,
       "swing_horizontal_mode_state_topic");
  const State next = domains::apply(state_, done);
  if (next == state_) return;
  state_ = next;
  reported();
  climate_->report(state_);
}

std::unique_ptr<MqttEntity> make_climate(EntityHome& home, EntityPlan plan) {
  auto can = climate_abilities(plan.settings);
  return std::make_unique<ClimateEntity>(home, std::move(plan), std::move(can));
}

}  // namespace hearth::integrations::mqtt
