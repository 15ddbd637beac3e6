// SPDX-License-Identifier: Apache-2.0
#include "app/sections/mqtt_sections.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "app/settings/settings.h"
#include "integrations/mqtt/manual/manual_items.h"
#include "integrations/mqtt/mqtt.h"

namespace hearth::app {
namespace {

namespace mqtt = integrations::mqtt;

Settings read_mqtt_test(std::string_view text) {
  static const std::vector<KnownIntegration> integrations = {{"mqtt", mqtt::Options::check}};
  return parse_settings(text, integrations);
}

// True if there is a connection, then `component name` of each item, then what is wrong; or the error.
std::string components_of(std::string_view text) {
  const auto settings = read_mqtt_test(text);
  if (!settings.findings.empty()) return texts_of(settings.findings, Finding::Kind::note);
  std::string found = settings.integrations.empty() ? "alone" : "connected";
  const base::ConfigNode joined = mqtt::joined_sections({}, settings.mqtt_components);
  for (const mqtt::ManualItem& item : mqtt::read_manual_items(joined).items) {
    const base::ConfigNode* const name = item.node.find("name");
    found += fmt::format(", {} {}", item.component, name ? name->text().value() : "?");
  }
  for (const std::string& fault : mqtt::check_manual_items(joined)) found += "\n" + fault;
  return found;
}

TEST(MqttSections, ComponentsStandBesideTheConnection) {
  EXPECT_EQ(components_of("mqtt:\n  broker: a\n"), "connected");
  EXPECT_EQ(components_of("mqtt:\n"
                          "  broker: a\n"
                          "  birth_message: {}\n"
                          "  sensor:\n"
                          "    - {name: One, state_topic: s}\n"
                          "    - {name: Two, stat_t: s}\n"
                          "  switch: {name: Three, command_topic: c}\n"),
            "connected, sensor One, sensor Two, switch Three");
  EXPECT_EQ(components_of("mqtt:\n  sensor: {name: One, state_topic: s}\n"), "alone, sensor One");
  EXPECT_EQ(components_of("mqtt:\n  - sensor: {name: One, state_topic: s}\n"
                          "  - sensor:\n      - {name: Two, state_topic: s}\n    switch:\n"),
            "alone, sensor One, sensor Two");
}

TEST(MqttSections, PackagesMayHaveComponents) {
  EXPECT_EQ(components_of("homeassistant:\n"
                          "  packages:\n"
                          "    heating:\n"
                          "      mqtt: {sensor: [{name: One, state_topic: s}]}\n"
                          "    garden:\n"
                          "      mqtt: [{switch: {name: Two, command_topic: c}}]\n"
                          "mqtt: {broker: a, sensor: {name: Three, state_topic: s}}\n"),
            "connected, sensor Three, sensor One, switch Two");
  EXPECT_EQ(components_of("homeassistant:\n"
                          "  packages:\n"
                          "    heating:\n"
                          "      mqtt: {broker: a, sensor: [{name: One, state_topic: s}]}\n"),
            "alone, sensor One\nconfiguration.yaml:4: homeassistant.packages.heating.mqtt: the package heating may "
            "describe components, such as sensor; the connection belongs into configuration.yaml itself");
}

TEST(MqttSections, OneWithALabelHasComponents) {
  EXPECT_EQ(components_of("mqtt: {broker: a}\n"
                          "mqtt garden:\n  switch: {name: One, command_topic: c}\n"
                          "mqtt hall: [{sensor: {name: Two, state_topic: s}}]\n"
                          "homeassistant:\n  packages:\n    heating:\n"
                          "      mqtt cellar: {sensor: {name: Three, state_topic: s}}\n"),
            "connected, switch One, sensor Two, sensor Three");
  EXPECT_EQ(
      components_of("mqtt garden:\n  broker: a\n  switch: {name: One, command_topic: c}\n"),
      "alone, switch One\nconfiguration.yaml:1: mqtt garden: the section mqtt garden may describe components, such "
      "as sensor; the connection belongs into configuration.yaml itself");
  EXPECT_TRUE(components_of("mqttgarden:\n  switch: {name: One, command_topic: c}\n").contains("mqttgarden"));
}

TEST(MqttSections, WhatIsWrongNamesFileLineComponentAndKey) {
  EXPECT_EQ(components_of("mqtt:\n"
                          "  sensor:\n"
                          "    - name: One\n"
                          "      state_topc: s\n"
                          "    - name: Two\n"
                          "      state_topic: s\n"
                          "      expire_after: soon\n"
                          "    - just a text\n"
                          "  sensors: [{name: Three}]\n"
                          "  number:\n"
                          "    - {name: Four, command_topic: c, min: 5,\n"
                          "       max: 2}\n"
                          "    - {name: Five, command_topic: c}\n"),
            "alone, sensor One, sensor Two, number Four, number Five\n"
            "configuration.yaml:8: mqtt.sensor[2]: expected keys with values\n"
            "configuration.yaml:9: mqtt.sensors[0]: unknown component sensors, did you mean sensor? Known: "
            "alarm_control_panel, binary_sensor, button, camera, climate, cover, date, datetime, device_tracker, "
            "event, fan, humidifier, image, lawn_mower, light, lock, notify, number, scene, select, sensor, siren, "
            "switch, text, time, update, vacuum, valve, water_heater\n"
            "configuration.yaml:4: mqtt.sensor[0].state_topc: unknown key, did you mean state_topic?\n"
            "configuration.yaml:3: mqtt.sensor[0].state_topic: expected, but missing\n"
            "configuration.yaml:7: mqtt.sensor[1].expire_after: expected a number from 0 to 1000000000, got \"soon\"\n"
            "configuration.yaml:12: mqtt.number[0].max: expected more than min, 5, got 2");
  EXPECT_EQ(components_of("mqtt: {sensor: [{name: One, state_topic: s, value_template: '{{ x'}]}\n").substr(0, 86),
            "alone, sensor One\nconfiguration.yaml:1: mqtt.sensor[0].value_template: expected a vali");
}

TEST(MqttSections, AWrongConnectionIsAnErrorAsBefore) {
  EXPECT_EQ(components_of("mqtt:\n"), "configuration.yaml:1: mqtt: broker is missing: expected its host");
  EXPECT_EQ(components_of("mqtt: {port: 5, sensor: []}\n"),
            "configuration.yaml:1: mqtt: broker is missing: expected its host");
  EXPECT_EQ(components_of("mqtt: {broker: a, prot: 5}\n").substr(0, 53),
            "configuration.yaml:1: mqtt.prot: unknown key, did you");
}

TEST(MqttSections, TextsStayAsTheyAreWritten) {
  const auto settings = read_mqtt_test(
      "mqtt:\n  switch:\n    - {command_topic: 5, payload_on: on, payload_off: 1.10, name: ~, optimistic: yes, "
      "retain: true, device: {identifiers: 007, sw_version: 1.10}}\n");
  const auto read = mqtt::read_manual_items(mqtt::joined_sections({}, settings.mqtt_components));
  const auto made = mqtt::describe_item(read.items.at(0));
  EXPECT_EQ(made.text,
            R"(switch {"command_topic":"5","payload_on":"on","payload_off":"1.10","name":null,"optimistic":"yes",)"
            R"("retain":true,"device":{"identifiers":"007","sw_version":"1.10"}})");
  EXPECT_TRUE(mqtt::check_manual_items(mqtt::joined_sections({}, settings.mqtt_components)).empty());
}

}  // namespace
}  // namespace hearth::app
