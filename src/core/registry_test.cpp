// SPDX-License-Identifier: Apache-2.0
#include "core/registry.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

const EntityId kLamp = *EntityId::parse("light.lamp");

RegisteredEntity entity(std::string integration, std::string unique_id) {
  RegisteredEntity made;
  made.unique_id = std::move(unique_id);
  made.integration = std::move(integration);
  return made;
}

TEST(Registry, MakesAnAreaOnceForAName) {
  Registry registry;
  const Area kitchen = registry.ensure_area("Kitchen", "ground");
  EXPECT_EQ(kitchen.id, "kitchen");
  EXPECT_EQ(kitchen.floor_id, "ground");
  EXPECT_EQ(registry.ensure_area("Kitchen").id, "kitchen");
  EXPECT_EQ(registry.snapshot()->areas.size(), 1u);
  EXPECT_EQ(registry.snapshot()->areas.at("kitchen").floor_id, "ground");
}

TEST(Registry, GivesAreasOfOneSlugDifferentIds) {
  Registry registry;
  EXPECT_EQ(registry.ensure_area("Living room").id, "living_room");
  EXPECT_EQ(registry.ensure_area("Living-room").id, "living_room_2");
  EXPECT_EQ(registry.ensure_area("LIVING ROOM").id, "living_room_3");
}

TEST(Registry, GivesAreasWithoutALetterASlugToo) {
  Registry registry;
  EXPECT_EQ(registry.ensure_area("客厅").id, "area");
  EXPECT_EQ(registry.ensure_area("厨房").id, "area_2");
}

TEST(Registry, RegistersAnEntityUnderTheIdItWants) {
  Registry registry;
  EXPECT_EQ(registry.put_entity(kLamp, entity("demo", "1"))->str(), "light.lamp");
  const auto data = registry.snapshot();
  EXPECT_EQ(data->entities.at("light.lamp").entity_id, "light.lamp");
  EXPECT_EQ(data->entities.at("light.lamp").unique_id, "1");
}

TEST(Registry, CountsUpWhereAnotherEntityHasTheId) {
  Registry registry;
  registry.put_entity(kLamp, entity("demo", "1")).value();
  EXPECT_EQ(registry.put_entity(kLamp, entity("demo", "2"))->str(), "light.lamp_2");
  EXPECT_EQ(registry.put_entity(kLamp, entity("mqtt", "1"))->str(), "light.lamp_3");
}

TEST(Registry, KeepsTheIdOfAnEntityThatComesAgain) {
  Registry registry;
  registry.put_entity(kLamp, entity("demo", "1")).value();
  registry.put_entity(kLamp, entity("demo", "2")).value();
  auto renamed = entity("demo", "2");
  renamed.name = "Second lamp";
  EXPECT_EQ(registry.put_entity(*EntityId::parse("light.other"), renamed)->str(), "light.lamp_2");
  EXPECT_EQ(registry.snapshot()->entities.size(), 2u);
  EXPECT_EQ(registry.snapshot()->entities.at("light.lamp_2").name, "Second lamp");
}

TEST(Registry, RefusesAnIdThatGrowsTooLong) {
  Registry registry;
  const EntityId longest = *EntityId::parse("light." + std::string(249, 'a'));
  registry.put_entity(longest, entity("demo", "1")).value();
  const auto second = registry.put_entity(longest, entity("demo", "2"));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::invalid);
  EXPECT_EQ(registry.snapshot()->entities.size(), 1u);
}

TEST(Registry, ForgetsARemovedEntity) {
  Registry registry;
  registry.put_entity(kLamp, entity("demo", "1")).value();
  registry.remove_entity("light.lamp");
  registry.remove_entity("light.none");
  EXPECT_TRUE(registry.snapshot()->entities.empty());
  EXPECT_EQ(registry.put_entity(kLamp, entity("demo", "2"))->str(), "light.lamp");
}

TEST(Registry, FindsTheAreaOfAnEntityOrOfItsDevice) {
  Registry registry;
  registry.ensure_area("Kitchen");
  registry.ensure_area("Hall");
  registry.put_device(
      {.id = "demo.lamp", .name = "Lamp", .manufacturer = "", .model = "", .area_id = "hall", .labels = {}});
  const auto data = registry.snapshot();
  auto lamp = entity("demo", "1");
  EXPECT_EQ(data->area_of(lamp), nullptr);
  lamp.device_id = "demo.lamp";
  ASSERT_TRUE(data->area_of(lamp));
  EXPECT_EQ(data->area_of(lamp)->id, "hall");
  lamp.area_id = "kitchen";
  EXPECT_EQ(data->area_of(lamp)->id, "kitchen");
  lamp.area_id = "cellar";
  EXPECT_EQ(data->area_of(lamp), nullptr);
  lamp.area_id.reset();
  lamp.device_id = "demo.none";
  EXPECT_EQ(data->area_of(lamp), nullptr);
}

TEST(Registry, LeavesSnapshotsAsTheyWere) {
  Registry registry;
  const auto before = registry.snapshot();
  registry.put_entity(kLamp, entity("demo", "1")).value();
  registry.ensure_area("Kitchen");
  EXPECT_TRUE(before->entities.empty());
  EXPECT_TRUE(before->areas.empty());
}

}  // namespace
}  // namespace hearth::core
