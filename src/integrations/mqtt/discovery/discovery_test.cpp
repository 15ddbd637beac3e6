// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/discovery.h"

#include "integrations/mqtt/discovery/discovery_test_home.h"

namespace hearth::integrations::mqtt {
namespace {

using std::chrono::milliseconds, std::chrono::seconds;

class DiscoveryTest : public DiscoveryHome {};

TEST_F(DiscoveryTest, MakesASensorOfADevice) {
  receive("homeassistant/sensor/0x1/temperature/config",
          R"({"device":{"identifiers":["zigbee_0x1"],"name":"Hall","manufacturer":"Acme","model":"T1"},
              "device_class":"temperature","state_class":"measurement","state_topic":"z/hall",
              "unit_of_measurement":"°C","value_template":"{{ value_json[\"temperature\"] }}",
              "unique_id":"0x1_temperature","object_id":"hall_temperature",
              "default_entity_id":"sensor.hall_temperature","origin":{"name":"z"}})");
  EXPECT_EQ(verdict(), "made");
  EXPECT_EQ(value("sensor.hall_temperature"), "unknown");
  receive("z/hall", R"({"temperature":21.5,"humidity":40})");
  EXPECT_EQ(value("sensor.hall_temperature"), "21.5");
  EXPECT_EQ(attribute("sensor.hall_temperature", "friendly_name"), R"("Hall Temperature")");
  EXPECT_EQ(attribute("sensor.hall_temperature", "unit_of_measurement"), R"("°C")");
  const auto registry = home.hub.registry.snapshot();
  const core::Device* const device = registry->devices.find("mqtt.zigbee_0x1");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->manufacturer, "Acme");
}

TEST_F(DiscoveryTest, ExpandsShortNamesAndBaseTopics) {
  receive("homeassistant/switch/plug/config",
          R"({"~":"tasmota/plug","name":"Relay","uniq_id":"p1","stat_t":"~/stat","cmd_t":"cmnd/~","pl_on":"1",
              "pl_off":"0","avty_t":"~/LWT","pl_avail":"Online","pl_not_avail":"Offline",
              "dev":{"ids":"p","name":"Plug","mf":"X","mdl":"Y","sw":"1"}})");
  EXPECT_EQ(value("switch.plug_relay"), "unavailable");
  receive("tasmota/plug/LWT", "Online");
  EXPECT_EQ(value("switch.plug_relay"), "unknown");
  receive("tasmota/plug/stat", "1");
  EXPECT_EQ(value("switch.plug_relay"), "on");
  EXPECT_EQ(call("switch.turn_off", R"({"entity_id":"switch.plug_relay"})"), "waiting | cmnd/tasmota/plug=0");
  receive("tasmota/plug/stat", "0");
  EXPECT_EQ(value("switch.plug_relay"), "off");
}

TEST_F(DiscoveryTest, ServiceCallsWaitForTheDevicesAnswer) {
  describe("switch", "a", R"("name":"A","command_topic":"c","state_topic":"s")");
  receive("s", "OFF");
  const auto waiting = home.begin("switch.turn_on", R"({"entity_id":"switch.lab_a"})");
  EXPECT_EQ(waiting->text(), "waiting");
  receive("s", "ON");
  EXPECT_EQ(waiting->text(), "switch.lab_a on");
}

TEST_F(DiscoveryTest, WhatTheDeviceWasBeforeIsNoAnswerToACallThatAsksForAChange) {
  describe("switch", "a", R"("name":"A","command_topic":"c","state_topic":"s")");
  describe("light", "b", R"("name":"B","schema":"json","command_topic":"c","state_topic":"l","brightness":true)");
  describe("climate", "h", R"("name":"H","temperature_command_topic":"c","temperature_state_topic":"t",
      "mode_command_topic":"c","mode_state_topic":"m")");
  const auto say_again = [&] {  // as after a reconnection
    receive("s", "OFF");
    receive("l", R"({"state":"ON","brightness":100})");
    receive("m", "heat");
    receive("t", "20");
  };
  say_again();
  const auto plug = home.begin("switch.turn_on", R"({"entity_id":"switch.lab_a"})");
  const auto lamp = home.begin("light.turn_on", R"({"entity_id":"light.lab_b","brightness":200})");
  const auto heating = home.begin("climate.set_temperature", R"({"entity_id":"climate.lab_h","temperature":22})");
  say_again();
  for (const auto& call : {plug, lamp, heating}) EXPECT_EQ(call->text(), "waiting");
  receive("s", "ON");
  receive("l", R"({"state":"ON","brightness":200})");
  receive("t", "22");
  EXPECT_EQ(plug->text(), "switch.lab_a on");
  EXPECT_EQ(lamp->text(), "light.lab_b on");
  EXPECT_EQ(heating->text(), "climate.lab_h heat");
  // A call that asks for nothing new is answered by what stays.
  const auto same = home.begin("switch.turn_on", R"({"entity_id":"switch.lab_a"})");
  receive("s", "ON");
  EXPECT_EQ(same->text(), "");
}

