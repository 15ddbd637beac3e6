// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry_data.h"

#include <gtest/gtest.h>

#include "core/registry/registry_json.h"

namespace hearth::core {
namespace {

RegisteredEntity lamp() {
  RegisteredEntity entity;
  entity.id = "0123456789abcdef0123456789abcdef";
  entity.entity_id = "light.lamp";
  entity.unique_id = "1";
  entity.integration = "demo";
  entity.device_id = "demo.box";
  return entity;
}

TEST(RegistryData, FindsTheAreaOfAnEntityOrOfItsDevice) {
  RegistryData data;
  data.areas.set("kitchen", {.id = "kitchen", .name = "Kitchen"});
  data.areas.set("hall", {.id = "hall", .name = "Hall"});
  RegisteredEntity entity = lamp();
  EXPECT_EQ(data.area_of(entity), nullptr);
  data.set(Device{.id = "demo.box", .area_id = "hall"});
  ASSERT_TRUE(data.area_of(entity));
  EXPECT_EQ(data.area_of(entity)->id, "hall");
  entity.area_id = "kitchen";
  EXPECT_EQ(data.area_of(entity)->id, "kitchen");
  entity.area_id = "cellar";
  EXPECT_EQ(data.area_of(entity), nullptr);
}

TEST(RegistryData, IndexesWhatBelongsWhere) {
  RegistryData data;
  RegisteredEntity entity = lamp();
  entity.labels = {"one", "two"};
  data.set(entity);
  EXPECT_TRUE(data.entities_of_device.at("demo.box").contains("light.lamp"));
  EXPECT_TRUE(data.entities_of_label.at("two").contains("light.lamp"));
  entity.labels = {"one"};
  entity.device_id.reset();
  entity.area_id = "hall";
  data.set(entity);
  EXPECT_TRUE(data.entities_of_device.empty());
  EXPECT_FALSE(data.entities_of_label.contains("two"));
  EXPECT_TRUE(data.entities_of_area.at("hall").contains("light.lamp"));
  data.erase_entity("light.lamp");
  EXPECT_TRUE(data.entities_of_area.empty());
  EXPECT_TRUE(data.entities_of_label.empty());
  EXPECT_TRUE(data.entities_by_id.empty());
  EXPECT_TRUE(data.entities_by_identity.empty());

  data.set(Device{.id = "demo.box", .area_id = "hall", .labels = {"one"}});
  data.set(Device{.id = "demo.box", .area_id = "attic"});
  EXPECT_TRUE(data.devices_of_label.empty());
  EXPECT_FALSE(data.devices_of_area.contains("hall"));
  data.erase_device("demo.box");
  EXPECT_TRUE(data.devices_of_area.empty());
  EXPECT_TRUE(data.devices.empty());
}

TEST(RegistryData, NamesAnEntityForPeople) {
  RegistryData data;
  RegisteredEntity entity = lamp();
  EXPECT_EQ(data.friendly_name(entity), "");
  entity.original_name = "Temperature";
  EXPECT_EQ(data.friendly_name(entity), "Temperature");
  data.set(Device{.id = "demo.box", .name = "Box"});
  EXPECT_EQ(data.friendly_name(entity), "Temperature");
  entity.has_entity_name = true;
  EXPECT_EQ(data.friendly_name(entity), "Box Temperature");
  data.set(Device{.id = "demo.box", .name = "Box", .name_by_user = "My box"});
  EXPECT_EQ(data.friendly_name(entity), "My box Temperature");
  entity.original_name.reset();
  EXPECT_EQ(data.friendly_name(entity), "My box");
  entity.name = "Mine";
  EXPECT_EQ(data.friendly_name(entity), "Mine");
}

TEST(RegistryData, CountsAnEntityAsDisabledWithItsDevice) {
  RegistryData data;
  RegisteredEntity entity = lamp();
  EXPECT_TRUE(data.enabled(entity));
  data.set(Device{.id = "demo.box", .disabled_by = ChangedBy::user});
  EXPECT_FALSE(data.enabled(entity));
  data.set(Device{.id = "demo.box"});
  entity.disabled_by = ChangedBy::integration;
  EXPECT_FALSE(data.enabled(entity));
}

TEST(RegistryJson, ReadsBackEverything) {
  const base::Timestamp made(base::Duration(1'795'219'200'123'457)), changed(made + base::Duration(1));
  const Floor floor{.id = "f", .name = "F", .level = -1, .icon = "i", .aliases = {"a"}, .created_at = made};
  const Area area{.id = "a",
                  .name = "A",
                  .floor_id = "f",
                  .labels = {"l"},
                  .aliases = {"x", "y"},
                  .icon = "i",
                  .picture = "p",
                  .position = 3,
                  .created_at = made,
                  .modified_at = changed};
  const Device device{.id = "demo.box",
                      .integration = "demo",
                      .name = "Box",
                      .manufacturer = "M",
                      .model = "N",
                      .model_id = "n",
                      .sw_version = "1",
                      .hw_version = "2",
                      .serial_number = "3",
                      .via_device_id = "demo.hub",
                      .configuration_url = "http://box",
                      .entry_type = "service",
                      .identifiers = {{"demo", "box"}},
                      .connections = {{"mac", "00:11"}, {"upnp", "x"}},
                      .name_by_user = "Mine",
                      .area_id = "a",
                      .labels = {"l"},
                      .disabled_by = ChangedBy::user,
                      .created_at = made,
                      .modified_at = changed};
  RegisteredEntity entity = lamp();
  entity.original_name = "Lamp";
  entity.original_icon = "mdi:lamp";
  entity.original_device_class = entity.device_class = "outlet";
  entity.translation_key = "k";
  entity.entity_category = "config";
  entity.has_entity_name = true;
  entity.name = "Küche \"1\"";
  entity.icon = "mdi:star";
  entity.area_id = "a";
  entity.labels = {"l"};
  entity.aliases = {"m"};
  entity.disabled_by = ChangedBy::integration;
  entity.hidden_by = ChangedBy::user;
  entity.options = {{"light", {{"x", 1.5}}}};
  entity.created_at = made;
  entity.modified_at = changed;
  const auto again = [](const json::object& object) {
    return base::parse_json(base::to_json(object)).value().as_object();
  };
  EXPECT_EQ(floor_from_json(again(to_json(floor))).value(), floor);
  EXPECT_EQ(area_from_json(again(to_json(area))).value(), area);
  EXPECT_EQ(device_from_json(again(to_json(device))).value(), device);
  EXPECT_EQ(entity_from_json(again(to_json(entity))).value(), entity);
  EXPECT_EQ(entity_from_json(again(to_json(lamp()))).value(), lamp());
}

TEST(RegistryJson, HasTheNamesThatClientsRead) {
  EXPECT_EQ(
      base::to_json(to_json(Area{.id = "a", .name = "A"})),
      R"({"area_id":"a","name":"A","aliases":[],"floor_id":null,"humidity_entity_id":null,"icon":null,)"
      R"("labels":[],"picture":null,"position":0,"temperature_entity_id":null,"created_at":0.0,"modified_at":0.0})");
  const json::object entity = to_json(lamp());
  for (const char* key : {"area_id", "device_id", "disabled_by", "entity_category", "entity_id", "has_entity_name",
                          "hidden_by", "icon", "id", "labels", "name", "options", "original_name", "platform",
                          "translation_key", "unique_id", "created_at", "modified_at"}) {
    EXPECT_TRUE(entity.contains(key)) << key;
  }
}

TEST(RegistryJson, NamesTheFieldThatIsWrong) {
  const auto refused = [](std::string_view text) {
    const auto area = area_from_json(base::parse_json(text).value().as_object());
    return area ? "taken" : area.error().message;
  };
  EXPECT_EQ(refused(R"({"area_id":"a","labels":[1]})"), "labels: not what it should be");
  EXPECT_EQ(refused(R"({"area_id":"a","created_at":-1})"), "created_at: not what it should be");
  EXPECT_EQ(refused(R"({"area_id":"a","position":1e9})"), "position: not what it should be");
  EXPECT_EQ(refused(R"({"name":"A"})"), "the id is missing");
  EXPECT_EQ(refused(R"({"area_id":"a","later":1})"), "taken");
  json::object entity = to_json(lamp());
  entity["entity_id"] = "no id";
  EXPECT_FALSE(entity_from_json(entity));
}

}  // namespace
}  // namespace hearth::core
