// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/group_index.h"

#include "domains/groups/test_groups.h"

namespace hearth::domains {
namespace {

// Groups that hold each other, of both kinds.
struct GroupIndexTest : TestGroups {
  std::string values(const std::vector<std::string>& ids) const {
    std::string all;
    for (const std::string& id : ids) all += home.value(id) + " ";
    return all;
  }
};

TEST_F(GroupIndexTest, GroupsInACircleDoNotKeepEachOtherOn) {
  set("switch.x", "off");
  set("switch.y", "off");
  apply("a", R"({"group_type": "switch", "entities": ["switch.x", "switch.b"]})");
  apply("b", R"({"group_type": "switch", "entities": ["switch.y", "switch.a", "switch.b"]})");
  EXPECT_EQ(values({"switch.a", "switch.b"}), "off off ");
  set("switch.x", "on");
  EXPECT_EQ(values({"switch.a", "switch.b"}), "on on ");
  set("switch.x", "off");
  EXPECT_EQ(values({"switch.a", "switch.b"}), "off off ");
  set("switch.y", "on");
  set("switch.y", "unavailable");
  set("switch.x", "unavailable");
  EXPECT_EQ(values({"switch.a", "switch.b"}), "unavailable unavailable ");
  set("switch.x", "off");
  EXPECT_EQ(values({"switch.a", "switch.b"}), "off off ");
}

TEST_F(GroupIndexTest, OldGroupsInACircleDoNotEither) {
  set("light.x", "off");
  apply("a", R"({"entities": ["light.x", "group.b"]})");
  apply("b", R"({"entities": ["group.c"]})");
  apply("c", R"({"entities": ["group.a", "light.g"]})");
  apply("g", R"({"group_type": "light", "entities": ["group.a", "light.x"]})");
  const std::vector<std::string> all = {"group.a", "group.b", "group.c", "light.g"};
  EXPECT_EQ(values(all), "off off off off ");
  set("light.x", "on");
  EXPECT_EQ(values(all), "on on on on ");
  set("light.x", "off");
  EXPECT_EQ(values(all), "off off off off ");
}

TEST_F(GroupIndexTest, AGroupWithinAnotherKeepsItsOwnMeaning) {
  for (const std::string each : {"a", "b"}) set("switch." + each, "off");
  apply("both", R"({"group_type": "switch", "all": true, "entities": ["switch.a", "switch.b"]})");
  apply("outer", R"({"group_type": "switch", "entities": ["switch.both"]})");
  set("switch.a", "on");
  EXPECT_EQ(values({"switch.both", "switch.outer"}), "off off ");
  set("switch.b", "on");
  EXPECT_EQ(values({"switch.both", "switch.outer"}), "on on ");
}

TEST_F(GroupIndexTest, ACircleThatClosesLaterOrOpensAgainCounts) {
  set("switch.x", "on");
  set("switch.y", "off");
  apply("a", R"({"group_type": "switch", "entities": ["switch.x", "switch.b"]})");
  apply("b", R"({"group_type": "switch", "entities": ["switch.c"]})");
  apply("c", R"({"group_type": "switch", "entities": ["switch.y"]})");
  EXPECT_EQ(values({"switch.a", "switch.b", "switch.c"}), "on off off ");
  apply("c", R"({"group_type": "switch", "entities": ["switch.y", "switch.a"]})");
  EXPECT_EQ(values({"switch.a", "switch.b", "switch.c"}), "on on on ");
  set("switch.x", "off");
  EXPECT_EQ(values({"switch.a", "switch.b", "switch.c"}), "off off off ");
  set("switch.x", "on");
  apply("c", R"({"group_type": "switch", "entities": ["switch.y"]})");
  EXPECT_EQ(values({"switch.a", "switch.b", "switch.c"}), "on off off ");
}

TEST_F(GroupIndexTest, ACallToACircleReachesEachMemberOnce) {
  TestDevice &x = add("switch", "x"), &y = add("switch", "y");
  apply("a", R"({"group_type": "switch", "entities": ["switch.x", "switch.b"]})");
  apply("b", R"({"group_type": "switch", "entities": ["switch.y", "group.old", "switch.x"]})");
  apply("old", R"({"entities": ["switch.a", "switch.x"]})");
  home.call("switch.turn_on", R"({"entity_id": "switch.a"})");
  EXPECT_EQ(x.told + y.told, "turn_on turn_on ");
  EXPECT_EQ(values({"switch.a", "switch.b", "group.old"}), "on on on ");
  home.call("homeassistant.turn_off", R"({"entity_id": "group.old"})");
  EXPECT_EQ(values({"switch.a", "switch.b", "group.old", "switch.y"}), "off off off off ");
}

TEST_F(GroupIndexTest, ManyGroupsThatAllHoldEachOtherAreSoonSortedOut) {
  constexpr int kGroups = 300;
  json::array all{"switch.x"};
  for (int i = 0; i < kGroups; ++i) all.emplace_back("group.g" + std::to_string(i));
  set("switch.x", "on");
  for (int i = 0; i < kGroups; ++i) {
    const std::string id = "g" + std::to_string(i);
    items.push_back({.collection = "group",
                     .id = id,
                     .place = "f.yaml:1",
                     .fields = {{"name", id}, {"entities", all}, {"all", false}},
                     .error = {}});
  }
  EXPECT_TRUE(helpers.apply(items, true).empty());
  home.hub.bus.run_pending();
  EXPECT_EQ(values({"group.g0", "group.g299"}), "on on ");
  set("switch.x", "off");
  EXPECT_EQ(values({"group.g0", "group.g299"}), "off off ");
}

TEST_F(GroupIndexTest, AGroupOfItselfAloneIsUnavailable) {
  apply("a", R"({"group_type": "switch", "entities": ["switch.a"]})");
  EXPECT_EQ(values({"switch.a"}), "unavailable ");
  apply("old", R"({"entities": ["group.old"]})");
  EXPECT_EQ(values({"group.old"}), "unknown ");
}

}  // namespace
}  // namespace hearth::domains
