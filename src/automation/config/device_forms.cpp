// SPDX-License-Identifier: Apache-2.0
#include "automation/config/device_forms.h"

#include <algorithm>
#include <span>

namespace hearth::automation {
namespace {

// Each word of a domain's types that is a state, perhaps of another name.
struct Word {
  std::string_view domain, type, state;
};
constexpr Word kStates[] = {
    {"cover", "opened", "open"},
    {"cover", "open", "open"},
    {"cover", "closed", "closed"},
    {"cover", "opening", "opening"},
    {"cover", "closing", "closing"},
    {"valve", "opened", "open"},
    {"valve", "open", "open"},
    {"valve", "closed", "closed"},
    {"valve", "opening", "opening"},
    {"valve", "closing", "closing"},
    {"lock", "locked", "locked"},
    {"lock", "unlocked", "unlocked"},
    {"lock", "locking", "locking"},
    {"lock", "unlocking", "unlocking"},
    {"lock", "jammed", "jammed"},
    {"lock", "open", "open"},
    {"lock", "opening", "opening"},
    {"vacuum", "cleaning", "cleaning"},
    {"vacuum", "docked", "docked"},
    {"lawn_mower", "mowing", "mowing"},
    {"lawn_mower", "docked", "docked"},
    {"alarm_control_panel", "disarmed", "disarmed"},
    {"alarm_control_panel", "triggered", "triggered"},
    {"alarm_control_panel", "arming", "arming"},
    {"alarm_control_panel", "armed_home", "armed_home"},
    {"alarm_control_panel", "armed_away", "armed_away"},
    {"alarm_control_panel", "armed_night", "armed_night"},
    {"alarm_control_panel", "armed_vacation", "armed_vacation"},
    {"alarm_control_panel", "armed_custom_bypass", "armed_custom_bypass"},
    {"media_player", "idle", "idle"},
    {"media_player", "paused", "paused"},
    {"media_player", "playing", "playing"},
    {"media_player", "buffering", "buffering"},
    {"device_tracker", "home", "home"},
    {"device_tracker", "not_home", "not_home"},
    {"person", "home", "home"},
    {"person", "not_home", "not_home"},
};

struct Number {
  std::string_view domain, type, attribute;
};
constexpr Number kNumbers[] = {
    {"cover", "position", "current_position"},
    {"cover", "tilt_position", "current_tilt_position"},
    {"valve", "position", "current_position"},
    {"climate", "current_temperature_changed", "current_temperature"},
    {"climate", "current_humidity_changed", "current_humidity"},
    {"humidifier", "current_humidity_changed", "current_humidity"},
    {"humidifier", "target_humidity_changed", "humidity"},
};

constexpr std::string_view kOnOff[] = {"light",  "switch",       "fan",    "humidifier",    "remote", "siren",
                                       "update", "media_player", "sensor", "input_boolean", "group",  "water_heater"};

bool is_on_off(std::string_view domain) {
  return std::ranges::find(kOnOff, domain) != std::end(kOnOff) && domain != "sensor";
}

std::optional<DeviceMeaning> state_word(std::string_view domain, std::string_view type) {
  for (const Word& word : kStates) {
    if (word.domain == domain && word.type == type) return DeviceMeaning{.states = {std::string(word.state)}};
  }
  for (const Number& number : kNumbers) {
    if (number.domain == domain && number.type == type)
      return DeviceMeaning{.numeric = true, .attribute = std::string(number.attribute)};
  }
  return {};
}

// `motion` is on, `no_motion` and `not_open` are off. A lock's sensor is on while it is open.
DeviceMeaning binary_word(std::string_view type) {
  if (type == "locked") return {.states = {"off"}};
  if (type == "not_locked") return {.states = {"on"}};
  const bool off = type.starts_with("no_") || type.starts_with("not_");
  return {.states = {off ? "off" : "on"}};
}

struct Action {
  std::string_view domain, type, service;
  std::span<const DeviceAction::Key> keys = {};
  std::string_view preset_field = {}, preset_json = {};
};
using Key = DeviceAction::Key;
constexpr Key kBrightness[] = {"brightness_pct", "flash"}, kPosition[] = {"position"},
              kTiltPosition[] = {{"position", "tilt_position"}}, kHvacMode[] = {"hvac_mode"},
              kPresetMode[] = {"preset_mode"}, kCode[] = {"code"}, kOption[] = {"option"}, kCycle[] = {"cycle"},
              kValue[] = {"value"}, kHumidity[] = {"humidity"}, kMode[] = {"mode"},
              kNotice[] = {"message", "title", "data"};
constexpr Action kActions[] = {
    {"light", "turn_on", "light.turn_on", kBrightness},
    {"light", "brightness_increase", "light.turn_on", {}, "brightness_step_pct", "10"},
    {"light", "brightness_decrease", "light.turn_on", {}, "brightness_step_pct", "-10"},
    {"light", "flash", "light.turn_on", kBrightness, "flash", R"("short")"},
    {"cover", "open", "cover.open_cover"},
    {"cover", "close", "cover.close_cover"},
    {"cover", "stop", "cover.stop_cover"},
    {"cover", "set_position", "cover.set_cover_position", kPosition},
    {"cover", "set_tilt_position", "cover.set_cover_tilt_position", kTiltPosition},
    {"cover", "open_tilt", "cover.open_cover_tilt"},
    {"cover", "close_tilt", "cover.close_cover_tilt"},
    {"lock", "lock", "lock.lock"},
    {"lock", "unlock", "lock.unlock"},
    {"lock", "open", "lock.open"},
    {"climate", "set_hvac_mode", "climate.set_hvac_mode", kHvacMode},
    {"climate", "set_preset_mode", "climate.set_preset_mode", kPresetMode},
    {"vacuum", "clean", "vacuum.start"},
    {"vacuum", "dock", "vacuum.return_to_base"},
    {"lawn_mower", "mow", "lawn_mower.start_mowing"},
    {"lawn_mower", "pause", "lawn_mower.pause"},
    {"lawn_mower", "dock", "lawn_mower.dock"},
    {"button", "press", "button.press"},
    {"input_button", "press", "input_button.press"},
    {"alarm_control_panel", "arm_home", "alarm_control_panel.alarm_arm_home", kCode},
    {"alarm_control_panel", "arm_away", "alarm_control_panel.alarm_arm_away", kCode},
    {"alarm_control_panel", "arm_night", "alarm_control_panel.alarm_arm_night", kCode},
    {"alarm_control_panel", "arm_vacation", "alarm_control_panel.alarm_arm_vacation", kCode},
    {"alarm_control_panel", "disarm", "alarm_control_panel.alarm_disarm", kCode},
    {"alarm_control_panel", "trigger", "alarm_control_panel.alarm_trigger", kCode},
    {"select", "select_first", "select.select_first"},
    {"select", "select_last", "select.select_last"},
    {"select", "select_next", "select.select_next", kCycle},
    {"select", "select_previous", "select.select_previous", kCycle},
    {"select", "select_option", "select.select_option", kOption},
    {"number", "set_value", "number.set_value", kValue},
    {"text", "set_value", "text.set_value", kValue},
    {"humidifier", "set_humidity", "humidifier.set_humidity", kHumidity},
    {"humidifier", "set_mode", "humidifier.set_mode", kMode},
    {"mobile_app", "notify", "", kNotice},
};

}  // namespace

std::optional<DeviceMeaning> device_trigger(std::string_view domain, std::string_view type) {
  if (auto known = state_word(domain, type)) return known;
  if (type == "turned_on" || type == "turned_off") return DeviceMeaning{.states = {type == "turned_on" ? "on" : "off"}};
  if (type == "changed_states" || type == "toggled") return DeviceMeaning{};  // any other state
  if (domain == "binary_sensor") return binary_word(type);
  if (domain == "sensor") return DeviceMeaning{.numeric = true};
  if (type == "hvac_mode_changed") return DeviceMeaning{.option_key = "to"};
  if (type == "pressed" || type == "value_changed") return DeviceMeaning{};
  if (type == "current_option_changed") return DeviceMeaning{.option_key = "to"};
  if (type == "enters" || type == "leaves") return DeviceMeaning{.enters = type == "enters"};
  return {};
}

std::optional<DeviceMeaning> device_condition(std::string_view domain, std::string_view type) {
  if (type == "selected_option") return DeviceMeaning{.option_key = "option"};
  if (!type.starts_with("is_")) return {};
  type.remove_prefix(3);
  if (type == "hvac_mode") return DeviceMeaning{.option_key = "hvac_mode"};
  if (domain == "humidifier" && type == "mode") return DeviceMeaning{.attribute = "mode", .option_key = "mode"};
  if (type == "preset_mode") return DeviceMeaning{.attribute = "preset_mode", .option_key = "preset_mode"};
  if (auto known = state_word(domain, type)) return known;
  if (domain == "binary_sensor") return type == "off" ? DeviceMeaning{.states = {"off"}} : binary_word(type);
  if (domain == "sensor") return DeviceMeaning{.numeric = true};
  if ((type == "on" || type == "off") && is_on_off(domain)) return DeviceMeaning{.states = {std::string(type)}};
  return {};
}

std::optional<DeviceAction> device_action(std::string_view domain, std::string_view type) {
  for (const Action& action : kActions) {
    if (action.domain != domain || action.type != type) continue;
    return DeviceAction{std::string(action.service),
                        {action.keys.begin(), action.keys.end()},
                        std::string(action.preset_field),
                        action.preset_json.empty() ? json::value() : base::parse_json(action.preset_json).value()};
  }
  if (!is_on_off(domain) || (type != "turn_on" && type != "turn_off" && type != "toggle")) return {};
  return DeviceAction{std::string(domain) + "." + std::string(type), {}, {}, {}};
}

}  // namespace hearth::automation
