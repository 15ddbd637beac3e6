// SPDX-License-Identifier: Apache-2.0
// Labels, categories and the sensors of areas.
#include "core/registry/registry_test_home.h"

namespace hearth::core {
namespace {

using RegistryLabelsTest = RegistryTestHome;

TEST_F(RegistryLabelsTest, TakesADeletedLabelOffEverything) {
  registry.ensure_area("Attic");
  put_lamp();
  registry.put_device({.id = "demo.box", .integration = "demo"});
  EXPECT_EQ(registry.create_label({{"name", "Night lights"}}, kUser)->id, "night_lights");
  // By its id and by its name.
  registry.update_area("attic", {.labels = Texts{"night_lights"}}, kUser).value();
  registry.update_device("demo.box", {.labels = Texts{"NIGHT LIGHTS"}}, kUser).value();
  registry.update_entity("light.lamp", {.labels = Texts{"night_lights", "other"}}, kUser).value();
  EXPECT_EQ(data()->devices.at("demo.box").labels, Texts{"night_lights"});
  registry.delete_label("night_lights", kUser).value();
  EXPECT_EQ(data()->areas.at("attic").labels, Texts());
  EXPECT_EQ(data()->devices.at("demo.box").labels, Texts());
  EXPECT_EQ(data()->entities.at("light.lamp").labels, Texts{"other"});
  EXPECT_FALSE(data()->entities_of_label.contains("night_lights"));
  EXPECT_EQ(refusal(registry.delete_label("night_lights", kUser)), "not_found: There is no label night_lights.");
}

TEST_F(RegistryLabelsTest, RefusesLabelsThatCannotBe) {
  registry.create_label({{"name", "Night"}, {"color", "#A0b1c2"}}, kUser).value();
  const auto create = [&](json::object given) { return refusal(registry.create_label(given, kUser)); };
  EXPECT_EQ(create({{"name", " night"}}), "conflict: name: the name  night is already in use by Night");
  EXPECT_EQ(create({}), "invalid: name: required field of a label is missing");
  EXPECT_TRUE(create({{"name", "x"}, {"color", "loud"}}).starts_with("invalid: color: expected #rrggbb or one of"));
  EXPECT_TRUE(create({{"name", "x"}, {"color", "#12345g"}}).starts_with("invalid: color: expected"));
  EXPECT_EQ(create({{"name", "x"}, {"description", json::string(256, 'a')}}),
            "invalid: description: expected at most 255 characters");
  EXPECT_EQ(data()->items_of(kLabels).size(), 1u);
  EXPECT_EQ(registry.update_label("night", {{"color", nullptr}}, kUser)->fields, (json::object{{"name", "Night"}}));
}

TEST_F(RegistryLabelsTest, GivesAnEntityOneCategoryInEachScope) {
  put_lamp();
  const std::string warm = registry.create_category({{"scope", "light"}, {"name", "Warm"}}, kUser)->id;
  const std::string cold = registry.create_category({{"scope", "light"}, {"name", "Cold"}}, kUser)->id;
  const std::string other = registry.create_category({{"scope", "helpers"}, {"name", "Warm"}}, kUser)->id;
  const auto choose = [&](std::map<std::string, OptionalText> chosen) {
    return registry.update_entity("light.lamp", {.categories = std::move(chosen)}, kUser);
  };
  EXPECT_EQ(choose({{"light", warm}, {"helpers", other}})->categories, (TextMap{{"helpers", other}, {"light", warm}}));
  EXPECT_EQ(choose({{"light", cold}})->categories, (TextMap{{"helpers", other}, {"light", cold}}));
  EXPECT_EQ(refusal(choose({{"light", other}})), "invalid: categories.light: there is no category " + other);
  EXPECT_EQ(refusal(registry.create_category({{"scope", "light"}, {"name", "cold"}}, kUser)),
            "conflict: name: the name cold is already in use by Cold");
  EXPECT_EQ(refusal(registry.delete_category("helpers", cold, kUser)), "not_found: There is no category " + cold + ".");
  registry.delete_category("light", cold, kUser).value();
  EXPECT_EQ(data()->entities.at("light.lamp").categories, (TextMap{{"helpers", other}}));
  EXPECT_EQ(choose({{"helpers", OptionalText()}})->categories, TextMap());
}

TEST_F(RegistryLabelsTest, MakesLabelsOfTheTextsThatAFormerHomeStored) {
  RegistryData stored;
  stored.areas.set("attic", {.id = "attic", .name = "Attic", .labels = {"Großes"}});
  stored.set(Device{.id = "demo.box", .labels = {"old"}});
  registry.restore(stored);
  ASSERT_EQ(data()->items_of(kLabels).size(), 2u);
  EXPECT_EQ(data()->find_item(kLabels, "Großes")->fields, (json::object{{"name", "Großes"}}));
  EXPECT_EQ(data()->areas.at("attic").labels, Texts{"Großes"});
}

TEST_F(RegistryLabelsTest, KeepsTheSensorsOfAnAreaRight) {
  registry.ensure_area("Attic");
  registry.put_entity(*EntityId::parse("sensor.warmth"), entity("demo", "1")).value();
  const auto sensor = [&](const char* id) {
    return registry.update_area("attic", {.temperature_entity_id = OptionalText(id)}, kUser);
  };
  EXPECT_EQ(refusal(sensor("light.lamp")), "invalid: temperature_entity_id: expected the id of a sensor");
  EXPECT_EQ(sensor("sensor.warmth")->temperature_entity_id, "sensor.warmth");
  registry.update_entity("sensor.warmth", {.new_entity_id = "sensor.heat"}, kUser).value();
  EXPECT_EQ(data()->areas.at("attic").temperature_entity_id, "sensor.heat");
  registry.forget_entity(data()->entities.at("sensor.heat").id);
  EXPECT_EQ(data()->areas.at("attic").temperature_entity_id, std::nullopt);
}

TEST_F(RegistryLabelsTest, MakesALabelThatNobodyMadeAndKeepsItUntilItIsDeleted) {
  registry.ensure_area("Attic");
  put_lamp();
  static_cast<void>(events());
  const auto labels_told = [this] {
    Log told = events();
    std::erase_if(told, [](const std::string& line) { return !line.starts_with("label "); });
    return told;
  };
  registry.update_area("attic", {.labels = Texts{"a", "b"}}, kUser).value();
  EXPECT_EQ(labels_told(),
            (Log{R"(label {"action":"create","label_id":"a"})", R"(label {"action":"create","label_id":"b"})"}));
  registry.update_entity("light.lamp", {.labels = Texts{"b", "c"}}, kUser).value();
  EXPECT_EQ(labels_told(), (Log{R"(label {"action":"create","label_id":"c"})"}));
  registry.delete_area("attic", kUser).value();
  registry.update_entity("light.lamp", {.labels = Texts()}, kUser).value();
  EXPECT_EQ(labels_told(), Log());
  EXPECT_EQ(data()->items_of(kLabels).size(), 3u);
}

}  // namespace
}  // namespace hearth::core
