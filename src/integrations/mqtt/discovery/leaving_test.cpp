// SPDX-License-Identifier: Apache-2.0
// Devices and entities that leave, or are away for a while.
#include "integrations/mqtt/discovery/discovery_test_home.h"

namespace hearth::integrations::mqtt {
namespace {

using std::chrono::seconds;

class LeavingTest : public DiscoveryHome {};

TEST_F(LeavingTest, WhatWasKnownBeforeItBecameUnavailableSurvivesARestart) {
  describe("light", "l", R"("name":"L","schema":"json","command_topic":"c","state_topic":"s","brightness":true,
      "availability_topic":"a")");
  describe("sensor", "t", R"("name":"T","state_topic":"t","availability_topic":"a","json_attributes_topic":"j")");
  receive("a", "online");
  receive("s", R"({"state":"ON","brightness":42})");
  receive("t", "21.5");
  receive("j", R"({"battery":77})");
  receive("a", "offline");
  EXPECT_EQ(value("light.lab_l"), "unavailable");
  home.advance(LastValues::kDelay + seconds(1));
  // Twice: the second time the value is only kept.
  for (int run = 0; run < 2; ++run) {
    discovery->stop();
    home.domains.entities().release(*home.place("mqtt").connection);
    begin();
    EXPECT_EQ(value("light.lab_l"), "unavailable");
  }
  receive("a", "online");
  EXPECT_EQ(value("light.lab_l"), "on");
  EXPECT_EQ(attribute("light.lab_l", "brightness"), "42");
  EXPECT_EQ(value("sensor.lab_t"), "21.5");
  EXPECT_EQ(attribute("sensor.lab_t", "battery"), "77");
  receive("homeassistant/light/l/config", "");
  receive("homeassistant/sensor/t/config", "");
  home.advance(LastValues::kDelay + seconds(1));
  for (const auto& [id, item] : home.hub.registry.snapshot()->items) EXPECT_EQ(item.collection, "");
}

TEST_F(LeavingTest, AGroupNamesItsMembers) {
  const auto lamp = [this](std::string_view id) {
    describe("light", id, fmt::format(R"("name":"{}","schema":"json","command_topic":"c")", id));
  };
  lamp("one");
  describe("light", "g", R"("name":"All","schema":"json","command_topic":"c","group":["one","two","none"],
      "json_attributes_topic":"j")");
  EXPECT_EQ(attribute("light.lab_all", "entity_id"), R"(["light.lab_one"])");
  lamp("two");
  EXPECT_EQ(attribute("light.lab_all", "entity_id"), R"(["light.lab_one","light.lab_two"])");
  receive("j", R"({"entity_id":"mine","x":1})");
  EXPECT_EQ(attribute("light.lab_all", "entity_id"), R"(["light.lab_one","light.lab_two"])");
  home.hub.registry.update_entity("light.lab_one", {.new_entity_id = "light.first"}, {"user", {}, {}}).value();
  home.hub.bus.run_pending();
  EXPECT_EQ(attribute("light.lab_all", "entity_id"), R"(["light.first","light.lab_two"])");
  receive("homeassistant/light/two/config", "");
  EXPECT_EQ(attribute("light.lab_all", "entity_id"), R"(["light.first"])");
  EXPECT_EQ(attribute("light.lab_all", "x"), "1");
}

TEST_F(LeavingTest, AnEmptiedDeviceGoesAfterAWhile) {
  const auto device = [&] { return home.hub.registry.snapshot()->devices.contains("mqtt.lab"); };
  describe("sensor", "a", R"("name":"A","state_topic":"s")");
  describe("device_automation", "t", R"("automation_type":"trigger","topic":"b","type":"press","subtype":"one")");
  receive("homeassistant/sensor/a/config", "");
  home.advance(Devices::kEmptyTime + seconds(1));
  EXPECT_TRUE(device());  // it has a trigger
  receive("homeassistant/device_automation/t/config", "");
  home.advance(Devices::kEmptyTime - seconds(1));
  EXPECT_TRUE(device());
  home.advance(seconds(1));
  EXPECT_FALSE(device());
}

TEST_F(LeavingTest, ARenamedDeviceKeepsWhatPeopleSaidOfIt) {
  describe("sensor", "a", R"("name":"A","state_topic":"s")");
  const std::string attic = home.hub.registry.ensure_area("Attic").id;
  home.hub.registry.update_device("mqtt.lab", {.name_by_user = "My lab", .area_id = attic}, {"user", {}, {}}).value();
  receive("homeassistant/sensor/a/config", "");
  home.advance(seconds(2));
  describe("sensor", "a", R"("name":"B","state_topic":"s")");
  home.advance(Devices::kEmptyTime + seconds(1));
  const auto registry = home.hub.registry.snapshot();
  const core::Device* const device = registry->devices.find("mqtt.lab");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->area_id, attic);
  EXPECT_EQ(device->name_by_user, "My lab");
}

TEST_F(LeavingTest, ADeviceThatComesBackAfterALongTimeIsWhatItWas) {
  describe("sensor", "a", R"("name":"A","state_topic":"s")");
  const std::string attic = home.hub.registry.ensure_area("Attic").id;
  home.hub.registry.update_device("mqtt.lab", {.name_by_user = "My lab", .area_id = attic}, {"user", {}, {}}).value();
  home.hub.registry.update_entity("sensor.lab_a", {.name = "Mine", .new_entity_id = "sensor.mine"}, {"user", {}, {}})
      .value();
  const std::string id = home.hub.registry.snapshot()->entities.at("sensor.mine").id;
  receive("homeassistant/sensor/a/config", "");
  home.advance(Devices::kEmptyTime + seconds(1));
  ASSERT_FALSE(home.hub.registry.snapshot()->devices.contains("mqtt.lab"));
  home.advance(seconds(1'000'000));
  describe("sensor", "a", R"("name":"A","state_topic":"s")");
  const auto registry = home.hub.registry.snapshot();
  EXPECT_EQ(registry->devices.at("mqtt.lab").area_id, attic);
  EXPECT_EQ(registry->devices.at("mqtt.lab").name_by_user, "My lab");
  EXPECT_EQ(registry->entities.at("sensor.mine").id, id);
  EXPECT_EQ(registry->entities.at("sensor.mine").device_id, "mqtt.lab");
}

// As after moving in from another hub, which knew the device by an integration that this hub has not.
TEST_F(LeavingTest, ADeviceThatWaitsForAnotherIntegrationIsTaken) {
  core::Device waiting{.id = "0123456789abcdef0123456789abcdef", .integration = "esphome", .name = "Old"};
  waiting.connections = {{"mac", "02:00:00:00:00:01"}};
  home.hub.registry.put_device(waiting);
  core::Device in_use = waiting;
  in_use.id = "0000000000abcdef0123456789abcdef";
  in_use.connections = {{"mac", "02:00:00:00:00:02"}};
  home.hub.registry.put_device(in_use);
  home.hub.registry
      .put_entity(core::EntityId::parse("light.other").value(),
                  {.unique_id = "1", .integration = "test", .device_id = in_use.id})
      .value();
  discovery->stop();
  begin();
  for (const char* const number : {"1", "2"}) {
    receive(fmt::format("homeassistant/sensor/n{}/config", number),
            fmt::format(R"({{"unique_id":"n{0}","name":"N{0}","state_topic":"s","device":{{"name":"New","identifiers":
                "new{0}","connections":[["mac","02:00:00:00:00:0{0}"]]}}}})",
                        number));
  }
  const auto registry = home.hub.registry.snapshot();
  EXPECT_EQ(registry->devices.size(), 2u);
  EXPECT_EQ(registry->devices.at(waiting.id).integration, "mqtt");
  EXPECT_EQ(registry->devices.at(waiting.id).name, "New");
  EXPECT_EQ(registry->devices.at(in_use.id).integration, "esphome");
  EXPECT_EQ(registry->entities_of_device.at(waiting.id).size(), 1u);
  EXPECT_EQ(registry->entities_of_device.at(in_use.id).size(), 2u);
}

