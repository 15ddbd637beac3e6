// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry_test_home.h"

namespace hearth::core {
namespace {

using RegistryTest = RegistryTestHome;

TEST_F(RegistryTest, CreatesAnAreaOnceForAName) {
  const Area kitchen = registry.ensure_area("Kitchen", "ground");
  EXPECT_EQ(kitchen.id, "kitchen");
  EXPECT_EQ(kitchen.floor_id, "ground");
  EXPECT_EQ(registry.ensure_area("kitchen").id, "kitchen");
  EXPECT_EQ(data()->areas.size(), 1u);
  EXPECT_EQ(events(), (Log{R"(area {"action":"create","area_id":"kitchen"})"}));
}

TEST_F(RegistryTest, GivesAreasOfOneSlugDifferentIds) {
  EXPECT_EQ(registry.ensure_area("Living room").id, "living_room");
  EXPECT_EQ(registry.ensure_area("Living-room").id, "living_room_2");
  EXPECT_EQ(registry.ensure_area("Living: room").id, "living_room_3");
}

TEST_F(RegistryTest, GivesAreasWithoutALetterASlugToo) {
  EXPECT_EQ(registry.ensure_area("客厅").id, "area");
  EXPECT_EQ(registry.ensure_area("厨房").id, "area_2");
  EXPECT_EQ(registry.ensure_floor("楼").id, "floor");
}

TEST_F(RegistryTest, RegistersAnEntityUnderTheWantedId) {
  const RegisteredEntity lamp = registry.put_entity(kRegisteredLamp, entity("demo", "1")).value();
  EXPECT_EQ(lamp.entity_id, "light.lamp");
  EXPECT_EQ(lamp.id.size(), 32u);
  EXPECT_EQ(lamp.id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_TRUE(lamp.provided);
  EXPECT_EQ(lamp.created_at, clock.now());
  EXPECT_EQ(data()->entities.at("light.lamp"), lamp);
  EXPECT_EQ(data()->find_entity_by_id(lamp.id), data()->entities.find("light.lamp"));
  EXPECT_EQ(data()->find_entity("demo", "light", "1"), data()->entities.find("light.lamp"));
  EXPECT_EQ(events(), (Log{R"(entity {"action":"create","entity_id":"light.lamp"})"}));
}

TEST_F(RegistryTest, CountsUpIfAnotherEntityHasTheId) {
  put_lamp();
  EXPECT_EQ(registry.put_entity(kRegisteredLamp, entity("demo", "2"))->entity_id, "light.lamp_2");
  EXPECT_EQ(registry.put_entity(kRegisteredLamp, entity("mqtt", "1"))->entity_id, "light.lamp_3");
}

TEST_F(RegistryTest, RefusesAnIdThatBecomesTooLong) {
  const EntityId longest = *EntityId::parse("light." + std::string(249, 'a'));
  registry.put_entity(longest, entity("demo", "1")).value();
  EXPECT_EQ(refusal(registry.put_entity(longest, entity("demo", "2"))), "invalid: Invalid entity ID specified.");
  EXPECT_EQ(data()->entities.size(), 1u);
}

TEST_F(RegistryTest, KeepsIdsAndTheUsersFieldsWhenAnEntityIsRegisteredAgain) {
  const std::string id = registry.put_entity(kRegisteredLamp, entity("demo", "1"))->id;
  registry.ensure_area("Attic");
  registry
      .update_entity("light.lamp", {.name = "My lamp", .icon = "mdi:star", .area_id = "attic", .labels = Texts{"l"}},
                     kUser)
      .value();
  static_cast<void>(events());
  clock.advance(std::chrono::seconds(5));
  auto again = entity("demo", "1");
  again.original_name = "Renamed by its maker";
  again.area_id = "cellar";
  const RegisteredEntity lamp = registry.put_entity(*EntityId::parse("light.other"), again).value();
  EXPECT_EQ(lamp.id, id);
  EXPECT_EQ(lamp.entity_id, "light.lamp");
  EXPECT_EQ(lamp.original_name, "Renamed by its maker");
  EXPECT_EQ(lamp.name, "My lamp");
  EXPECT_EQ(lamp.icon, "mdi:star");
  EXPECT_EQ(lamp.area_id, "attic");
  EXPECT_EQ(lamp.labels, Texts{"l"});
  EXPECT_EQ(lamp.modified_at - lamp.created_at, std::chrono::seconds(5));
  EXPECT_EQ(events(), (Log{R"(entity {"action":"update","entity_id":"light.lamp","changes":{"original_name":null}})"}));
}

TEST_F(RegistryTest, FiresNothingIfNothingChanged) {
  registry.ensure_area("Kitchen");
  registry.put_device({.id = "demo.box", .name = "Box", .area_id = "kitchen"});
  put_lamp();
  static_cast<void>(events());
  const auto before = data();
  clock.advance(std::chrono::seconds(5));
  registry.ensure_area("Kitchen");
  registry.put_device({.id = "demo.box", .name = "Box"});
  put_lamp();
  registry.update_entity("light.lamp", {.name = OptionalText(), .labels = Texts()}, kUser).value();
  registry.update_device("demo.box", {.area_id = "kitchen"}, kUser).value();
  registry.update_area("kitchen", {.name = "Kitchen"}, kUser).value();
  registry.reorder_areas({"kitchen"}, kUser).value();
  EXPECT_EQ(data(), before);
  EXPECT_EQ(events(), Log{});
}

TEST_F(RegistryTest, ForgetsWhatItsIntegrationRemoved) {
  const std::string id = registry.put_entity(kRegisteredLamp, entity("demo", "1"))->id;
  static_cast<void>(events());
  registry.forget_entity(id);
  registry.forget_entity("none");
  EXPECT_TRUE(data()->entities.empty());
  EXPECT_TRUE(data()->entities_by_id.empty());
  EXPECT_EQ(events(), (Log{R"(entity {"action":"remove","entity_id":"light.lamp"})"}));
  EXPECT_EQ(registry.put_entity(kRegisteredLamp, entity("demo", "2"))->entity_id, "light.lamp");
}

TEST_F(RegistryTest, ForgetsDevicesAndWhatNamesThem) {
  registry.put_device({.id = "demo.box", .name = "Box", .area_id = registry.ensure_area("Hall").id});
  registry.put_device({.id = "demo.fan", .name = "Fan", .via_device_id = "demo.box"});
  registry.put_device({.id = "demo.plug", .name = "Plug", .via_device_id = "demo.box"});
  RegisteredEntity lamp = entity("demo", "1");
  lamp.device_id = "demo.box";
  registry.put_entity(kRegisteredLamp, lamp).value();
  static_cast<void>(events());
  registry.forget_devices({"demo.box", "demo.fan", "demo.none"});
  EXPECT_EQ(data()->devices.size(), 1u);
  EXPECT_EQ(data()->devices.at("demo.plug").via_device_id, OptionalText());
  EXPECT_EQ(data()->entities.at("light.lamp").device_id, OptionalText());
  EXPECT_FALSE(data()->entities_of_device.contains("demo.box"));
  EXPECT_FALSE(data()->devices_of_area.contains("hall"));
  EXPECT_EQ(events(),
            (Log{R"(device {"action":"update","device_id":"demo.plug","changes":{"via_device_id":"demo.box"}})",
                 R"(entity {"action":"update","entity_id":"light.lamp","changes":{"device_id":"demo.box"}})",
                 R"(device {"action":"remove","device_id":"demo.box"})",
                 R"(device {"action":"remove","device_id":"demo.fan"})"}));
}

TEST_F(RegistryTest, ForgettingNoDeviceChangesNothing) {
  registry.put_device({.id = "demo.box", .name = "Box"});
  const auto before = data();
  static_cast<void>(events());
  registry.forget_devices({"demo.none"});
  EXPECT_EQ(data(), before);
  EXPECT_EQ(events(), Log{});
}

TEST_F(RegistryTest, LetsTheUserRemoveOnlyWhatNoIntegrationProvides) {
  put_lamp();
  EXPECT_EQ(refusal(registry.remove_entity("light.lamp", kUser)),
            "conflict: light.lamp is there as long as demo brings it; it can be disabled.");
  EXPECT_EQ(refusal(registry.remove_entity("light.none", kUser)), "not_found: There is no entity light.none.");
  RegistryData kept = *data();
  RegisteredEntity lamp = kept.entities.at("light.lamp");
  lamp.provided = false;
  kept.set(lamp);
  registry.restore(kept);
  registry.remove_entity("light.lamp", kUser).value();
  EXPECT_TRUE(data()->entities.empty());
}

TEST_F(RegistryTest, LetsTheUserRemoveWhatItsIntegrationHasReleased) {
  put_lamp();
  registry.release_entity("light.none");
  registry.release_entity("light.lamp");
  EXPECT_TRUE(is_reserved(data()->entities.at("light.lamp")));
  registry.remove_entity("light.lamp", kUser).value();
  EXPECT_TRUE(data()->entities.empty());
}

TEST_F(RegistryTest, RenamesAnEntityWithinItsDomain) {
  const std::string id = registry.put_entity(kRegisteredLamp, entity("demo", "1"))->id;
  registry.put_entity(*EntityId::parse("light.hall"), entity("demo", "2")).value();
  static_cast<void>(events());
  const auto rename = [&](std::string to) {
    return registry.update_entity("light.lamp", {.new_entity_id = std::move(to)}, kUser);
  };
  EXPECT_EQ(refusal(rename("light.hall")), "conflict: new_entity_id: there is an entity light.hall already");
  EXPECT_EQ(refusal(rename("switch.lamp")), "invalid: new_entity_id: expected an id of the domain light");
  EXPECT_EQ(refusal(rename("light.my lamp")), "invalid: new_entity_id: Invalid entity ID specified.");
  EXPECT_EQ(events(), Log{});
  EXPECT_EQ(rename("Light.Reading")->entity_id, "light.reading");
  EXPECT_EQ(data()->entities.find("light.lamp"), nullptr);
  EXPECT_EQ(data()->find_entity_by_id(id)->entity_id, "light.reading");
  EXPECT_EQ(events(), (Log{R"(entity {"action":"update","entity_id":"light.reading",)"
                           R"("changes":{"entity_id":"light.lamp"},"old_entity_id":"light.lamp"})"}));
  EXPECT_EQ(last_context, kUser);
  EXPECT_EQ(registry.put_entity(kRegisteredLamp, entity("demo", "1"))->entity_id, "light.reading");
}

TEST_F(RegistryTest, GivesItsEventsTypedChangesForTheHubItself) {
  std::string changes;
  const auto listening = bus.listen("*", [&](const Event& event) {
    const RegistryChange& change = *event.registry_change;
    changes += event.type.substr(0, event.type.find('_')) + ":" + change.id + ":" + change.former_entity_id + " ";
  });
  registry.put_entity(kRegisteredLamp, entity("demo", "1")).value();
  registry.update_entity("light.lamp", {.labels = Texts{"night"}, .new_entity_id = "light.reading"}, kUser).value();
  registry.create_floor({.name = "Ground"}, kUser).value();
  registry.create_area({.name = "Hall"}, kUser).value();
  registry.create_area({.name = "Den"}, kUser).value();
  registry.reorder_areas({"den", "hall"}, kUser).value();
  bus.run_pending();
  EXPECT_EQ(
      changes,
      "entity:light.lamp: entity:light.reading:light.lamp label:night: floor:ground: area:hall: area:den: area:: ");
}

TEST_F(RegistryTest, RefusesInvalidFieldsOfAnEntity) {
  put_lamp();
  const auto update = [&](EntityEdit edit) { return refusal(registry.update_entity("light.lamp", edit, kUser)); };
  EXPECT_EQ(update({.area_id = "attic"}), "invalid: area_id: there is no attic");
  EXPECT_EQ(update({.disabled_by = ChangedBy::integration}),
            "invalid: disabled_by: expected null or user; the rest is the integration's");
  EXPECT_EQ(update({.name = std::string(256, 'a')}), "invalid: name: expected at most 255 characters");
  EXPECT_EQ(update({.labels = Texts{std::string(256, 'a')}}), "invalid: labels: expected at most 255 characters");
  Texts many;
  for (int i = 0; i <= 100; ++i) many.insert(std::to_string(i));
  EXPECT_EQ(update({.aliases = many}), "invalid: aliases: expected at most 100 of them");
  EXPECT_EQ(update({.name = "  "}), "taken");
  EXPECT_EQ(data()->entities.at("light.lamp").name, OptionalText());
  EXPECT_EQ(refusal(registry.update_entity("light.none", {}, kUser)), "not_found: There is no entity light.none.");
}

TEST_F(RegistryTest, TakesAnEmptyTextForNoFloor) {
  ASSERT_TRUE(registry.create_floor({.name = "Ground"}, kUser));
  ASSERT_TRUE(registry.create_area({.name = "Hall", .floor_id = "ground"}, kUser));
  EXPECT_EQ(registry.update_area("hall", {.floor_id = ""}, kUser)->floor_id, OptionalText());
}

TEST_F(RegistryTest, KeepsTheNamesOfAreasApart) {
  EXPECT_EQ(registry.create_area({.name = " Living room ", .icon = "mdi:sofa"}, kUser)->name, "Living room");
  EXPECT_EQ(refusal(registry.create_area({.name = "livingroom"}, kUser)),
            "conflict: The name livingroom is already in use by Living room.");
  EXPECT_EQ(refusal(registry.create_area({.name = " "}, kUser)), "invalid: name: expected a text that is not empty");
  EXPECT_EQ(refusal(registry.create_area({}, kUser)), "invalid: name: expected a text that is not empty");
  EXPECT_EQ(refusal(registry.create_area({.name = "Hall", .floor_id = "first"}, kUser)),
            "invalid: floor_id: there is no first");
  EXPECT_EQ(registry.update_area("living_room", {.name = "LivingRoom"}, kUser)->name, "LivingRoom");
  EXPECT_EQ(refusal(registry.update_area("none", {}, kUser)), "not_found: There is no area none.");
  EXPECT_EQ(events(), (Log{R"(area {"action":"create","area_id":"living_room"})",
                           R"(area {"action":"update","area_id":"living_room"})"}));
}

TEST_F(RegistryTest, ClearsAnAreaThatIsDeletedEverywhereInOneVersion) {
  registry.ensure_area("Kitchen");
  registry.put_device({.id = "demo.box", .area_id = "kitchen"});
  auto lamp = entity("demo", "1");
  lamp.area_id = "kitchen";
  registry.put_entity(kRegisteredLamp, lamp).value();
  static_cast<void>(events());
  const auto version = data()->version;
  registry.delete_area("kitchen", kUser).value();
  EXPECT_EQ(data()->version, version + 1);
  EXPECT_EQ(data()->devices.at("demo.box").area_id, OptionalText());
  EXPECT_EQ(data()->entities.at("light.lamp").area_id, OptionalText());
  EXPECT_TRUE(data()->areas.empty());
  EXPECT_EQ(events(), (Log{R"(device {"action":"update","device_id":"demo.box","changes":{"area_id":"kitchen"}})",
                           R"(entity {"action":"update","entity_id":"light.lamp","changes":{"area_id":"kitchen"}})",
                           R"(area {"action":"remove","area_id":"kitchen"})"}));
  EXPECT_EQ(refusal(registry.delete_area("kitchen", kUser)), "not_found: There is no area kitchen.");
}

TEST_F(RegistryTest, TreatsFloorsAsAreas) {
  const Floor first = registry.create_floor({.name = "First", .level = 1, .aliases = Texts{"up"}}, kUser).value();
  EXPECT_EQ(first.id, "first");
  registry.create_area({.name = "Bath", .floor_id = "first"}, kUser).value();
  EXPECT_EQ(refusal(registry.create_floor({.name = "FIRST"}, kUser)),
            "conflict: The name FIRST is already in use by First.");
  EXPECT_EQ(registry.update_floor("first", {.level = std::optional<int>()}, kUser)->level, std::nullopt);
  registry.delete_floor("first", kUser).value();
  EXPECT_EQ(data()->areas.at("bath").floor_id, OptionalText());
  EXPECT_EQ(events(),
            (Log{R"(floor {"action":"create","floor_id":"first"})", R"(area {"action":"create","area_id":"bath"})",
                 R"(floor {"action":"update","floor_id":"first"})", R"(area {"action":"update","area_id":"bath"})",
                 R"(floor {"action":"remove","floor_id":"first"})"}));
  EXPECT_EQ(refusal(registry.delete_floor("first", kUser)), "not_found: There is no floor first.");
  EXPECT_EQ(refusal(registry.update_floor("first", {}, kUser)), "not_found: There is no floor first.");
}

TEST_F(RegistryTest, ArrangesAreas) {
  for (const char* name : {"A", "B", "C"}) registry.create_area({.name = name}, kUser).value();
  static_cast<void>(events());
  registry.reorder_areas({"c", "a", "b"}, kUser).value();
  EXPECT_EQ(data()->areas.at("c").position, 0);
  EXPECT_EQ(data()->areas.at("b").position, 2);
  EXPECT_EQ(registry.create_area({.name = "D"}, kUser)->position, 3);
  EXPECT_EQ(events(),
            (Log{R"(area {"action":"reorder","area_id":null})", R"(area {"action":"create","area_id":"d"})"}));
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"a", "b", "c"}, {"a", "b", "c", "c"}, {"a", "b", "c", "x"}}) {
    EXPECT_EQ(refusal(registry.reorder_areas(wrong, kUser)), "invalid: area_ids: expected the id of each area once");
  }
}

