// SPDX-License-Identifier: Apache-2.0
#include "domains/people/zones.h"

#include <set>

#include "domains/test_home.h"

namespace hearth::domains {
namespace {

const core::Context kAnn{"C", {}, "user"};

struct ZonesTest : testing::Test {
  void run() { home.hub.bus.run_pending(); }
  void start() {
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local, kAnn);
    run();
  }
  void make(const std::string& id, std::string_view name) {
    home.hub.registry.create_item("zone", id, fields(name), kAnn).value();
    run();
  }
  static json::object fields(std::string_view name, double radius = 100) {
    return {{"name", name}, {"latitude", 1}, {"longitude", 2}, {"radius", radius}, {"passive", false}};
  }

  TestHome home;
};

TEST_F(ZonesTest, AreEntitiesOnceTheHomeStarts) {
  home.hub.registry.create_item("zone", "work", fields("Work"), kAnn).value();
  start();
  EXPECT_EQ(home.value("zone.work"), "0");
  EXPECT_EQ(home.attribute("zone.work", "friendly_name"), R"("Work")");
  EXPECT_EQ(home.attribute("zone.work", "persons"), "[]");
  make("pool", "Pool");
  EXPECT_EQ(home.value("zone.pool"), "0");
}

TEST_F(ZonesTest, SayWhoIsThereFromTheirFirstStateOn) {
  home.hub.registry.create_item("zone", "work", fields("Work"), kAnn).value();
  const core::EntityId ann = core::EntityId::parse("person.ann").value();
  core::RegisteredEntity person;
  person.integration = "person";
  person.unique_id = "ann";
  home.hub.registry.put_entity(ann, std::move(person)).value();
  home.hub.states.set(ann, {"Work", "{}", kAnn}).value();
  std::set<std::string> shown;
  const auto listening = home.hub.bus.listen(core::event_type::kStateChanged, [&](const core::Event& event) {
    if (event.state_change()->entity_id() == "zone.work") shown.emplace(event.state_change()->new_state->value());
  });
  start();
  EXPECT_EQ(home.attribute("zone.work", "persons"), R"(["person.ann"])");
  EXPECT_EQ(shown, std::set<std::string>{"1"});
}

TEST_F(ZonesTest, FollowTheirItems) {
  start();
  make("work", "Work");
  home.hub.registry.update_item("zone", "work", fields("Office", 50), {}, kAnn).value();
  run();
  EXPECT_EQ(home.attribute("zone.work", "friendly_name"), R"("Office")");
  EXPECT_EQ(home.attribute("zone.work", "radius"), "50.0");
  home.hub.registry.delete_items("zone", std::vector<std::string>{"work"}, kAnn).value();
  run();
  EXPECT_EQ(home.value("zone.work"), "");
  EXPECT_FALSE(home.hub.registry.snapshot()->entities.contains("zone.work"));
}

TEST_F(ZonesTest, HaveTheHomesOwnWhereTheHomeIs) {
  core::HubConfig config;
  config.location_name = "Villa";
  config.latitude = 52.5;
  core::update_config(home.hub, config, kAnn);
  start();
  EXPECT_EQ(home.attribute("zone.home", "friendly_name"), R"("Villa")");
  EXPECT_EQ(home.attribute("zone.home", "latitude"), "52.5");
  EXPECT_EQ(home.attribute("zone.home", "radius"), "100.0");
  EXPECT_EQ(home.attribute("zone.home", "editable"), "false");
  config.latitude = 48.25;
  core::update_config(home.hub, config, kAnn);
  run();
  EXPECT_EQ(home.attribute("zone.home", "latitude"), "48.25");
  make("home", "Our home");
  EXPECT_EQ(home.attribute("zone.home", "friendly_name"), R"("Our home")");
  EXPECT_EQ(home.attribute("zone.home", "editable"), "true");
  home.hub.registry.delete_items("zone", std::vector<std::string>{"home"}, kAnn).value();
  run();
  EXPECT_EQ(home.attribute("zone.home", "friendly_name"), R"("Villa")");
}

TEST_F(ZonesTest, OfTheConfigurationCannotBeEdited) {
  Zones& zones = home.domains.zones();
  const auto item = [](std::string id, std::string_view name, std::string error = {}, double radius = 100) {
    return HelperItem{
        .collection = "zone", .id = std::move(id), .place = "f", .fields = fields(name, radius), .error = error};
  };
  zones.apply({item("work", "Work"), item("home", "Castle", "", 50)}, true);
  start();
  EXPECT_EQ(home.attribute("zone.work", "editable"), "false");
  EXPECT_EQ(home.attribute("zone.home", "friendly_name"), R"("Castle")");
  EXPECT_EQ(zone_at(home.hub, {1, 2}), "home");  // the smaller one
  zones.apply({item("work", "Work"), item("pool", "Pool")}, true);
  run();
  EXPECT_EQ(home.attribute("zone.home", "friendly_name"), R"("Home")");
  EXPECT_EQ(home.value("zone.pool"), "0");
  EXPECT_NE(zone_at(home.hub, {1, 2}), "home");
  EXPECT_TRUE(zone_at(home.hub, {1, 2}));
  // A broken zone, or an unknown one, stays as it was.
  zones.apply({item("work", "Office", "is broken")}, false);
  run();
  EXPECT_EQ(home.attribute("zone.work", "friendly_name"), R"("Work")");
  EXPECT_EQ(home.value("zone.pool"), "0");
  make("pool", "Our pool");
  EXPECT_EQ(home.attribute("zone.pool", "editable"), "true");
  EXPECT_EQ(home.attribute("zone.pool_2", "editable"), "false");
}

TEST_F(ZonesTest, KeepTheUsersNameAndId) {
  start();
  make("work", "Work");
  home.hub.registry.update_entity("zone.work", {.name = "My desk", .new_entity_id = "zone.desk"}, kAnn).value();
  run();
  home.hub.registry.update_item("zone", "work", fields("Office"), {}, kAnn).value();
  run();
  EXPECT_EQ(home.attribute("zone.desk", "friendly_name"), R"("My desk")");
  EXPECT_EQ(home.value("zone.work"), "");
}

TEST_F(ZonesTest, AreWhereAPositionIs) {
  const auto at = [&](double latitude, double longitude, double accuracy = 0) {
    return zone_at(home.hub, {latitude, longitude, accuracy}).value_or("nowhere");
  };
  // 0.001 degrees of longitude are 111 m at the equator; the home of a test is at 0, 0.
  EXPECT_EQ(at(0, 0.0008), "home");
  EXPECT_EQ(at(0, 0.001), "nowhere");
  EXPECT_EQ(at(0, 0.001, 20), "home");
  make("town", "Town");
  make("work", "Work");
  const auto place = [](std::string_view name, double radius) {
    json::object made = fields(name, radius);
    made["latitude"] = made["longitude"] = 0;
    return made;
  };
  home.hub.registry.update_item("zone", "town", place("Town", 5'000), {}, kAnn).value();
  EXPECT_EQ(at(0, 0.001), "Town");
  EXPECT_EQ(at(0, 0), "home");  // the smaller one
  EXPECT_EQ(at(1, 2), "Work");
  json::object own = place("Our house", 50);
  home.hub.registry.create_item("zone", "home", own, kAnn).value();
  EXPECT_EQ(at(0, 0.0001), "home");
  EXPECT_EQ(at(0, 0.0008), "Town");
  own["passive"] = true;
  home.hub.registry.update_item("zone", "home", own, {}, kAnn).value();
  EXPECT_EQ(at(0, 0.0001), "Town");
}

TEST_F(ZonesTest, DistancesAreMetresOnTheEarth) {
  EXPECT_NEAR(distance({52.5200, 13.4050}, {48.8566, 2.3522}), 879'699, 1);  // Berlin, Paris
  EXPECT_NEAR(distance({0, 179.999}, {0, -179.999}), 222.64, 0.01);
  EXPECT_NEAR(distance({90, 0}, {-90, 0}), 20'003'931, 1);
}

}  // namespace
}  // namespace hearth::domains