TEST_F(LeavingTest, ADeviceWithAnotherIntegrationsEntityStays) {
  describe("sensor", "a", R"("name":"A","state_topic":"s")");
  home.hub.registry
      .put_entity(core::EntityId::parse("light.other").value(),
                  {.unique_id = "1", .integration = "test", .device_id = "mqtt.lab"})
      .value();
  receive("homeassistant/sensor/a/config", "");
  home.advance(Devices::kEmptyTime + seconds(1));
  EXPECT_TRUE(home.hub.registry.snapshot()->devices.contains("mqtt.lab"));
}

TEST_F(LeavingTest, ADeviceThatWasEmptiedBeforeARestartGoes) {
  describe("sensor", "a", R"("name":"A","state_topic":"s")");
  receive("homeassistant/sensor/a/config", "");
  discovery->stop();
  home.advance(Devices::kEmptyTime + seconds(1));
  EXPECT_TRUE(home.hub.registry.snapshot()->devices.contains("mqtt.lab"));
  begin();
  home.advance(Devices::kEmptyTime + seconds(1));
  EXPECT_FALSE(home.hub.registry.snapshot()->devices.contains("mqtt.lab"));
}

TEST_F(LeavingTest, ADeviceIsFoundAgainByThoseThatItConnects) {
  const std::string bridge =
      R"({"unique_id":"b","state_topic":"b","name":"State","device":{"identifiers":["bridge"],"name":"Bridge"}})";
  const auto way = [&] { return home.hub.registry.snapshot()->devices.at("mqtt.z1").via_device_id; };
  receive("homeassistant/sensor/z1/config",
          R"({"unique_id":"z1","state_topic":"s","device":{"identifiers":["z1"],"via_device":"bridge"}})");
  receive("homeassistant/sensor/b/config", bridge);
  EXPECT_EQ(way(), "mqtt.bridge");
  receive("homeassistant/sensor/b/config", "");
  home.advance(Devices::kEmptyTime + seconds(1));
  EXPECT_EQ(way(), core::OptionalText());
  receive("homeassistant/sensor/b/config", bridge);
  EXPECT_EQ(way(), "mqtt.bridge");
}

TEST_F(LeavingTest, RemovalTakesDisabledEntitiesToo) {
  describe("sensor", "a", R"("name":"One","state_topic":"s","enabled_by_default":false)");
  EXPECT_FALSE(home.hub.states.find("sensor.lab_one"));
  EXPECT_EQ(home.hub.registry.snapshot()->entities.size(), 1u);
  receive("homeassistant/sensor/a/config", "");
  EXPECT_EQ(home.hub.registry.snapshot()->entities.size(), 0u);
}

}  // namespace
}  // namespace hearth::integrations::mqtt
