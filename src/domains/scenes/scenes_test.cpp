// SPDX-License-Identifier: Apache-2.0
#include "domains/scenes/scenes.h"

#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// A home with a pump, a valve that takes positions, and a number from 0 to 100.
struct ScenesTest : testing::Test {
  ScenesTest() {
    add(kSwitch, pump_, "pump", {}, false);
    add(kValve, valve_, "water", {.features = "open close set_position"}, nullptr);
    valve_.thing->report({.attributes = {{"current_position", 0}}});
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local,
                      core::Context::create(home.clock.now()));
    home.hub.bus.run_pending();
  }
  void add(const Kind& kind, TestDevice& device, std::string id, Abilities can, OptionalValue value) {
    device.thing = &home.add(std::make_unique<Thing>(kind, test_entity(std::move(id)), std::move(can), &device));
    device.thing->report({.value = std::move(value)});
    home.hub.bus.run_pending();
  }
  std::string call(std::string_view service, const json::object& data) {
    const std::string answer = home.call("scene." + std::string(service), base::to_json(data));
    home.advance(std::chrono::seconds(3));
    return answer;
  }

  TestHome home;
  TestDevice pump_, valve_;
};

TEST_F(ScenesTest, AppliesStatesWithTheServicesOfTheirDomains) {
  call("apply",
       {{"entities", {{"switch.pump", "on"}, {"valve.water", {{"state", "open"}, {"current_position", 40}}}}}});
  EXPECT_EQ(pump_.told, "turn_on ");
  EXPECT_EQ(valve_.told, R"(set_valve_position{"position":40} )");
}

TEST_F(ScenesTest, DoesNothingIfOneStateCannotBe) {
  EXPECT_EQ(call("apply", {{"entities", {{"switch.pump", "on"}, {"valve.water", "perhaps"}}}}),
            "invalid: entities: valve.water: state: expected one of open, opening, closed, closing, got \"perhaps\"");
  EXPECT_EQ(call("apply", {{"entities", {{"switch.pump", "on"}, {"valve.water", "opening"}}}}),
            "invalid: valve.water: no service of valve brings about opening");
  EXPECT_EQ(pump_.told, "");
}

TEST_F(ScenesTest, LeavesOutWhatIsNotThere) {
  call("apply", {{"entities", {{"switch.none", "on"}, {"switch.pump", true}}}});
  EXPECT_EQ(pump_.told, "turn_on ");
}

TEST_F(ScenesTest, CreatesActivatesAndDeletes) {
  EXPECT_EQ(call("create", {{"scene_id", "dry"}, {"entities", {{"switch.pump", "on"}}}}), "");
  EXPECT_EQ(home.attribute("scene.dry", "entity_id"), R"(["switch.pump"])");
  call("turn_on", {{"entity_id", "scene.dry"}});
  EXPECT_EQ(pump_.told, "turn_on ");
  EXPECT_TRUE(home.value("scene.dry").starts_with("2026-11-21T"));
  call("create", {{"scene_id", "dry"}, {"entities", {{"switch.pump", "on"}, {"valve.water", "closed"}}}});
  EXPECT_EQ(home.attribute("scene.dry", "entity_id"), R"(["switch.pump","valve.water"])");
  call("delete", {{"entity_id", "scene.dry"}});
  EXPECT_EQ(home.value("scene.dry"), "");
  EXPECT_EQ(home.hub.registry.snapshot()->items.size(), 0u);
}

TEST_F(ScenesTest, TakesStatesAsTheyAre) {
  pump_.thing->report({.value = true});
  home.hub.bus.run_pending();
  call("create", {{"scene_id", "now"}, {"snapshot_entities", {"switch.pump"}}});
  pump_.thing->report({.value = false});
  home.hub.bus.run_pending();
  call("turn_on", {{"entity_id", "scene.now"}});
  EXPECT_EQ(pump_.told, "turn_on ");
}

TEST_F(ScenesTest, CreatesWithoutWhatCannotBeBroughtAbout) {
  valve_.thing->set_available(false);
  home.hub.bus.run_pending();
  EXPECT_EQ(call("create", {{"scene_id", "some"},
                            {"entities", {{"sensor.x", "5"}, {"switch.pump", "perhaps"}, {"switch.later", "on"}}},
                            {"snapshot_entities", {"valve.water", "switch.none", "switch.pump"}}}),
            "");
  EXPECT_EQ(home.attribute("scene.some", "entity_id"), R"(["switch.later","switch.pump"])");
  EXPECT_EQ(call("create", {{"scene_id", "some"}, {"snapshot_entities", {"valve.water"}}}), "");
  EXPECT_EQ(home.attribute("scene.some", "entity_id"), R"(["switch.later","switch.pump"])");
  EXPECT_EQ(call("create", {{"scene_id", "none"}, {"entities", {{"sensor.x", "5"}}}}), "");
  EXPECT_EQ(home.value("scene.none"), "");
}

TEST_F(ScenesTest, RefusesWhatCannotBeCreated) {
  const auto create = [&](json::object data) { return call("create", data); };
  EXPECT_EQ(create({{"scene_id", "a b"}, {"entities", {{"switch.pump", "on"}}}}),
            "invalid: scene_id: expected letters, digits and underscores, got a b");
  EXPECT_EQ(create({{"scene_id", "a"}}), "invalid: entities, snapshot_entities: expected 1 to 500 entities.");
  json::object many;
  for (std::size_t i = 0; i <= Scenes::kMaxEntities; ++i) many["switch.n" + std::to_string(i)] = "on";
  EXPECT_EQ(create({{"scene_id", "a"}, {"entities", many}}),
            "invalid: entities, snapshot_entities: expected 1 to 500 entities.");
  TestDevice other;
  add(kScene, other, "theirs", {}, nullptr);
  EXPECT_EQ(create({{"scene_id", "theirs"}, {"entities", {{"switch.pump", "on"}}}}),
            "invalid: scene_id: scene.theirs belongs to test.");
  EXPECT_EQ(call("delete", {{"entity_id", "scene.theirs"}}),
            "invalid: entity_id: scene.theirs was not made by scene.create.");
  EXPECT_EQ(home.hub.registry.snapshot()->items.size(), 0u);
}

}  // namespace
}  // namespace hearth::domains
