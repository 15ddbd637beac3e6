// SPDX-License-Identifier: Apache-2.0
#include "core/services/service_target.h"

#include <gtest/gtest.h>

#include "core/states/state_table_writer.h"
namespace hearth::core {
namespace {

using Ids = std::vector<std::string>;

base::Result<ServiceTarget> parse(std::string_view data) {
  return ServiceTarget::parse(base::parse_json(data).value().as_object());
}

std::string refusal(std::string_view data) {
  const auto target = parse(data);
  if (target) return "taken";
  EXPECT_EQ(target.error().code, base::ErrorCode::invalid);
  return target.error().message;
}

struct ServiceTargetTest : testing::Test {
  ServiceTargetTest() {
    put("light.a", "on", "demo.lamp", {});
    put("light.b", "on", {}, "kitchen");
    put("light.c", "unavailable", {}, "kitchen");
    put("switch.d", "on", {}, "kitchen", {"plug"});
    put("light.e", "on", "demo.lamp", "attic");
    put_unregistered("light.free", "on");
    registry.ensure_area("Kitchen", "ground");
    registry.ensure_area("Hall", "ground");
    registry.put_device({.id = "demo.lamp", .area_id = "hall", .labels = {"lit"}});
  }

  void put_unregistered(const std::string& id, std::string_view value) {
    states.put(State::create(*EntityId::parse(id), value, "{}", {}, Context{"A", {}, {}}), 1);
  }
  void put(const std::string& id, std::string_view value, std::optional<std::string> device_id,
           std::optional<std::string> area_id, std::set<std::string> labels = {}) {
    put_unregistered(id, value);
    RegisteredEntity entity;
    entity.unique_id = id;
    entity.device_id = std::move(device_id);
    entity.area_id = std::move(area_id);
    entity.labels = std::move(labels);
    registry.put_entity(*EntityId::parse(id), std::move(entity)).value();
  }
  ResolvedTarget resolved(std::string_view data, const std::vector<std::string>& domains = {"light"},
                          std::string_view hidden_group = "") {
    return resolve(parse(data).value(), domains, *states.newest(), *registry.snapshot(),
                   [&](const std::string& group) { return group != hidden_group; });
  }

