// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry_test_home.h"

namespace hearth::core {
namespace {

struct ProvidedTest : RegistryTestHome {
  static Registry::Wanted wanted(const std::string& id, std::string provider = "far.home") {
    auto made = entity("hue", id);
    made.provider = std::move(provider);
    return {*EntityId::parse(id), std::move(made)};
  }
};

TEST_F(ProvidedTest, ManyEntitiesAreOneVersion) {
  const auto before = data()->version;
  const auto placed = registry.provide_entities({wanted("light.a"), wanted("light.b")});
  EXPECT_EQ(placed.size(), 2u);
  EXPECT_EQ(placed[1]->entity_id, "light.b");
  EXPECT_EQ(data()->version, before + 1);
  EXPECT_EQ(provider_of(data()->entities.at("light.a")), "far.home");
  EXPECT_EQ(events().size(), 2u);
}

TEST_F(ProvidedTest, AnEntryKeepsWhoProvidesIt) {
  registry.put_entity(*EntityId::parse("light.a"), entity("hue", "light.a")).value();
  registry.provide_entities({wanted("light.b", "far.other")});
  const auto placed = registry.provide_entities({wanted("light.a"), wanted("light.b"), wanted("light.c")});
  EXPECT_EQ(placed[0]->provider, "");
  EXPECT_EQ(placed[1]->provider, "far.other");
  EXPECT_EQ(placed[2]->provider, "far.home");
}

TEST_F(ProvidedTest, AnIntegrationTakesAnEntryFromAProviderAndItIsNews) {
  const std::string id = registry.provide_entities({wanted("light.a")})[0]->id;
  static_cast<void>(events());
  EXPECT_EQ(registry.put_entity(*EntityId::parse("light.other"), entity("hue", "light.a"))->id, id);
  EXPECT_EQ(provider_of(data()->entities.at("light.a")), "");
  EXPECT_EQ(events(), (Log{R"(entity {"action":"update","entity_id":"light.a"})"}));
}

TEST_F(ProvidedTest, ADeviceThatMovesHereIsTheOneThatItsProviderHad) {
  const Device there{.id = "far.lamp", .integration = "hue", .identifiers = {{"hue", "1"}}, .area_id = "hall"};
  registry.put_device(there);
  auto lamp = wanted("light.a");
  lamp.entity.device_id = there.id;
  registry.provide_entities({lamp});
  const Device moved = registry.put_device({.id = "mqtt.1", .integration = "mqtt", .identifiers = {{"hue", "1"}}});
  EXPECT_EQ(moved.id, there.id);
  EXPECT_EQ(moved.area_id, "hall");
  // A device that an integration here has stays another one.
  auto own = entity("hue", "light.a");
  own.device_id = there.id;
  registry.put_entity(*EntityId::parse("light.a"), own).value();
  EXPECT_EQ(registry.put_device({.id = "other.1", .integration = "other", .identifiers = {{"hue", "1"}}}).id,
            "other.1");
}

TEST_F(ProvidedTest, AnIdOfItsOwnIsKeptIfNothingElseHasIt) {
  auto first = wanted("light.a"), second = wanted("light.b");
  first.entity.id = second.entity.id = "0123456789abcdef0123456789abcdef";
  const auto placed = registry.provide_entities({first, second});
  EXPECT_EQ(placed[0]->id, "0123456789abcdef0123456789abcdef");
  EXPECT_NE(placed[1]->id, placed[0]->id);
  EXPECT_EQ(placed[1]->id.size(), 32u);
}

TEST_F(ProvidedTest, WhatIsReleasedIsReservedAndFromNowhere) {
  auto lamp = wanted("light.a");
  lamp.entity.origin = "there";
  lamp.entity.hops = 1;
  registry.provide_entities({lamp});
  registry.release_entities({"light.a", "light.none"});
  EXPECT_TRUE(is_reserved(data()->entities.at("light.a")));
  EXPECT_EQ(data()->entities.at("light.a").hops, 0);
}

TEST_F(ProvidedTest, OneThatTakesAPlaceHasItsIdAndNames) {
  registry.provide_entities({wanted("light.a")});
  registry.update_entity("light.a", {.name = "Lamp"}, kUser).value();
  const std::string id = registry.put_entity(*EntityId::parse("light.own"), entity("mqtt", "1"))->id;
  const std::string hall = registry.ensure_area("Hall").id;
  registry.provide_entities({wanted("sensor.a")});
  registry.update_area(hall, {.temperature_entity_id = "sensor.a"}, kUser).value();
  registry.put_entity(*EntityId::parse("sensor.own"), entity("mqtt", "1")).value();
  static_cast<void>(events());
  EXPECT_EQ(registry.replace_entity("light.a", "light.own", kUser)->id, id);
  EXPECT_EQ(data()->entities.at("light.a").name, "Lamp");
  EXPECT_EQ(data()->entities.at("light.a").integration, "mqtt");
  EXPECT_FALSE(data()->entities.contains("light.own"));
  const RegisteredEntity& left = data()->entities.at("light.a_2");
  EXPECT_EQ(left.integration, "hue");
  EXPECT_EQ(left.disabled_by, ChangedBy::integration);
  EXPECT_EQ(base::to_json(left.options), R"({"far.home":{"moved_to":")" + id + R"("}})");
  EXPECT_EQ(events().size(), 3u);
  registry.replace_entity("sensor.a", "sensor.own", kUser).value();
  EXPECT_EQ(data()->areas.at(hall).temperature_entity_id, "sensor.a");
}

TEST_F(ProvidedTest, OnlyOneOfItsDomainTakesAPlace) {
  registry.provide_entities({wanted("light.a"), wanted("switch.b")});
  EXPECT_EQ(refusal(registry.replace_entity("light.a", "light.none", kUser)),
            "not_found: There is no entity light.none.");
  EXPECT_EQ(refusal(registry.replace_entity("light.a", "switch.b", kUser)),
            "invalid: switch.b cannot take the place of light.a: expected another entity of the same domain");
}

}  // namespace
}  // namespace hearth::core
