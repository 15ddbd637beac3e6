// SPDX-License-Identifier: Apache-2.0
#include "domains/scenes/file_scenes.h"

#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// A home with a pump and a valve that takes positions.
struct FileScenesTest : testing::Test {
  FileScenesTest() {
    add(kSwitch, pump_, "pump", {}, false);
    add(kValve, valve_, "water", {.features = "open close set_position"}, nullptr);
    valve_.thing->report({.attributes = {{"current_position", 0}}});
    home.hub.bus.run_pending();
  }
  void add(const Kind& kind, TestDevice& device, std::string id, Abilities can, OptionalValue value) {
    device.thing = &home.add(std::make_unique<Thing>(kind, test_entity(std::move(id)), std::move(can), &device));
    device.thing->report({.value = std::move(value)});
  }
  static SceneItem item(std::string id, json::object entities) {
    SceneItem made;
    made.unique_id = made.object_id = made.name = std::move(id);
    made.entities = std::move(entities);
    return made;
  }
  void apply(const std::vector<SceneItem>& items, bool complete = true) {
    configured::Section<std::shared_ptr<const SceneItem>> scenes;
    for (const SceneItem& each : items) scenes.plans.push_back(std::make_shared<const SceneItem>(each));
    scenes.complete = complete;
    home.domains.file_scenes().apply(scenes);
    home.hub.bus.run_pending();
  }
  void turn_on(std::string_view data) {
    home.call("scene.turn_on", data);
    home.advance(std::chrono::seconds(3));
  }

  TestHome home;
  TestDevice pump_, valve_;
};

TEST_F(FileScenesTest, BringAboutTheirStates) {
  SceneItem dry = item("dry", {{"switch.pump", "on"}, {"valve.water", {{"state", "open"}, {"current_position", 40}}}});
  dry.has_id = true;
  dry.icon = "mdi:water";
  apply({dry});
  EXPECT_EQ(home.value("scene.dry"), "unknown");
  EXPECT_EQ(home.attribute("scene.dry", "entity_id"), R"(["switch.pump","valve.water"])");
  EXPECT_EQ(home.attribute("scene.dry", "id"), "\"dry\"");
  EXPECT_EQ(home.attribute("scene.dry", "icon"), "\"mdi:water\"");
  turn_on(R"({"entity_id": "scene.dry"})");
  EXPECT_EQ(pump_.told, "turn_on ");
  EXPECT_EQ(valve_.told, R"(set_valve_position{"position":40} )");
  EXPECT_NE(home.value("scene.dry"), "unknown");
}

TEST_F(FileScenesTest, LeaveOutWhatCannotBeAndDoTheRest) {
  apply(
      {item("dry", {{"valve.water", "opening"}, {"sun.sun", "above"}, {"switch.none", "on"}, {"switch.pump", "on"}})});
  turn_on(R"({"entity_id": "scene.dry"})");
  EXPECT_EQ(pump_.told, "turn_on ");
  EXPECT_EQ(valve_.told, "");
}

TEST_F(FileScenesTest, FollowTheFiles) {
  apply({item("one", {{"switch.pump", "on"}}), item("two", {{"switch.pump", "on"}})});
  turn_on(R"({"entity_id": "scene.two"})");
  const std::string activated = home.value("scene.two");
  apply({item("two", {{"switch.pump", "off"}, {"valve.water", "open"}})});
  EXPECT_EQ(home.value("scene.one"), "");
  EXPECT_EQ(home.value("scene.two"), activated);
  EXPECT_EQ(home.attribute("scene.two", "entity_id"), R"(["switch.pump","valve.water"])");
  SceneItem broken = item("two", {});
  broken.error = "f.yaml:1: entities: …";
  apply({broken});
  EXPECT_EQ(home.attribute("scene.two", "entity_id"), R"(["switch.pump","valve.water"])");
  apply({}, false);
  EXPECT_EQ(home.value("scene.two"), activated);
}

TEST_F(FileScenesTest, ThatAreBrokenFromTheStartAreUnavailable) {
  SceneItem broken = item("one", {});
  broken.error = "f.yaml:1: entities: …";
  apply({broken});
  EXPECT_EQ(home.value("scene.one"), "unavailable");
  apply({item("one", {{"switch.pump", "on"}})});
  EXPECT_EQ(home.value("scene.one"), "unknown");
}

TEST_F(FileScenesTest, AskOnlyWhetherAutomationsAndScriptsAreOn) {
  home.hub.states.set(*core::EntityId::parse("automation.x"), {"on", "{}", core::Context::create(home.clock.now())})
      .value();
  const auto desired = DesiredState::parse("automation.x", "off");
  ASSERT_TRUE(desired);
  const auto calls = calls_for(*desired, *home.hub.states.find("automation.x"));
  ASSERT_TRUE(calls && calls->size() == 1);
  EXPECT_EQ(calls->front().service, "turn_off");
}

}  // namespace
}  // namespace hearth::domains
