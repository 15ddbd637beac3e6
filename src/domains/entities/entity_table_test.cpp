// SPDX-License-Identifier: Apache-2.0
// The user's changes in the registry, and how the states follow.
#include "domains/entities/entity_table.h"

#include <gtest/gtest.h>

#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

const core::Context kUser{"C", {}, "user"};

struct EntityFollows : testing::Test {
  EntityFollows() {
    home.hub.registry.put_device({.id = "test.box", .name = "Box"});
    EntityInfo info = test_entity("pump");
    info.name = "Pump";
    info.icon = "mdi:pump";
    info.device_class = "outlet";
    info.device_id = "test.box";
    pump = &home.add(std::make_unique<Thing>(kSwitch, info, Abilities(), &device));
    pump->report({.value = true});
  }
  void update(std::string_view id, core::EntityEdit edit) {
    home.hub.registry.update_entity(std::string(id), std::move(edit), kUser).value();
    home.hub.bus.run_pending();
  }
  Thing& add(std::string object_id) {
    return home.add(std::make_unique<Thing>(kSwitch, test_entity(object_id), Abilities(), &device));
  }

  TestDevice device;
  TestHome home;
  Thing* pump;
};

TEST_F(EntityFollows, ANewNameIconAndClass) {
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"Pump\"");
  update("switch.pump", {.name = "Fountain", .icon = "mdi:fountain", .device_class = "switch"});
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"Fountain\"");
  EXPECT_EQ(home.attribute("switch.pump", "icon"), "\"mdi:fountain\"");
  EXPECT_EQ(home.attribute("switch.pump", "device_class"), "\"switch\"");
  EXPECT_EQ(home.value("switch.pump"), "on");
  EXPECT_EQ(home.hub.states.find("switch.pump")->context(), kUser);
  update("switch.pump", {.name = core::OptionalText(), .icon = core::OptionalText()});
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"Pump\"");
  EXPECT_EQ(home.attribute("switch.pump", "icon"), "\"mdi:pump\"");
}

TEST_F(EntityFollows, ItsIntegrationBeforeTheBusRuns) {
  EntityInfo info = pump->info();
  info.name = "Well";
  home.domains.entities().describe(*pump, info);
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"Well\"");
  const auto shown = home.hub.states.find("switch.pump");
  home.hub.bus.run_pending();
  EXPECT_EQ(home.hub.states.find("switch.pump"), shown);
}

TEST_F(EntityFollows, OneThatTakesItsPlace) {
  update("switch.pump", {.name = "Fountain"});
  const std::string id(pump->registry_id());
  const std::unique_ptr<Entity> former = home.domains.entities().withdraw("switch.pump");
  EXPECT_EQ(former.get(), pump);
  EXPECT_EQ(home.domains.entities().withdraw("switch.pump"), nullptr);
  EXPECT_EQ(home.value("switch.pump"), "on");
  Thing& other = add("pump");
  EXPECT_EQ(other.registry_id(), id);
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"Fountain\"");
}

TEST_F(EntityFollows, TheNameOfItsDevice) {
  EntityInfo info = test_entity("box_power");
  info.name = "Power";
  info.device_id = "test.box";
  info.has_entity_name = true;
  home.add(std::make_unique<Thing>(kSwitch, info, Abilities(), &device));
  EXPECT_EQ(home.attribute("switch.box_power", "friendly_name"), "\"Box Power\"");
  home.hub.registry.update_device("test.box", {.name_by_user = "My box"}, kUser).value();
  home.hub.bus.run_pending();
  EXPECT_EQ(home.attribute("switch.box_power", "friendly_name"), "\"My box Power\"");
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"Pump\"");
}

TEST_F(EntityFollows, ANewEntityId) {
  std::string told;
  const auto listener = home.hub.bus.listen("state_changed", [&](const core::Event& event) {
    const auto& change = *event.state_change();
    told += change.new_state ? "+" + std::string(change.new_state->entity_id()) + ' '
                             : "-" + std::string(change.old_state->entity_id()) + ' ';
  });
  update("switch.pump", {.new_entity_id = "switch.fountain"});
  EXPECT_EQ(told, "-switch.pump +switch.fountain ");
  EXPECT_EQ(home.value("switch.fountain"), "on");
  EXPECT_EQ(home.attribute("switch.fountain", "friendly_name"), "\"Pump\"");
  home.begin("switch.turn_off", R"({"entity_id": "switch.fountain"})");
  EXPECT_EQ(device.told, "turn_off ");
  EXPECT_EQ(home.call("switch.turn_off", R"({"entity_id": "switch.pump"})"), "");
  EXPECT_EQ(device.told, "turn_off ");
  pump->report({.value = false});
  EXPECT_EQ(home.value("switch.fountain"), "off");
  EXPECT_EQ(home.value("switch.pump"), "");
  EXPECT_EQ(home.domains.entities().find("switch.pump"), nullptr);
}

TEST_F(EntityFollows, TwoThatSwapIdsBeforeTheBusRuns) {
  add("fan").report({.value = false});
  auto& registry = home.hub.registry;
  const auto rename = [&](const char* from, const char* to) {
    registry.update_entity(from, {.new_entity_id = to}, kUser).value();
  };
  rename("switch.pump", "switch.between");
  rename("switch.fan", "switch.pump");
  rename("switch.between", "switch.fan");
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("switch.fan"), "on");
  EXPECT_EQ(home.attribute("switch.fan", "icon"), "\"mdi:pump\"");
  EXPECT_EQ(home.value("switch.pump"), "off");
  EXPECT_EQ(home.hub.states.snapshot()->size(), 2u);
}