  StateTableWriter states;
  base::ManualClock clock;
  EventBus bus{clock};
  Registry registry{bus, clock};
};

TEST(ServiceTarget, IsATextACommaListOrAnArray) {
  EXPECT_EQ(parse(R"({"entity_id":"light.a"})")->entity_ids, (Ids{"light.a"}));
  EXPECT_EQ(parse(R"({"entity_id":" light.a , light.b,,"})")->entity_ids, (Ids{"light.a", "light.b"}));
  EXPECT_EQ(parse(R"({"entity_id":["light.a","light.b, light.c"]})")->entity_ids,
            (Ids{"light.a", "light.b", "light.c"}));
}

TEST(ServiceTarget, LowerCasesEntityIdsOnly) {
  const auto target = parse(R"({"entity_id":"Light.A","area_id":"Kitchen"})");
  EXPECT_EQ(target->entity_ids, (Ids{"light.a"}));
  EXPECT_EQ(target->area_ids, (Ids{"Kitchen"}));
}

TEST(ServiceTarget, KnowsAllAndNone) {
  EXPECT_TRUE(parse(R"({"entity_id":"all"})")->all);
  EXPECT_TRUE(parse(R"({"entity_id":["ALL"]})")->all);
  EXPECT_TRUE(parse(R"({"entity_id":"all"})")->entity_ids.empty());
  const auto none = parse(R"({"entity_id":"none"})");
  EXPECT_TRUE(none->given);
  EXPECT_TRUE(none->entity_ids.empty());
  EXPECT_FALSE(none->all);
}

TEST(ServiceTarget, IsReadFromTheTopAndFromTarget) {
  const auto target = parse(R"({"entity_id":"light.a","device_id":"d","target":{"entity_id":["light.b"],"area_id":"k",)"
                            R"("floor_id":["f","g"],"label_id":"l"}})");
  EXPECT_EQ(target->entity_ids, (Ids{"light.a", "light.b"}));
  EXPECT_EQ(target->device_ids, (Ids{"d"}));
  EXPECT_EQ(target->area_ids, (Ids{"k"}));
  EXPECT_EQ(target->floor_ids, (Ids{"f", "g"}));
  EXPECT_EQ(target->label_ids, (Ids{"l"}));
}

TEST(ServiceTarget, IsGivenIfAKeyIsThereEvenEmpty) {
  EXPECT_FALSE(parse("{}")->given);
  EXPECT_FALSE(parse(R"({"brightness":1,"target":null})")->given);
  EXPECT_FALSE(parse(R"({"target":{}})")->given);
  EXPECT_TRUE(parse(R"({"entity_id":[]})")->given);
  EXPECT_TRUE(parse(R"({"entity_id":null})")->given);
  EXPECT_TRUE(parse(R"({"target":{"area_id":""}})")->given);
}

TEST(ServiceTarget, NamesTheKeyOfAWrongType) {
  EXPECT_EQ(refusal(R"({"entity_id":1})"), "entity_id: expected a text or a list of texts, got 1");
  EXPECT_EQ(refusal(R"({"area_id":["a",1]})"), R"(area_id: expected a text or a list of texts, got ["a",1])");
  EXPECT_EQ(refusal(R"({"target":{"device_id":{}}})"), "device_id: expected a text or a list of texts, got {}");
  EXPECT_EQ(refusal(R"({"target":"light.a"})"), "target: expected an object");
  EXPECT_EQ(refusal(R"({"target":{"room":"a"}})"),
            "target.room: unknown; expected entity_id, device_id, area_id, floor_id or label_id");
  EXPECT_NE(refusal(R"({"target":{"target":{}}})"), "taken");
}

TEST(ServiceTarget, KnowsItsKeys) {
  for (const char* key : {"target", "entity_id", "device_id", "area_id", "floor_id", "label_id"}) {
    EXPECT_TRUE(ServiceTarget::is_key(key)) << key;
  }
  EXPECT_FALSE(ServiceTarget::is_key("brightness"));
}

TEST_F(ServiceTargetTest, ResolvesEntitiesOnceInTheOrderNamed) {
  EXPECT_EQ(resolved(R"({"entity_id":"light.b, light.a, light.b"})").entity_ids, (Ids{"light.b", "light.a"}));
}

TEST_F(ServiceTargetTest, TakesIdsInTheRegistryAsTheirEntities) {
  const std::string id = registry.snapshot()->entities.find("light.b")->id;
  EXPECT_EQ(resolved(R"({"entity_id":["light.a",")" + id + R"("]})").entity_ids, (Ids{"light.a", "light.b"}));
  EXPECT_EQ(resolved(R"({"entity_id":")" + id + R"(,light.b"})").entity_ids, (Ids{"light.b"}));
  EXPECT_EQ(resolved(R"({"entity_id":"abcdef"})").left_out, (Ids{"abcdef"}));
}

TEST_F(ServiceTargetTest, LeavesOutUnknownAndUnavailableEntitiesAndOtherDomains) {
  const auto target = resolved(R"({"entity_id":"light.none, light.c, switch.d, nonsense, light.a"})");
  EXPECT_EQ(target.entity_ids, (Ids{"light.a"}));
  EXPECT_EQ(target.left_out, (Ids{"light.none", "light.c", "switch.d", "nonsense"}));
}

TEST_F(ServiceTargetTest, TakesAnyDomainIfNoneIsNamed) {
  EXPECT_EQ(resolved(R"({"entity_id":"switch.d, light.a"})", {}).entity_ids, (Ids{"switch.d", "light.a"}));
}

TEST_F(ServiceTargetTest, ResolvesAnAreaWithItsDevicesAndLeavesTheRestOutSilently) {
  const auto kitchen = resolved(R"({"area_id":"kitchen"})");
  EXPECT_EQ(kitchen.entity_ids, (Ids{"light.b"}));
  EXPECT_TRUE(kitchen.left_out.empty());
  EXPECT_EQ(resolved(R"({"area_id":"hall"})").entity_ids, (Ids{"light.a"}));
  EXPECT_TRUE(resolved(R"({"area_id":["cellar","attic"]})").entity_ids.empty());  // areas that do not exist
}

TEST_F(ServiceTargetTest, ResolvesDevicesFloorsAndLabels) {
  EXPECT_EQ(resolved(R"({"device_id":"demo.lamp"})").entity_ids, (Ids{"light.a", "light.e"}));
  EXPECT_EQ(resolved(R"({"floor_id":"ground"})").entity_ids, (Ids{"light.a", "light.b"}));
  EXPECT_EQ(resolved(R"({"label_id":"lit"})").entity_ids, (Ids{"light.a", "light.e"}));
  EXPECT_EQ(resolved(R"({"label_id":"plug"})", {}).entity_ids, (Ids{"switch.d"}));
}

TEST_F(ServiceTargetTest, FollowsMovesAtOnce) {
  const Context context{"A", {}, {}};
  registry.update_entity("light.b", {.area_id = "hall", .labels = Texts{"plug"}}, context).value();
  EXPECT_EQ(resolved(R"({"area_id":"hall"})").entity_ids, (Ids{"light.a", "light.b"}));
  registry.update_device("demo.lamp", {.area_id = "kitchen"}, context).value();
  EXPECT_EQ(resolved(R"({"area_id":"kitchen"})").entity_ids, (Ids{"light.a"}));
  EXPECT_EQ(resolved(R"({"area_id":"hall"})").entity_ids, (Ids{"light.b"}));
  EXPECT_EQ(resolved(R"({"label_id":"plug"})").entity_ids, (Ids{"light.b"}));
  registry.update_area("hall", {.floor_id = OptionalText()}, context).value();
  EXPECT_EQ(resolved(R"({"floor_id":"ground"})").entity_ids, (Ids{"light.a"}));
  registry.delete_area("kitchen", context).value();
  EXPECT_TRUE(resolved(R"({"area_id":"kitchen"})").entity_ids.empty());
}

TEST_F(ServiceTargetTest, ResolvesAllAvailableEntitiesOfTheDomain) {
  const auto all = resolved(R"({"entity_id":"all"})");
  EXPECT_EQ(all.entity_ids, (Ids{"light.a", "light.b", "light.e", "light.free"}));
  EXPECT_TRUE(all.left_out.empty());
}

TEST_F(ServiceTargetTest, ResolvesToNothingIfNothingIsNamed) {
  EXPECT_TRUE(resolved(R"({"entity_id":[]})").entity_ids.empty());
}

TEST(ServiceTarget, CountsAnIdOnceAndRefusesTooMany) {
  Limits limits;
  limits.filter_entries = 2;
  const auto parse = [&](std::string_view text) {
    return ServiceTarget::parse(base::parse_json(text)->get_object(), limits);
  };
  EXPECT_EQ(parse(R"({"entity_id":"light.b,light.a,light.b","target":{"entity_id":["light.a"]}})")->entity_ids,
            (std::vector<std::string>{"light.b", "light.a"}));
  const auto refused = parse(R"({"label_id":["a","b"],"target":{"label_id":"c"}})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "label_id: 3 are named, and 2 are the limit (filter_entries).");
}

TEST_F(ServiceTargetTest, KnowsWhichAreNamed) {
  ResolvedTarget target = resolved(R"({"entity_id":["light.free","light.none"],"area_id":"kitchen"})");
  ASSERT_GT(target.entity_ids.size(), 1u);
  EXPECT_EQ(target.entity_ids.front(), "light.free");
  EXPECT_EQ(target.named, 1u);
  const auto others = target.entity_ids.size() - 1;
  ResolvedTarget without = target;
  without.keep_if([](const std::string& id) { return id != "light.free"; });
  EXPECT_EQ(without.named, 0u);
  EXPECT_EQ(without.entity_ids.size(), others);
  target.keep_if([](const std::string& id) { return id == "light.free"; });
  EXPECT_EQ(target.named, 1u);
  EXPECT_EQ(target.entity_ids, (Ids{"light.free"}));
}

TEST_F(ServiceTargetTest, ReachesTheMembersOfGroupsWithoutNamingThem) {
  const auto group = [this](const std::string& id, std::string_view members) {
    states.put(State::create(*EntityId::parse(id), "on", R"({"entity_id":)" + std::string(members) + "}", {},
                             Context{"A", {}, {}}),
               1);
  };
  group("group.inner", R"(["light.b","group.outer","light.gone"])");
  group("group.outer", R"(["group.inner","light.a","switch.d",5])");
  const auto lights = resolved(R"({"entity_id":["group.outer","light.free"]})");
  EXPECT_EQ(lights.entity_ids, (Ids{"light.free", "light.b", "light.a"}));
  EXPECT_EQ(lights.named, 1);
  EXPECT_EQ(resolved(R"({"entity_id":"group.outer"})", {}).entity_ids, (Ids{"light.b", "light.a", "switch.d"}));
  EXPECT_EQ(resolved(R"({"entity_id":"group.outer"})", {"group"}).entity_ids, (Ids{"group.outer"}));
  // Nothing is reached through a group that the caller does not know, also within another.
  const auto unknown = resolved(R"({"entity_id":"group.outer"})", {"light"}, "group.outer");
  EXPECT_TRUE(unknown.entity_ids.empty());
  EXPECT_EQ(unknown.left_out, (Ids{"group.outer"}));
  EXPECT_EQ(resolved(R"({"entity_id":"group.outer"})", {"light"}, "group.inner").entity_ids, (Ids{"light.a"}));
}

}  // namespace
}  // namespace hearth::core
