// SPDX-License-Identifier: Apache-2.0
#include "domains/zones.h"

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
  EXPECT_EQ(home.hub.registry.snapshot()->entities.size(), 0u);
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

}  // namespace
}  // namespace hearth::domains