TEST_F(DiscoveryTest, DropsWrongOptionalKeysAndSaysWhy) {
  describe("sensor", "a", R"("state_topic":"s","state_class":"nonsense","expire_after":-1,"icon":"mdi:x","qos":7)");
  EXPECT_EQ(verdict(),
            "dropped: state_class: expected one of measurement, measurement_angle, total, total_increasing, got "
            "\"nonsense\"; expire_after: expected a number from 0 to 1000000000, got -1; qos: expected a number from 0 "
            "to 2, got 7");
  EXPECT_EQ(attribute("sensor.lab_mqtt_sensor", "icon"), R"("mdi:x")");
}

TEST_F(DiscoveryTest, RefusesWhatCannotBeUsed) {
  const auto refused = [&](std::string payload) {
    receive("homeassistant/switch/x/config", std::move(payload));
    return verdict();
  };
  EXPECT_EQ(refused(R"({"state_topic":"s"})"), "refused: command_topic: expected, but missing");
  EXPECT_EQ(refused(R"({"command_topic":5})"), "refused: command_topic: expected a topic, got 5");
  EXPECT_EQ(refused(R"([])"), "refused: expected a JSON object");
  EXPECT_EQ(refused("{").substr(0, 17), "refused: not JSON");
  receive("homeassistant/teapot/x/config", "{}");
  EXPECT_EQ(verdict("homeassistant/teapot/x/config"), "refused: teapot is no component that the hub knows");
  EXPECT_TRUE(home.hub.registry.snapshot()->entities.empty());
}

TEST_F(DiscoveryTest, AnEmptyPayloadRemovesTheEntity) {
  describe("sensor", "a", R"("state_topic":"s")");
  EXPECT_TRUE(home.hub.states.find("sensor.lab_mqtt_sensor"));
  receive("homeassistant/sensor/a/config", "");
  EXPECT_FALSE(home.hub.states.find("sensor.lab_mqtt_sensor"));
  EXPECT_TRUE(home.hub.registry.snapshot()->entities.empty());
  EXPECT_TRUE(discovery->report().empty());
  EXPECT_EQ(broker.filters(), 4u);
}

TEST_F(DiscoveryTest, ARepeatedMessageUpdatesInPlace) {
  describe("sensor", "a", R"("name":"One","state_topic":"s")");
  receive("s", "5");
  describe("sensor", "a", R"("name":"Two","state_topic":"t")");
  EXPECT_EQ(value("sensor.lab_one"), "5");
  EXPECT_EQ(attribute("sensor.lab_one", "friendly_name"), R"("Lab Two")");
  receive("s", "6");
  EXPECT_EQ(value("sensor.lab_one"), "5");
  receive("t", "7");
  EXPECT_EQ(value("sensor.lab_one"), "7");
}

TEST_F(DiscoveryTest, EntitiesAreThereAfterARestartBeforeAnyMessage) {
  describe("sensor", "a", R"("name":"One","state_topic":"s","availability_topic":"av")");
  describe("light", "b", R"("name":null,"schema":"json","command_topic":"c","state_topic":"l","brightness":true)");
  receive("av", "online");
  receive("s", "5");
  receive("l", R"({"state":"ON","brightness":100})");
  // As IntegrationRunner does when the home stops and starts again.
  discovery.reset();
  for (const char* id : {"sensor.lab_one", "light.lab"}) home.domains.entities().withdraw(id);
  begin();
  EXPECT_EQ(value("sensor.lab_one"), "5");
  EXPECT_EQ(value("light.lab"), "on");
  EXPECT_EQ(attribute("light.lab", "brightness"), "100");
  EXPECT_EQ(verdict(), "made");
  receive("av", "offline");
  EXPECT_EQ(value("sensor.lab_one"), "unavailable");
}

