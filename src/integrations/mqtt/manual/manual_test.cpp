// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/manual/manual.h"

#include "integrations/mqtt/discovery/discovery_test_home.h"

namespace hearth::integrations::mqtt {
namespace {

using base::ConfigNode;

// As a file has it in which everything stands in one line.
ConfigNode node_from(const json::value& value, std::string key, std::size_t line) {
  static const auto file = std::make_shared<const std::string>("configuration.yaml");
  ConfigNode::Place place{file, line, std::move(key)};
  if (value.is_object()) {
    ConfigNode::Map map;
    for (const auto& [name, each] : value.get_object())
      map.push_back({std::string(name), node_from(each, place.key + "." + std::string(name), line)});
    return ConfigNode(std::move(place), std::move(map));
  }
  if (value.is_array()) {
    ConfigNode::List list;
    for (const json::value& each : value.get_array())
      list.push_back(node_from(each, fmt::format("{}[{}]", place.key, list.size()), line));
    return ConfigNode(std::move(place), std::move(list));
  }
  if (value.is_string()) return ConfigNode(std::move(place), std::string(value.get_string()));
  return ConfigNode(std::move(place), base::to_json(value), {.plain = true});
}

ManualItems items_of(std::string_view section, std::size_t line = 1) {
  return read_manual_items(node_from(base::parse_json(section).value(), "mqtt", line));
}

class ManualTest : public DiscoveryHome {
 protected:
  void apply(std::string_view section, std::size_t line = 1) {
    discovery->apply(items_of(section, line));
    home.hub.bus.run_pending();
  }
  void restart(const ManualItems& items) {
    // As IntegrationRunner does when the home stops and starts again.
    discovery->stop();
    for (const auto& [id, entity] : home.hub.registry.snapshot()->entities) home.domains.entities().withdraw(id);
    discovery = std::make_unique<Discovery>(home.place(), broker, "homeassistant");
    EXPECT_TRUE(discovery->start(items));
    home.hub.bus.run_pending();
  }
  std::string unique_id(std::string_view entity_id) {
    const auto registry = home.hub.registry.snapshot();
    const auto* const found = registry->entities.find(entity_id);
    return found ? found->unique_id : "none";
  }
};

TEST_F(ManualTest, ItemsBecomeEntitiesAsMessagesDo) {
  apply(R"({"sensor":[{"name":"Balcony","stat_t":"b","unit_of_meas":"°C"}],
           "switch":[{"name":"Pump","unique_id":"p1","command_topic":"pump/set","state_topic":"pump",
                      "device":{"identifiers":"pump","name":"Garden"}}]})");
  receive("b", "21.5");
  receive("pump", "OFF");
  EXPECT_EQ(value("sensor.balcony"), "21.5");
  EXPECT_EQ(attribute("sensor.balcony", "unit_of_measurement"), R"("°C")");
  EXPECT_EQ(call("switch.turn_on", R"({"entity_id":"switch.garden_pump"})"), "waiting | pump/set=ON");
  EXPECT_EQ(unique_id("sensor.balcony"), "sensor yaml balcony");
  EXPECT_EQ(unique_id("switch.garden_pump"), "p1");
  EXPECT_EQ(verdict("configuration.yaml:1: mqtt.sensor[0]"), "made");
}

TEST_F(ManualTest, AReloadChangesWhatHasChangedOnly) {
  apply(R"({"sensor":[{"name":"A","state_topic":"a"},{"name":"B","state_topic":"b"},{"name":"C","state_topic":"c"}]})");
  for (const char* topic : {"a", "b", "c"}) receive(topic, "5");
  const auto before = home.hub.states.find("sensor.a");
  apply(R"({"sensor":[{"name":"A","state_topic":"a"},{"name":"B","state_topic":"b2"},{"name":"D","state_topic":"d"}]})",
        7);
  EXPECT_EQ(home.hub.states.find("sensor.a"), before);
  EXPECT_EQ(value("sensor.b"), "5");
  receive("b", "6");
  receive("b2", "7");
  EXPECT_EQ(value("sensor.b"), "7");
  EXPECT_EQ(unique_id("sensor.c"), "none");
  EXPECT_FALSE(home.hub.states.find("sensor.c"));
  EXPECT_EQ(value("sensor.d"), "unknown");
  EXPECT_EQ(verdict("configuration.yaml:7: mqtt.sensor[0]"), "made");
  apply("{}");
  EXPECT_TRUE(home.hub.registry.snapshot()->entities.empty());
  EXPECT_TRUE(home.hub.registry.snapshot()->items.empty());
  EXPECT_TRUE(discovery->report().empty());
}

TEST_F(ManualTest, ABrokenItemKeepsWhatItWasAndTheOthersGoOn) {
  apply(R"({"sensor":[{"name":"A","state_topic":"a"},{"name":"B","state_topic":"b"}]})");
  receive("a", "5");
  apply(R"({"sensor":[{"name":"A","state_topic":"a/#/x"},{"name":"B","state_topic":"b","icon":"mdi:x"}]})");
  EXPECT_EQ(verdict("configuration.yaml:1: mqtt.sensor[0]"),
            "refused: state_topic: expected a topic with + and # as whole levels only, got \"a/#/x\"");
  receive("a", "6");
  EXPECT_EQ(value("sensor.a"), "6");
  EXPECT_EQ(attribute("sensor.b", "icon"), R"("mdi:x")");
}

TEST_F(ManualTest, WhatCannotBeReadRemovesNothing) {
  apply(R"({"sensor":[{"name":"A","state_topic":"a"}],"switch":[{"name":"B","command_topic":"b"}]})");
  ManualItems unreadable;
  unreadable.faults.push_back({"configuration.yaml:3: mqtt.sensor", "sensors.yaml:2: not valid YAML: a tab"});
  unreadable.unread.insert("sensor");
  restart(unreadable);
  EXPECT_NE(unique_id("sensor.a"), "none");
  EXPECT_EQ(unique_id("switch.b"), "switch yaml b");
  EXPECT_EQ(verdict(), "refused: sensors.yaml:2: not valid YAML: a tab");
  restart({});
  EXPECT_EQ(unique_id("sensor.a"), "none");
  EXPECT_EQ(unique_id("switch.b"), "none");
}

TEST_F(ManualTest, WhatGoesWhileTheHubIsDownIsGoneAfterTheStart) {
  const std::string one = R"({"sensor":[{"name":"A","state_topic":"a"}]})";
  apply(R"({"sensor":[{"name":"A","state_topic":"a"},{"name":"B","unique_id":"b","state_topic":"b"}]})");
  receive("a", "5");
  restart(items_of(one));
  EXPECT_EQ(value("sensor.a"), "5");
  EXPECT_EQ(unique_id("sensor.b"), "none");
  EXPECT_FALSE(home.hub.states.find("sensor.b"));
  // A mistake is not removal.
  restart(items_of(R"({"sensor":[{"name":"A"}]})"));
  EXPECT_EQ(unique_id("sensor.a"), "sensor yaml a");
  restart(items_of(one));
  EXPECT_EQ(unique_id("sensor.a"), "sensor yaml a");
}

TEST_F(ManualTest, EqualNamesAreToldApart) {
  apply(R"({"sensor":[{"name":"A","state_topic":"a"},{"name":"A","state_topic":"b"},{"state_topic":"c"},
                     {"unique_id":"u","state_topic":"d"},{"unique_id":"u","state_topic":"e"}]})");
  EXPECT_EQ(unique_id("sensor.a"), "sensor yaml a");
  EXPECT_EQ(unique_id("sensor.a_2"), "sensor yaml a 2");
  EXPECT_EQ(unique_id("sensor.mqtt_sensor"), "sensor yaml");
  EXPECT_EQ(verdict("configuration.yaml:1: mqtt.sensor[4]"), "refused: unique_id: u is in use by sensor.mqtt_sensor_2");
}

