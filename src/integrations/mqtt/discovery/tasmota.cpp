// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/tasmota.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "integrations/mqtt/discovery/tasmota_device.h"

namespace hearth::integrations::mqtt {
namespace {

enum Relay { kNoRelay, kRelay, kLightRelay, kShutterRelay };

// A value that the message may lack: then the message is not for it.
std::string optional_value(std::string_view path) {
  return fmt::format("{{{{ {0} if {0} is defined else '' }}}}", path);
}

// The template of POWER1; a device with one relay says POWER.
std::string power_template(std::size_t index, std::size_t relays) {
  const std::string own = fmt::format("value_json.POWER{}", index + 1);
  if (relays > 1) return optional_value(own);
  return fmt::format("{{{{ {0} if {0} is defined else value_json.POWER if value_json.POWER is defined else '' }}}}",
                     own);
}

json::object power_keys(const TasmotaDevice& device, std::size_t index, std::size_t relays) {
  const std::string on = device.text("state", 1), off = device.text("state", 0);
  json::object keys{{"command_topic", device.command(fmt::format("POWER{}", index + 1))},
                    {"payload_on", on.empty() ? "ON" : on},
                    {"payload_off", off.empty() ? "OFF" : off},
                    {"state_topic", device.tele("STATE")},
                    {"also_topics", json::array{device.stat("RESULT")}}};
  const std::string name = device.text("fn", index);
  if (relays == 1 || name == device.name())
    keys["name"] = nullptr;
  else
    keys["name"] = name.empty() ? fmt::format("Relay {}", index + 1) : name;
  keys["value_template"] = power_template(index, relays);
  return keys;
}

Description light(const TasmotaDevice& device, std::size_t index, std::size_t relays) {
  json::object keys = power_keys(device, index, relays);
  keys["state_value_template"] = keys["value_template"];
  keys.erase("value_template");
  const json::value* const found = device.config().if_contains("lt_st");
  const std::int64_t channels = found && found->is_int64() ? found->get_int64() : 0;
  const std::string state = device.tele("STATE");
  if (channels >= 1) {
    keys["brightness_command_topic"] = device.command("Dimmer");
    keys["brightness_state_topic"] = state;
    keys["brightness_value_template"] = optional_value("value_json.Dimmer");
    keys["brightness_scale"] = 100;
  }
  if (channels == 2 || channels == 5) {
    const bool narrow = device.option("82") == 1;
    keys["color_temp_command_topic"] = device.command("CT");
    keys["color_temp_state_topic"] = state;
    keys["color_temp_value_template"] = optional_value("value_json.CT");
    keys["min_mireds"] = narrow ? 200 : 153;
    keys["max_mireds"] = narrow ? 380 : 500;
  }
  if (channels >= 3) {
    keys["hs_command_topic"] = device.command("HSBColor");
    keys["hs_state_topic"] = state;
    keys["hs_value_template"] =
        "{{ value_json.HSBColor.split(',')[0:2]|join(',') if value_json.HSBColor is defined else '' }}";
    keys["effect_command_topic"] = device.command("Scheme");
    keys["effect_command_template"] = "{{ ['Solid', 'Wake up', 'Cycle up', 'Cycle down', 'Random'].index(value) }}";
    keys["effect_state_topic"] = state;
    keys["effect_value_template"] =
        "{{ ['Solid', 'Wake up', 'Cycle up', 'Cycle down', 'Random'][value_json.Scheme] if value_json.Scheme is "
        "defined "
        "else '' }}";
    keys["effect_list"] = json::array{"Solid", "Wake up", "Cycle up", "Cycle down", "Random"};
  }
  if (channels == 4) {
    keys["white_command_topic"] = device.command("White");
    keys["white_scale"] = 100;
  }
  if (channels >= 4) {
    keys["color_mode_state_topic"] = state;
    keys["color_mode_value_template"] =
        fmt::format("{{% if value_json.White %}}{}{{% else %}}hs{{% endif %}}", channels == 4 ? "white" : "color_temp");
  }
  return device.describe("light", fmt::format("light_{}", index), std::move(keys));
}

Description shutter(const TasmotaDevice& device, std::size_t index) {
  const std::string key = fmt::format("Shutter{}", index + 1), json = "value_json." + key;
  const auto part = [&](std::string_view value) {
    return fmt::format("{{{{ {0}.{1} if {0} is defined and {0}.{1} is defined else '' }}}}", json, value);
  };
  json::object keys{
      {"name", key},
      {"device_class", "shutter"},
      {"command_topic", device.command("Backlog")},
      {"payload_open", fmt::format("ShutterOpen{}", index + 1)},
      {"payload_close", fmt::format("ShutterClose{}", index + 1)},
      {"payload_stop", fmt::format("ShutterStop{}", index + 1)},
      {"state_topic", device.stat("RESULT")},
      {"value_template",
       fmt::format(
           "{{% if {0} is defined %}}{{{{ {{1:'opening',-1:'closing',0:'stopped'}}[{0}.Direction] }}}}{{% endif %}}",
           json)},
      {"position_topic", device.stat("RESULT")},
      {"position_template", part("Position")},
      {"set_position_topic", device.command(fmt::format("ShutterPosition{}", index + 1))},
      {"also_topics", json::array{device.tele("SENSOR")}}};
  return device.describe("cover", fmt::format("shutter_{}", index), std::move(keys));
}

struct Press {
  std::string_view payload, type;
};
constexpr Press kPresses[] = {
    {"SINGLE", "button_short_press"},   {"DOUBLE", "button_double_press"},   {"TRIPLE", "button_triple_press"},
    {"QUAD", "button_quadruple_press"}, {"PENTA", "button_quintuple_press"}, {"HOLD", "button_long_press"},
};

void add_trigger(const TasmotaDevice& device, std::string_view key, std::string_view payload, std::string_view type,
                 std::string subtype, std::vector<Description>& into) {
  const std::string path = fmt::format("value_json.{}", key);
  into.push_back(
      device.describe("device_automation", fmt::format("{}_{}", key, payload),
                      {{"automation_type", "trigger"},
                       {"topic", device.stat("RESULT")},
                       {"value_template", fmt::format("{{{{ {0}.Action if {0} is defined else '' }}}}", path)},
                       {"payload", payload},
                       {"type", type},
                       {"subtype", subtype}}));
}

// Buttons and switches that do not control a relay of the device.
void add_inputs(const TasmotaDevice& device, std::vector<Description>& into) {
  const bool detached_buttons = device.option("73") == 1, detached_switches = device.option("114") == 1;
  for (std::size_t i = 0; detached_buttons && i < device.size("btn"); ++i) {
    if (device.number("btn", i) <= 0) continue;
    for (const Press& press : kPresses)
      add_trigger(device, fmt::format("Button{}", i + 1), press.payload, press.type, fmt::format("button_{}", i + 1),
                  into);
  }
  constexpr int kFollows[] = {1, 2, 13, 14};  // switch modes in which ON and OFF are a state
  for (std::size_t i = 0; detached_switches && i < device.size("swc"); ++i) {
    const int mode = device.number("swc", i);
    const std::string key = fmt::format("Switch{}", i + 1);
    if (mode < 0) continue;
    if (std::ranges::find(kFollows, mode) == std::end(kFollows)) {
      add_trigger(device, key, "TOGGLE", "button_short_press", fmt::format("switch_{}", i + 1), into);
      add_trigger(device, key, "HOLD", "button_long_press", fmt::format("switch_{}", i + 1), into);
      continue;
    }
    const std::string name = device.text("swn", i), path = "value_json." + key;
    json::object keys{
        {"name", name.empty() ? fmt::format("Switch {}", i + 1) : name},
        {"state_topic", device.stat("RESULT")},
        {"also_topics", json::array{device.tele("SENSOR")}},
        {"value_template",
         fmt::format("{{% if {0} is defined %}}{{{{ {0}.Action if {0} is mapping else {0} }}}}{{% endif %}}", path)}};
    if (mode >= 13) keys["off_delay"] = 1;  // a motion sensor says ON only
    into.push_back(device.describe("binary_sensor", fmt::format("switch_{}", i), std::move(keys)));
  }
}

}  // namespace

std::optional<TasmotaTopic> parse_tasmota_topic(std::string_view topic) {
  if (!topic.starts_with(kTasmotaPrefix)) return {};
  topic.remove_prefix(kTasmotaPrefix.size());
  const auto slash = topic.find('/');
  if (slash != 12 || topic.substr(0, slash).find_first_not_of("0123456789ABCDEFabcdef") != std::string_view::npos)
    return {};
  const std::string_view kind = topic.substr(slash + 1);
  if (kind != "config" && kind != "sensors") return {};
  return TasmotaTopic{std::string(topic.substr(0, slash)), kind == "sensors"};
}

base::Result<DiscoveryMessage> parse_tasmota_config(std::string_view mac, std::string_view payload) {
  const auto device = TasmotaDevice::parse(mac, payload);
  if (!device) return std::unexpected(device.error());
  DiscoveryMessage message;
  std::size_t relays = 0;
  for (std::size_t i = 0; i < device->size("rl"); ++i) relays += device->number("rl", i) != kNoRelay;
  std::size_t shutter_relays = 0;
  for (std::size_t i = 0; i < device->size("rl"); ++i) {
    const int kind = device->number("rl", i);
    if (kind == kLightRelay || (kind == kRelay && device->option("30") == 1))
      message.components.push_back(light(*device, i, relays));
    else if (kind == kRelay)
      message.components.push_back(
          device->describe("switch", fmt::format("relay_{}", i), power_keys(*device, i, relays)));
    else if (kind == kShutterRelay && ++shutter_relays % 2 == 0)
      message.components.push_back(shutter(*device, shutter_relays / 2 - 1));
  }
  add_inputs(*device, message.components);
  message.components.push_back(
      device->describe("sensor", "rssi",
                       {{"name", "Signal"},
                        {"state_topic", device->tele("STATE")},
                        {"value_template", "{{ value_json.Wifi.RSSI if value_json.Wifi is defined else '' }}"},
                        {"unit_of_measurement", "%"},
                        {"entity_category", "diagnostic"},
                        {"enabled_by_default", false}}));
  return message;
}

}  // namespace hearth::integrations::mqtt