TEST_F(DiscoveryTest, ARestartKeepsTheUnitThatTheUserWants) {
  describe("sensor", "a", R"("name":"One","state_topic":"s","unit_of_measurement":"°C","device_class":"temperature")");
  receive("s", "21.5");
  home.hub.registry
      .update_entity("sensor.lab_one", {.options = {{"sensor", json::object{{"unit_of_measurement", "°F"}}}}},
                     core::Context{})
      .value();
  home.hub.bus.run_pending();
  EXPECT_EQ(value("sensor.lab_one"), "70.7");
  discovery.reset();
  home.domains.entities().withdraw("sensor.lab_one");
  begin();
  EXPECT_EQ(value("sensor.lab_one"), "70.7");
}

TEST_F(DiscoveryTest, TheBrokersLossMakesEntitiesUnavailable) {
  describe("sensor", "a", R"("name":"One","state_topic":"s")");
  receive("s", "5");
  broker.set_online(false);
  home.hub.bus.run_pending();
  EXPECT_EQ(value("sensor.lab_one"), "unavailable");
  broker.set_online(true);
  home.hub.bus.run_pending();
  EXPECT_EQ(value("sensor.lab_one"), "5");
}

TEST_F(DiscoveryTest, WhatWasRemovedMeanwhileGoes) {
  for (const char* id : {"a", "b", "c"})
    describe("sensor", id, fmt::format(R"("name":"{}","state_topic":"s")", id), true);
  const auto come_back = [&](std::initializer_list<const char*> kept) {
    broker.set_online(false);
    broker.set_online(true);
    for (const char* id : kept) describe("sensor", id, fmt::format(R"("name":"{}","state_topic":"s")", id), true);
    home.advance(seconds(21), seconds(1));
  };
  come_back({"a"});  // a broker that has lost most of it
  EXPECT_EQ(discovery->report().size(), 3u);
  come_back({"a", "b"});
  EXPECT_EQ(discovery->report().size(), 2u);
  EXPECT_FALSE(home.hub.states.find("sensor.lab_c"));
  come_back({"a", "b"});
  EXPECT_EQ(discovery->report().size(), 2u);
}

TEST_F(DiscoveryTest, ADeviceMessageHasManyComponents) {
  const std::string topic = "homeassistant/device/kitchen/config";
  const std::string head = R"({"dev":{"ids":"ea33","name":"Kitchen node"},"o":{"name":"acme2mqtt"},)"
                           R"("state_topic":"kn1/state","availability_topic":"kn1/lwt","qos":1,"cmps":{)";
  receive(topic, head + R"("temp":{"p":"sensor","device_class":"temperature","unit_of_measurement":"°C",
      "value_template":"{{ value_json.t }}","unique_id":"kn1_t"},
      "hum":{"p":"sensor","device_class":"humidity","unit_of_measurement":"%","value_template":"{{ value_json.h }}",
      "unique_id":"kn1_h"},"bad":{"p":"sensor"},"worse":{"unique_id":"x"}}})");
  receive("kn1/lwt", "online");
  receive("kn1/state", R"({"t":20,"h":55.5})");
  EXPECT_EQ(value("sensor.kitchen_node_temperature"), "20");
  EXPECT_EQ(value("sensor.kitchen_node_humidity"), "55.5");
  EXPECT_EQ(discovery->report().size(), 3u);
  receive(topic, head + R"("temp":{"p":"sensor"},"hum":{"p":"sensor","device_class":"humidity",
      "value_template":"{{ value_json.h }}","unique_id":"kn1_h"}}})");
  EXPECT_FALSE(home.hub.states.find("sensor.kitchen_node_temperature"));
  EXPECT_EQ(value("sensor.kitchen_node_humidity"), "55.5");
  receive(topic, "");
  EXPECT_FALSE(home.hub.states.find("sensor.kitchen_node_humidity"));
}