TEST_F(ManualTest, WithoutDiscoveryTheyAreThereAllTheSame) {
  discovery = std::make_unique<Discovery>(home.place(), broker, "");
  EXPECT_TRUE(discovery->start(items_of(R"({"sensor":[{"name":"A","state_topic":"a"}]})")));
  describe("sensor", "x", R"("state_topic":"s")");
  receive("a", "5");
  EXPECT_EQ(value("sensor.a"), "5");
  EXPECT_EQ(discovery->report().size(), 1u);
}

TEST_F(ManualTest, SecretsAreNotShown) {
  ConfigNode::Map keys;
  const auto at = [](std::string key) { return ConfigNode::Place{nullptr, 1, "mqtt.lock[0]." + std::move(key)}; };
  keys.push_back({"command_topic", ConfigNode(at("command_topic"), "c")});
  keys.push_back({"payload_lock", ConfigNode(at("payload_lock"), "1234", {.plain = true, .secret = true})});
  keys.push_back({"qos", ConfigNode(at("qos"), "5678", {.plain = true, .secret = true})});
  ConfigNode::Map device{{"ids", ConfigNode(at("device.ids"), "d")}};
  keys.push_back({"dev", ConfigNode(at("device"), std::move(device))});
  ManualItems items;
  items.items.push_back({"lock", ConfigNode({nullptr, 1, "mqtt.lock[0]"}, std::move(keys))});
  discovery->apply(items);
  const std::string info = base::to_json(json::value(discovery->debug_info("mqtt.d")));
  EXPECT_TRUE(info.contains("\"payload_lock\":\"(secret)\"")) << info;
  EXPECT_FALSE(info.contains("1234"));
  const auto faults = faults_of(items.items[0], {{"qos", "expected a number from 0 to 2, got \"5678\""}}, "");
  EXPECT_EQ(faults.at(0), ":1: mqtt.lock[0].qos: expected a number from 0 to 2, got a secret");
}

}  // namespace
}  // namespace hearth::integrations::mqtt