TEST_F(EntityFollows, AnIdThatAnotherTakesBeforeTheBusRuns) {
  home.hub.registry.update_entity("switch.pump", {.new_entity_id = "switch.fountain"}, kUser).value();
  EntityInfo info = test_entity("pump");
  info.unique_id = "another";
  Thing& other = *home.domains.entities().add(std::make_unique<Thing>(kSwitch, info, Abilities(), &device)).value();
  EXPECT_EQ(other.entity_id(), "switch.pump");
  other.report({.value = false});
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("switch.pump"), "off");
  EXPECT_EQ(home.value("switch.fountain"), "on");
}

TEST_F(EntityFollows, BeingDisabledAndEnabled) {
  update("switch.pump", {.disabled_by = core::ChangedBy::user});
  EXPECT_EQ(home.hub.states.find("switch.pump"), nullptr);
  EXPECT_EQ(home.domains.entities().find("switch.pump"), nullptr);
  pump->report({.value = false});
  EXPECT_EQ(home.hub.states.find("switch.pump"), nullptr);
  home.begin("switch.turn_on", R"({"device_id": "test.box"})");
  EXPECT_EQ(device.told, "");
  update("switch.pump", {.disabled_by = std::optional<core::ChangedBy>()});
  EXPECT_EQ(home.value("switch.pump"), "off");
  home.begin("switch.turn_on", R"({"device_id": "test.box"})");
  EXPECT_EQ(device.told, "turn_on ");
}

TEST_F(EntityFollows, ItsDeviceBeingDisabled) {
  const auto disable = [&](std::optional<core::ChangedBy> by) {
    home.hub.registry.update_device("test.box", {.disabled_by = by}, kUser).value();
    home.hub.bus.run_pending();
  };
  disable(core::ChangedBy::user);
  EXPECT_EQ(home.hub.states.find("switch.pump"), nullptr);
  disable({});
  EXPECT_EQ(home.value("switch.pump"), "on");
}

TEST_F(EntityFollows, ItsIntegrationInBeingDisabledAtFirst) {
  EntityInfo info = test_entity("detail");
  info.disabled = true;
  home.add(std::make_unique<Thing>(kSwitch, info, Abilities(), &device));
  EXPECT_EQ(home.hub.states.find("switch.detail"), nullptr);
  EXPECT_EQ(home.hub.registry.snapshot()->entities.at("switch.detail").disabled_by, core::ChangedBy::integration);
  update("switch.detail", {.disabled_by = std::optional<core::ChangedBy>()});
  EXPECT_EQ(home.value("switch.detail"), "unknown");
}

TEST_F(EntityFollows, ItsAreaAtOnceInTargets) {
  home.hub.registry.ensure_area("Garden");
  home.hub.registry.update_entity("switch.pump", {.area_id = "garden"}, kUser).value();
  home.begin("switch.turn_on", R"({"area_id": "garden"})");
  EXPECT_EQ(device.told, "turn_on ");
}

// An entity of before the restart that no integration has added since.
TEST_F(EntityFollows, NothingExceptThatItsStateMoves) {
  core::RegistryData kept;
  core::RegisteredEntity left;
  left.id = "0123456789abcdef0123456789abcdef";
  left.entity_id = "switch.left";
  left.unique_id = "left";
  left.integration = "gone";
  kept.set(left);
  TestHome other;
  other.hub.registry.restore(kept);
  const auto state = [&](const char* id) {
    other.hub.states.set(*core::EntityId::parse(id), {"on", R"({"x":1})", kUser}).value();
  };
  state("switch.left");
  state("switch.client");
  const auto run = [&](auto result) {
    result.value();
    other.hub.bus.run_pending();
  };
  run(other.hub.registry.update_entity("switch.left", {.new_entity_id = "switch.moved"}, kUser));
  EXPECT_EQ(other.value("switch.left"), "");
  EXPECT_EQ(other.value("switch.moved"), "on");
  EXPECT_EQ(other.attribute("switch.moved", "x"), "1");
  run(other.hub.registry.update_entity("switch.moved", {.disabled_by = core::ChangedBy::user}, kUser));
  EXPECT_EQ(other.value("switch.moved"), "");
  state("switch.moved");
  run(other.hub.registry.remove_entity("switch.moved", kUser));
  EXPECT_EQ(other.value("switch.moved"), "");
  EXPECT_EQ(other.value("switch.client"), "on");
}

TEST_F(EntityFollows, NoEventThatAClientFired) {
  for (const char* data : {R"({"action":"remove","entity_id":"switch.client"})", R"({"entity_id":1})", "{}",
                           R"({"action":"update","entity_id":"switch.x","old_entity_id":"switch.client"})"}) {
    home.hub.states.set(*core::EntityId::parse("switch.client"), {"on", "{}", kUser}).value();
    for (const auto label : {core::Origin::remote, core::Origin::local}) {
      home.hub.bus.fire("entity_registry_updated", data, label, kUser, core::FiredBy::client);
      home.hub.bus.fire("device_registry_updated", data, label, kUser, core::FiredBy::client);
    }
    home.hub.bus.run_pending();
    EXPECT_EQ(home.value("switch.client"), "on") << data;
  }
}

}  // namespace
}  // namespace hearth::domains
