// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/mqtt_devices.h"

#include <gtest/gtest.h>

namespace hearth::import_ha {
namespace {

ConfigEntry entry_of(std::string_view device) {
  ConfigEntry entry{.id = "e", .domain = "mqtt", .title = "broker", .values = {}};
  entry.parts.push_back({"01JGATE", "device", "Gate", base::parse_json(device).value().as_object()});
  return entry;
}

std::string json_of(const json::object& object) {
  return base::to_json(object);
}

TEST(MqttDevices, BecomeComponentsWithTheSameIds) {
  Report report;
  json::object section;
  take_mqtt_devices(entry_of(R"({
      "device": {"name": "The gate", "model": "G1", "sw_version": null, "mqtt_settings": {"qos": 1}},
      "availability": {"availability_topic": "gate/there", "availability_template": null},
      "components": {
        "aa": {"platform": "switch", "name": "Motor", "command_topic": "gate/set", "entity_category": null,
               "advanced_settings": {"payload_on": "open"}},
        "bb": {"platform": "fan", "name": null, "command_topic": "fan/set", "fan_feature_speed": false}}})"),
                    {}, section, report);
  const json::object device =
      base::parse_json(R"({"name":"The gate","model":"G1","identifiers":"01JGATE"})").value().as_object();
  EXPECT_EQ(json_of(section), R"({"switch":[{"name":"Motor","command_topic":"gate/set","payload_on":"open","qos":1,)"
                              R"("availability_topic":"gate/there","unique_id":"01JGATE_aa","device":)" +
                                  json_of(device) +
                                  R"(}],"fan":[{"command_topic":"fan/set","qos":1,"availability_topic":"gate/there",)"
                                  R"("unique_id":"01JGATE_bb","device":)" +
                                  json_of(device) + "}]}");
  const Thing* const thing = report.find("mqtt_device", "01JGATE");
  ASSERT_TRUE(thing);
  EXPECT_EQ(thing->fate, Fate::carried);
  EXPECT_EQ(thing->name, "Gate");
  EXPECT_EQ(thing->attention, "");
}

TEST(MqttDevices, SayWhatCannotBeUsed) {
  Report report;
  json::object section;
  const auto check = [](const base::ConfigNode& made) -> std::vector<std::string> {
    if (made.find("switch")) return {};
    return {"ha-mqtt.yaml:1: mqtt.toaster: unknown component"};
  };
  take_mqtt_devices(entry_of(R"({"device": {}, "components": {"aa": {"platform": "switch", "command_topic": "a"},
                                 "bb": {"platform": "toaster"}}})"),
                    check, section, report);
  const Thing* const thing = report.find("mqtt_device", "01JGATE");
  EXPECT_EQ(thing->fate, Fate::carried);
  EXPECT_EQ(thing->text, "not all of it can be used: mqtt.toaster: unknown component");
  EXPECT_EQ(thing->attention, "errors");
  EXPECT_EQ(section.at("switch").at(0).at("device").at("name"), "Gate");
}

TEST(MqttDevices, WithoutComponentsAreLeft) {
  for (const char* const device : {"{}", R"({"device": [], "components": {"aa": 1, "bb": {}}})"}) {
    Report report;
    json::object section;
    take_mqtt_devices(entry_of(device), {}, section, report);
    EXPECT_TRUE(section.empty());
    EXPECT_EQ(report.find("mqtt_device", "01JGATE")->fate, Fate::left);
    EXPECT_EQ(report.find("mqtt_device", "01JGATE")->why, Why::broken);
  }
}

}  // namespace
}  // namespace hearth::import_ha