TEST_F(DiscoveryTest, ADeviceMessageTakesOverFromSingleOnes) {
  const std::string single = "homeassistant/sensor/kn/temp/config";
  receive(single,
          R"({"unique_id":"kn1_t","name":"Temp","state_topic":"s","device":{"identifiers":"ea33","name":"K"}})");
  receive("s", "4");
  home.hub.registry.update_entity("sensor.k_temp", {.name = core::OptionalText("Mine")}, core::Context{}).value();
  receive(single, R"({"migrate_discovery":true})");
  receive("homeassistant/device/kn/config",
          R"({"dev":{"ids":"ea33","name":"K"},"o":{"name":"x"},"cmps":{"t":{"p":"sensor","unique_id":"kn1_t",
              "state_topic":"s","name":"Temp"}}})");
  receive(single, "");
  EXPECT_EQ(value("sensor.k_temp"), "4");
  EXPECT_EQ(attribute("sensor.k_temp", "friendly_name"), R"("Mine")");
  receive("s", "5");
  EXPECT_EQ(value("sensor.k_temp"), "5");
  EXPECT_EQ(discovery->report().size(), 1u);
}

TEST_F(DiscoveryTest, TwoTopicsCannotHaveOneUniqueId) {
  describe("sensor", "a", R"("name":"One","state_topic":"s")");
  receive("homeassistant/sensor/b/config", R"({"unique_id":"a","state_topic":"t"})");
  EXPECT_EQ(verdict("homeassistant/sensor/b/config"), "refused: unique_id: a is in use by sensor.lab_one");
  EXPECT_EQ(attribute("sensor.lab_one", "friendly_name"), R"("Lab One")");
}

TEST_F(DiscoveryTest, NamesFollowTheirRules) {
  describe("sensor", "a", R"("name":null,"state_topic":"s")");
  describe("sensor", "b", R"("name":"","state_topic":"s")");
  describe("sensor", "c", R"("state_topic":"s","device_class":"pm25")");
  describe("sensor", "d", R"("state_topic":"s","name":"Lab Door"  )");
  describe("sensor", "e", R"("state_topic":"s","object_id":"wanted","name":"Other")");
  describe("sensor", "f", R"("state_topic":"s","default_entity_id":"sensor.wished","object_id":"wanted")");
  EXPECT_EQ(attribute("sensor.lab", "friendly_name"), R"("Lab")");
  EXPECT_EQ(attribute("sensor.lab_2", "friendly_name"), R"("Lab")");
  EXPECT_EQ(attribute("sensor.lab_pm2_5", "friendly_name"), R"("Lab PM2.5")");
  EXPECT_EQ(attribute("sensor.lab_door", "friendly_name"), R"("Lab Door")");
  EXPECT_EQ(attribute("sensor.wanted", "friendly_name"), R"("Lab Other")");
  EXPECT_EQ(attribute("sensor.wished", "friendly_name"), R"("Lab MQTT Sensor")");
}

TEST_F(DiscoveryTest, RendersAsPythonDoes) {
  describe("binary_sensor", "a",
           R"("name":"Door","state_topic":"z","payload_on":false,"payload_off":true,
              "value_template":"{{ value_json[\"contact\"] }}")");
  receive("z", R"({"contact":false})");
  EXPECT_EQ(value("binary_sensor.lab_door"), "on");
  receive("z", R"({"contact":true})");
  EXPECT_EQ(value("binary_sensor.lab_door"), "off");
  receive("z", R"({"other":1})");
  EXPECT_EQ(value("binary_sensor.lab_door"), "off");
  receive("z", R"({"contact":null})");
  EXPECT_EQ(value("binary_sensor.lab_door"), "unknown");
}

TEST_F(DiscoveryTest, AvailabilityModes) {
  const auto topics =
      R"("state_topic":"s","availability":[{"t":"x"},{"topic":"y","value_template":"{{ value_json.state }}"}])";
  describe("sensor", "a", fmt::format(R"("name":"All","availability_mode":"all",{})", topics));
  describe("sensor", "b", fmt::format(R"("name":"Any","availability_mode":"any",{})", topics));
  describe("sensor", "c", fmt::format(R"("name":"Latest",{})", topics));
  const auto all = [&] {
    return value("sensor.lab_all") + ' ' + value("sensor.lab_any") + ' ' + value("sensor.lab_latest");
  };
  EXPECT_EQ(all(), "unavailable unavailable unavailable");
  receive("x", "online");
  EXPECT_EQ(all(), "unavailable unknown unknown");
  receive("y", R"({"state":"online"})");
  EXPECT_EQ(all(), "unknown unknown unknown");
  receive("x", "offline");
  EXPECT_EQ(all(), "unavailable unknown unavailable");
}