TEST_F(RegistryTest, KeepsTheUsersFieldsOfADevice) {
  registry.ensure_area("Hall");
  registry.put_device({.id = "demo.box", .name = "Box", .sw_version = "1"});
  static_cast<void>(events());
  registry
      .update_device("demo.box", {.name_by_user = "My box", .area_id = "hall", .disabled_by = ChangedBy::user}, kUser)
      .value();
  registry.put_device({.id = "demo.box", .name = "Box", .sw_version = "2", .area_id = "attic"});
  const Device box = data()->devices.at("demo.box");
  EXPECT_EQ(box.name_by_user, "My box");
  EXPECT_EQ(box.area_id, "hall");
  EXPECT_EQ(box.disabled_by, ChangedBy::user);
  EXPECT_EQ(box.sw_version, "2");
  EXPECT_EQ(events(), (Log{R"(device {"action":"update","device_id":"demo.box",)"
                           R"("changes":{"name_by_user":null,"area_id":null,"disabled_by":null}})",
                           R"(device {"action":"update","device_id":"demo.box","changes":{"sw_version":"1"}})"}));
  EXPECT_EQ(refusal(registry.update_device("none", {}, kUser)), "not_found: There is no device none.");
}

TEST_F(RegistryTest, ChangesManyDevicesInOneVersionAndSaysWhichItCannot) {
  registry.ensure_area("Hall");
  for (const char* const id : {"demo.a", "demo.b", "demo.c"}) registry.put_device({.id = id, .name = "Box"});
  static_cast<void>(events());
  const auto before = data()->version;
  const auto results = registry.update_devices({{.id = "demo.a", .edit = {.name_by_user = "Mine", .area_id = "hall"}},
                                                {.id = "none", .edit = {.area_id = "hall"}},
                                                {.id = "demo.b", .edit = {.area_id = "cellar"}},
                                                {.id = "demo.c", .edit = {.area_id = "hall"}}},
                                               kUser);
  ASSERT_EQ(results->size(), 4u);
  EXPECT_EQ(refusal((*results)[0]), "taken");
  EXPECT_EQ(refusal((*results)[1]), "not_found: There is no device none.");
  EXPECT_EQ(refusal((*results)[2]), "invalid: area_id: there is no cellar");
  EXPECT_EQ(refusal((*results)[3]), "taken");
  EXPECT_EQ(data()->version, before + 1);
  EXPECT_EQ(data()->devices.at("demo.a").name_by_user, "Mine");
  EXPECT_FALSE(data()->devices.at("demo.b").area_id);
  EXPECT_EQ(data()->devices.at("demo.c").area_id, "hall");
  EXPECT_EQ(events().size(), 2u);
  EXPECT_TRUE(registry.update_devices({}, kUser)->empty());
}

