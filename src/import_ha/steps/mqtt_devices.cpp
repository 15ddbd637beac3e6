// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/mqtt_devices.h"

#include <fmt/format.h>

#include <utility>

#include "base/json/json_fields.h"
#include "import_ha/files/files_step.h"
#include "yaml/yaml_loader.h"
#include "yaml/yaml_writer.h"

namespace hearth::import_ha {
namespace {

constexpr std::string_view kDeviceSettings = "mqtt_settings", kPlatform = "platform";

const json::object& object_at(const json::object& object, std::string_view key) {
  static const json::object kNone;
  const json::value& value = base::value_at(object, key);
  return value.is_object() ? value.get_object() : kNone;
}

// The pages there keep parts of their forms (`advanced_settings`), marks of what a form shows (`fan_feature_speed`),
// and null for what was not given.
void put_keys(const json::object& from, json::object& to) {
  for (const auto& [key, value] : from) {
    const std::string_view name = key;
    if (value.is_null() || name == kPlatform || name.contains("_feature_")) continue;
    if (value.is_object() && name.ends_with("_settings"))
      put_keys(value.get_object(), to);
    else
      to[key] = value;
  }
}

// The mistake in one component; empty if there is none.
std::string fault_of(const CheckComponents& check, std::string_view platform, const json::object& component) {
  if (!check) return {};
  const std::string text = yaml::yaml_of(json::object{{platform, json::array{component}}});
  const auto read = yaml::load_yaml(text, std::string(kMqttFile));
  if (!read) return read.error().message;
  const auto faults = check(read->root);
  if (faults.empty()) return {};
  // The line is none of the file's.
  const auto place = faults.front().find(": ");
  return place == std::string::npos ? faults.front() : faults.front().substr(place + 2);
}

}  // namespace

void take_mqtt_devices(const ConfigEntry& entry, const CheckComponents& check, json::object& section, Report& report) {
  for (const ConfigEntry::Part& part : entry.parts) {
    Thing thing{.what = "mqtt_device", .id = part.id, .name = part.title, .file = ".storage/core.config_entries"};
    json::object device, settings;
    put_keys(object_at(part.values, "device"), device);
    if (const json::value& qos = base::value_at(object_at(object_at(part.values, "device"), kDeviceSettings), "qos");
        !qos.is_null())
      settings["qos"] = qos;
    device.erase("qos");
    device["identifiers"] = part.id;
    if (!device.contains("name")) device["name"] = part.title;
    put_keys(object_at(part.values, "availability"), settings);
    std::string fault;
    std::size_t taken = 0;
    for (const auto& [id, value] : object_at(part.values, "components")) {
      const json::object* const given = value.if_object();
      const std::string platform = given ? base::text_at(*given, kPlatform) : std::string();
      if (platform.empty()) continue;
      json::object component;
      put_keys(*given, component);
      for (const auto& [key, setting] : settings) component.emplace(key, setting);
      component["unique_id"] = fmt::format("{}_{}", part.id, std::string_view(id));
      component["device"] = device;
      if (const std::string wrong = fault_of(check, platform, component); !wrong.empty() && fault.empty())
        fault = wrong;
      json::value& list = section[platform];
      if (!list.is_array()) list = json::array();
      list.get_array().push_back(std::move(component));
      ++taken;
    }
    if (taken == 0) {
      thing.fate = Fate::left;
      thing.why = Why::broken;
      thing.text = "it has no components";
    } else if (!fault.empty()) {
      thing.text = fmt::format("not all of it can be used: {}", fault);
      thing.attention = "errors";
      thing.todo = fmt::format("Mend it in {}: docs/mqtt.md.", kMqttFile);
    }
    report.add(std::move(thing));
  }
}

}  // namespace hearth::import_ha