TEST_F(DiscoveryTest, SilenceExpires) {
  describe("sensor", "a", R"("name":"One","state_topic":"s","expire_after":5)");
  EXPECT_EQ(value("sensor.lab_one"), "unknown");
  receive("s", "1");
  home.advance(seconds(4));
  EXPECT_EQ(value("sensor.lab_one"), "1");
  home.advance(seconds(2));
  EXPECT_EQ(value("sensor.lab_one"), "unavailable");
  receive("s", "1");
  EXPECT_EQ(value("sensor.lab_one"), "1");
}

TEST_F(DiscoveryTest, AMotionEndsByItself) {
  describe("binary_sensor", "a", R"("name":"Motion","state_topic":"s","off_delay":2)");
  receive("s", "ON");
  home.advance(seconds(1));
  receive("s", "ON");
  home.advance(milliseconds(1'500));
  EXPECT_EQ(value("binary_sensor.lab_motion"), "on");
  home.advance(seconds(1));
  EXPECT_EQ(value("binary_sensor.lab_motion"), "off");
}

TEST_F(DiscoveryTest, AttributesComeFromATopicOfTheirOwn) {
  describe("sensor", "a", R"("name":"One","state_topic":"s","json_attributes_topic":"j")");
  receive("s", "1");
  receive("j", R"({"linkquality":91,"icon":"mdi:evil","friendly_name":"evil"})");
  EXPECT_EQ(attribute("sensor.lab_one", "linkquality"), "91");
  EXPECT_EQ(attribute("sensor.lab_one", "friendly_name"), R"("Lab One")");
  EXPECT_EQ(attribute("sensor.lab_one", "icon"), "");
  receive("j", "no object");
  EXPECT_EQ(attribute("sensor.lab_one", "linkquality"), "91");
}

TEST_F(DiscoveryTest, ATriggerFiresAnEvent) {
  describe("device_automation", "a",
           R"("automation_type":"trigger","type":"action","subtype":"double","payload":"double","topic":"b/action")");
  EXPECT_EQ(verdict(), "trigger");
  EXPECT_EQ(base::to_json(json::value(discovery->triggers_of("mqtt.lab"))),
            R"([{"platform":"device","domain":"mqtt","device_id":"mqtt.lab","type":"action","subtype":"double",)"
            R"("discovery_id":"a"}])");
  std::string fired;
  const auto listening =
      home.hub.bus.listen(kDeviceTrigger, [&](const core::Event& event) { core::write_data_json(fired, event); });
  receive("b/action", "single");
  receive("b/action", "double", true);
  EXPECT_EQ(fired, "");
  receive("b/action", "double");
  EXPECT_EQ(fired, R"({"domain":"mqtt","device_id":"mqtt.lab","type":"action","subtype":"double",)"
                   R"("discovery_id":"a","topic":"b/action","payload":"double","qos":0})");
}

TEST_F(DiscoveryTest, DevicesAreMergedAndConnected) {
  receive("homeassistant/sensor/a/config",
          R"({"unique_id":"a","state_topic":"s","device":{"identifiers":["d1"],"via_device":"bridge","name":"D"}})");
  receive("homeassistant/sensor/b/config",
          R"({"unique_id":"b","state_topic":"s","device":{"identifiers":["d1"],"connections":[["mac","aa"]],
              "sw_version":"2","suggested_area":"Attic"}})");
  receive(
      "homeassistant/sensor/c/config",
      R"({"unique_id":"c","state_topic":"s","device":{"identifiers":"bridge","name":"B","suggested_area":"Attic"}})");
  const auto registry = home.hub.registry.snapshot();
  ASSERT_EQ(registry->devices.size(), 2u);
  const core::Device& device = *registry->devices.find("mqtt.d1");
  EXPECT_EQ(device.name, "D");
  EXPECT_EQ(device.sw_version, "2");
  EXPECT_EQ(device.via_device_id, "mqtt.bridge");
  EXPECT_EQ(device.area_id, core::OptionalText());
  EXPECT_EQ(registry->devices.find("mqtt.bridge")->area_id, "attic");
}

}  // namespace
}  // namespace hearth::integrations::mqtt