TEST_F(RegistryTest, HidesAllEntitiesOfADeviceExceptThoseThatItsIntegrationHides) {
  registry.put_device({.id = "demo.box", .name = "Box"});
  const auto put = [&](const char* id, std::optional<ChangedBy> hidden_by) {
    RegisteredEntity made = entity("demo", id);
    made.device_id = "demo.box";
    made.hidden_by = hidden_by;
    registry.put_entity(*EntityId::parse(std::string("light.") + id), made).value();
  };
  put("seen", {});
  put("inner", ChangedBy::integration);
  put_lamp();  // of no device
  const auto hidden = [&](const char* id) { return data()->entities.at(std::string("light.") + id).hidden_by; };
  registry.update_devices({{.id = "demo.box", .hidden = true}}, kUser).value();
  EXPECT_EQ(hidden("seen"), ChangedBy::user);
  EXPECT_EQ(hidden("inner"), ChangedBy::integration);
  EXPECT_FALSE(hidden("lamp"));
  registry.update_devices({{.id = "demo.box", .hidden = false}}, kUser).value();
  EXPECT_FALSE(hidden("seen"));
  EXPECT_EQ(hidden("inner"), ChangedBy::integration);
}

TEST_F(RegistryTest, ForgetsAnIntegrationWithTheRoomsThatNothingElseIsIn) {
  const Floor ground = registry.ensure_floor("Ground", 0), attic = registry.ensure_floor("Attic", 2);
  for (const char* const name : {"Hall", "Kitchen", "Office"}) registry.ensure_area(name, ground.id);
  for (const char* const name : {"Loft", "Store"}) registry.ensure_area(name, attic.id);
  const auto put = [&](const char* id, const char* integration, const char* area) {
    registry.put_device({.id = id, .integration = integration, .name = id, .area_id = area});
    RegisteredEntity made = entity(integration, id);
    made.device_id = id;
    registry.put_entity(*EntityId::parse("light.lamp"), made).value();
  };
  put("demo.hall", "demo", "hall");
  put("demo.kitchen", "demo", "kitchen");
  put("mqtt.kitchen", "mqtt", "kitchen");
  put("demo.office", "demo", "office");
  put("demo.loft", "demo", "loft");
  References named;
  named.areas = {"office"};
  const std::vector<ItemReferences> items{{"automation", "1", named}};
  const auto parts = parts_of_integration(*data(), "demo", items);
  EXPECT_EQ(parts.devices, (Texts{"demo.hall", "demo.kitchen", "demo.office", "demo.loft"}));
  EXPECT_EQ(parts.entities.size(), 4u);
  EXPECT_EQ(parts.areas, (Texts{"hall", "loft"}));  // an empty room stays, and so does one that is named
  EXPECT_EQ(parts.floors, Texts{});
  EXPECT_EQ(parts_of_integration(*data(), "demo", {}).areas, (Texts{"hall", "loft", "office"}));
  registry.delete_area("store", kUser).value();
  EXPECT_EQ(parts_of_integration(*data(), "demo", items).floors, Texts{"attic"});

  registry.forget_integration(parts_of_integration(*data(), "demo", items));
  EXPECT_EQ(data()->devices.size(), 1u);
  EXPECT_EQ(data()->entities.size(), 1u);
  EXPECT_EQ(data()->areas.size(), 2u);
  EXPECT_EQ(data()->floors.size(), 1u);
  registry.forget_integration(parts);  // once more
  EXPECT_EQ(data()->devices.size(), 1u);
}

TEST_F(RegistryTest, LeavesSnapshotsAsTheyWere) {
  const auto before = data();
  put_lamp();
  registry.ensure_area("Kitchen");
  EXPECT_TRUE(before->entities.empty());
  EXPECT_TRUE(before->areas.empty());
}

}  // namespace
}  // namespace hearth::core
