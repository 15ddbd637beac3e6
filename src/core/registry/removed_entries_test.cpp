// SPDX-License-Identifier: Apache-2.0
// A device or entity that is gone and comes back is what it was.
#include "core/registry/removed_entries.h"

#include <fmt/format.h>

#include "core/registry/registry_test_home.h"

namespace hearth::core {
namespace {

using namespace std::chrono_literals;

class RemovedEntriesTest : public RegistryTestHome {
 protected:
  // A device with what the user made of it; it is in an area, and has a label.
  void put_box() {
    registry.create_label({{"name", "Warm"}}, kUser).value();
    Device box{.id = "mqtt.box", .integration = "mqtt", .name = "Box"};
    box.identifiers = {{"mqtt", "1"}, {"mqtt", "one"}};
    box.connections = {{"mac", "02:00:00:00:00:01"}};
    registry.put_device(box);
    registry
        .update_device("mqtt.box",
                       {.name_by_user = "My box", .area_id = registry.ensure_area("Hall").id, .labels = Texts{"warm"}},
                       kUser)
        .value();
  }
  static RegisteredEntity lamp() {
    RegisteredEntity made = entity("mqtt", "1");
    made.device_id = "mqtt.box";
    return made;
  }
  // Its lamp, which the user has renamed.
  RegisteredEntity put_lamp_of_box() {
    registry.put_entity(kRegisteredLamp, lamp()).value();
    EntityEdit edit{.name = "My lamp", .area_id = registry.ensure_area("Attic").id, .new_entity_id = "light.mine"};
    edit.labels = Texts{"warm"};
    edit.options = {"light", json::object{{"x", 1}}};
    return registry.update_entity("light.lamp", edit, kUser).value();
  }
};

TEST_F(RemovedEntriesTest, ADeviceIsFoundByAnyIdentifierOrConnection) {
  put_box();
  const Device before = data()->devices.at("mqtt.box");
  Device by_identifier{.id = "mqtt.other", .integration = "mqtt"}, by_connection = by_identifier;
  by_identifier.identifiers = {{"mqtt", "one"}};
  by_connection.identifiers = {{"mqtt", "another"}};
  by_connection.connections = {{"mac", "02:00:00:00:00:01"}};
  for (const Device& again : {by_identifier, by_connection}) {
    registry.forget_devices({"mqtt.box"});
    static_cast<void>(events());
    const Device back = registry.put_device(again);
    EXPECT_EQ(back.id, "mqtt.box");
    EXPECT_EQ(back.name_by_user, before.name_by_user);
    EXPECT_EQ(back.area_id, before.area_id);
    EXPECT_EQ(back.labels, before.labels);
    EXPECT_EQ(data()->devices.at("mqtt.box"), back);
    EXPECT_EQ(data()->devices.size(), 1u);
    EXPECT_EQ(events(), Log{R"(device {"action":"create","device_id":"mqtt.box"})"});
    registry.forget_devices({"mqtt.box"});
    Device whole = before;
    registry.put_device(whole);
  }
}

TEST_F(RemovedEntriesTest, AnotherDeviceIsAnother) {
  put_box();
  registry.forget_devices({"mqtt.box"});
  Device other{.id = "mqtt.other", .integration = "mqtt"};
  other.identifiers = {{"mqtt", "2"}, {"mac", "02:00:00:00:00:01"}};
  other.connections = {{"mqtt", "1"}};
  EXPECT_EQ(registry.put_device(other).id, "mqtt.other");
  EXPECT_EQ(registry.put_device(other).name_by_user, OptionalText());
}

TEST_F(RemovedEntriesTest, AnIdThatIsTakenStaysWithItsDevice) {
  put_box();
  registry.forget_devices({"mqtt.box"});
  Device other{.id = "mqtt.box", .integration = "mqtt"};
  other.identifiers = {{"mqtt", "2"}};
  registry.put_device(other);
  Device again{.id = "mqtt.box_2", .integration = "mqtt"};
  again.identifiers = {{"mqtt", "1"}};
  const Device back = registry.put_device(again);
  EXPECT_EQ(back.id, "mqtt.box_2");
  EXPECT_EQ(back.name_by_user, "My box");
}

TEST_F(RemovedEntriesTest, AnEntityKeepsItsIdsAndWhatTheUserMadeOfIt) {
  put_box();
  const RegisteredEntity before = put_lamp_of_box();
  registry.forget_entity(before.id);
  EXPECT_FALSE(data()->find_entity_by_id(before.id));
  clock.advance(1h);
  const RegisteredEntity back = registry.put_entity(kRegisteredLamp, lamp()).value();
  EXPECT_EQ(back.id, before.id);
  EXPECT_EQ(back.entity_id, "light.mine");
  EXPECT_EQ(back.name, before.name);
  EXPECT_EQ(back.area_id, before.area_id);
  EXPECT_EQ(back.labels, before.labels);
  EXPECT_EQ(back.options, before.options);
  EXPECT_TRUE(back.provided);
  EXPECT_EQ(data()->removed.entities().size(), 0u);
}

// As when a bridge gives a device another name, and its entities new ids.
TEST_F(RemovedEntriesTest, AnEntityThatComesBackUnderAnotherIdHasThatUnlessTheUserChoseOne) {
  put_box();
  const RegisteredEntity before = registry.put_entity(kRegisteredLamp, lamp()).value();
  registry.forget_entity(before.id);
  const RegisteredEntity renamed = registry.put_entity(EntityId::parse("light.attic").value(), lamp()).value();
  EXPECT_EQ(renamed.id, before.id);
  EXPECT_EQ(renamed.entity_id, "light.attic");
  registry.update_entity("light.attic", {.new_entity_id = "light.mine"}, kUser).value();
  registry.forget_entity(before.id);
  EXPECT_EQ(registry.put_entity(EntityId::parse("light.cellar").value(), lamp())->entity_id, "light.mine");
}

TEST_F(RemovedEntriesTest, ANumberIsNotTheUsersChoice) {
  put_box();
  put_lamp();  // has light.lamp
  const RegisteredEntity second = registry.put_entity(kRegisteredLamp, lamp()).value();
  ASSERT_EQ(second.entity_id, "light.lamp_2");
  registry.forget_entity(second.id);
  EXPECT_EQ(registry.put_entity(kRegisteredLamp, lamp())->entity_id, "light.lamp_2");
  registry.forget_entity(second.id);
  EXPECT_EQ(registry.put_entity(EntityId::parse("light.attic").value(), lamp())->entity_id, "light.attic");
}

TEST_F(RemovedEntriesTest, AnEntityIdThatIsTakenStaysWithItsEntity) {
  put_box();
  const RegisteredEntity before = put_lamp_of_box();
  registry.forget_entity(before.id);
  registry.put_entity(EntityId::parse("light.mine").value(), entity("demo", "other")).value();
  const RegisteredEntity back = registry.put_entity(kRegisteredLamp, lamp()).value();
  EXPECT_EQ(back.id, before.id);
  EXPECT_EQ(back.entity_id, "light.lamp");
  EXPECT_EQ(back.name, "My lamp");
}

TEST_F(RemovedEntriesTest, TheUserMayRemoveAndGetItBackToo) {
  put_box();
  const RegisteredEntity before = put_lamp_of_box();
  RegistryData stored = *data();
  RegisteredEntity unprovided = before;
  unprovided.provided = false;
  stored.set(unprovided);
  registry.restore(stored);
  registry.remove_entity("light.mine", kUser).value();
  EXPECT_EQ(registry.put_entity(kRegisteredLamp, lamp())->name, "My lamp");
}

TEST_F(RemovedEntriesTest, NothingNamesAnAreaOrALabelThatIsGoneToo) {
  put_box();
  const RegisteredEntity before = put_lamp_of_box();
  registry.forget_entity(before.id);
  registry.forget_devices({"mqtt.box"});
  registry.delete_area("hall", kUser).value();
  registry.delete_area("attic", kUser).value();
  registry.delete_label("warm", kUser).value();
  Device box{.id = "mqtt.box", .integration = "mqtt"};
  box.identifiers = {{"mqtt", "1"}};
  const Device device = registry.put_device(box);
  EXPECT_EQ(device.name_by_user, "My box");
  EXPECT_EQ(device.area_id, OptionalText());
  EXPECT_EQ(device.labels, Texts());
  const RegisteredEntity back = registry.put_entity(kRegisteredLamp, lamp()).value();
  EXPECT_EQ(back.area_id, OptionalText());
  EXPECT_EQ(back.labels, Texts());
  EXPECT_FALSE(data()->find_item(kLabels, "warm"));
}

TEST_F(RemovedEntriesTest, WhatSomebodyMadeOrLeavesForGoodIsForgotten) {
  put_lamp();  // of no device
  registry.forget_entity(data()->entities.at("light.lamp").id);
  put_box();
  registry.put_entity(kRegisteredLamp, lamp()).value();
  registry.forget_integration({.devices = {"mqtt.box"}, .entities = {"light.lamp"}, .areas = {}, .floors = {}});
  EXPECT_EQ(data()->removed.entities().size(), 0u);
  EXPECT_EQ(data()->removed.devices().size(), 0u);
}

TEST(RemovedEntriesBound, ForgetsThoseThatWentFirst) {
  RemovedEntries removed;
  const auto number_of = [](std::size_t i) { return std::to_string(i); };
  for (std::size_t i = 0; i <= RemovedEntries::kMost; ++i) {
    RegisteredEntity gone = entity("mqtt", number_of(i));
    gone.entity_id = "light.n" + number_of(i);
    gone.modified_at = base::Timestamp(std::chrono::seconds(i));
    removed.add(gone);
    Device device{.id = "mqtt." + number_of(i)};
    device.identifiers = {{"mqtt", number_of(i)}};
    device.modified_at = gone.modified_at;
    removed.add(device);
  }
  constexpr std::size_t kFirstLeft = RemovedEntries::kMost / 10;
  EXPECT_EQ(removed.entities().size(), RemovedEntries::kMost + 1 - kFirstLeft);
  EXPECT_EQ(removed.devices().size(), RemovedEntries::kMost + 1 - kFirstLeft);
  for (const std::size_t i : {std::size_t(0), kFirstLeft - 1, kFirstLeft, RemovedEntries::kMost}) {
    Device like;
    like.identifiers = {{"mqtt", number_of(i)}};
    EXPECT_EQ(removed.find_device(like) != nullptr, i >= kFirstLeft) << i;
    EXPECT_EQ(removed.find_entity({"mqtt", "light", number_of(i)}) != nullptr, i >= kFirstLeft) << i;
  }
}

}  // namespace
}  // namespace hearth::core
