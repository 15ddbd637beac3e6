// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/group_helper.h"

#include "core/registry/collection_type.h"
#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/helpers/file_helpers.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

struct GroupTest : testing::Test {
  GroupTest() {
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local, context());
    home.hub.bus.run_pending();
  }
  core::Context context() const { return core::Context::create(home.clock.now()); }
  void set(const std::string& id, std::string_view value) {
    home.hub.states.set(*core::EntityId::parse(id), {value, "{}", context()}).value();
    home.hub.bus.run_pending();
  }
  void apply(const std::string& id, const json::array& members, bool all = false) {
    json::object fields =
        core::find_collection_type("group")->fields_of({{"name", id}, {"entities", members}, {"all", all}}).value();
    HelperItem item{.collection = "group", .id = id, .place = "f.yaml:1", .fields = std::move(fields), .error = {}};
    items.push_back(std::move(item));
    EXPECT_TRUE(helpers.apply(items, true).empty());
    home.hub.bus.run_pending();
  }
  // The state of a group of these members.
  std::string of(const std::vector<std::pair<std::string, std::string>>& members, bool all = false) {
    json::array ids;
    for (const auto& [id, value] : members) {
      set(id, value);
      ids.emplace_back(id);
    }
    items.clear();
    apply("it", ids, all);
    return home.value("group.it");
  }

  TestHome home;
  FileHelpers helpers{home.hub, home.domains.entities()};
  std::vector<HelperItem> items;
};

TEST_F(GroupTest, IsOnIfOneIsOrIfAllAre) {
  EXPECT_EQ(of({{"light.a", "off"}, {"switch.b", "on"}}), "on");
  EXPECT_EQ(of({{"light.a", "off"}, {"switch.b", "off"}}), "off");
  EXPECT_EQ(of({{"light.a", "off"}, {"switch.b", "on"}}, true), "off");
  EXPECT_EQ(of({{"light.a", "on"}, {"switch.b", "on"}}, true), "on");
  EXPECT_EQ(of({{"light.a", "on"}, {"switch.b", "unavailable"}}, true), "off");
  EXPECT_EQ(of({{"light.a", "unavailable"}}), "off");
  EXPECT_EQ(of({{"light.a", "on"}, {"sensor.b", "5"}}, true), "on");  // which is neither on nor off
  EXPECT_EQ(of({}), "unknown");
}

TEST_F(GroupTest, SpeaksAsItsMembersDo) {
  EXPECT_EQ(of({{"person.a", "home"}, {"device_tracker.b", "not_home"}}), "home");
  EXPECT_EQ(of({{"person.a", "Work"}, {"device_tracker.b", "not_home"}}), "not_home");
  EXPECT_EQ(of({{"cover.a", "opening"}, {"cover.b", "closed"}}), "open");
  EXPECT_EQ(of({{"cover.a", "closed"}}), "closed");
  EXPECT_EQ(of({{"lock.a", "locked"}, {"lock.b", "unlocked"}}), "unlocked");
  EXPECT_EQ(of({{"lock.a", "locked"}}), "locked");
  EXPECT_EQ(of({{"climate.a", "heat"}, {"light.b", "off"}}), "on");
  EXPECT_EQ(of({{"media_player.a", "paused"}}), "on");
  EXPECT_EQ(of({{"person.a", "home"}, {"light.b", "off"}}), "on");
  EXPECT_EQ(of({{"person.a", "not_home"}, {"light.b", "off"}}), "off");
  EXPECT_EQ(of({{"sensor.a", "on"}}), "unknown");
  EXPECT_EQ(of({{"group.other", "not_home"}}), "not_home");
}

TEST_F(GroupTest, FollowsItsMembersWithTheirContext) {
  set("light.a", "off");
  apply("it", {"light.a", "light.later"});
  EXPECT_EQ(home.value("group.it"), "off");
  EXPECT_EQ(home.attribute("group.it", "entity_id"), R"(["light.a","light.later"])");
  set("light.later", "on");
  EXPECT_EQ(home.value("group.it"), "on");
  EXPECT_EQ(home.hub.states.find("group.it")->context(), home.hub.states.find("light.later")->context());
  home.hub.states.remove("light.later", context()).value();
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("group.it"), "off");
}

TEST_F(GroupTest, IsMadeChangedAndRemovedByServices) {
  set("light.a", "on");
  set("light.b", "off");
  EXPECT_EQ(home.call("group.set", R"({"object_id": "bad id"})"),
            "invalid: object_id: expected small letters, digits and underscores");
  EXPECT_TRUE(home.call("group.set", R"({"object_id": "x", "entities": ["nonsense"]})")
                  .starts_with("invalid: entities: expected entity ids"));
  home.call("group.set", R"({"object_id": "x", "name": "Some", "entities": "light.A, light.b", "all": true})");
  EXPECT_EQ(home.value("group.x"), "off");
  EXPECT_EQ(home.attribute("group.x", "friendly_name"), R"("Some")");
  EXPECT_EQ(home.attribute("group.x", "editable"), "true");
  home.call("group.set", R"({"object_id": "x", "remove_entities": ["light.b"], "add_entities": ["light.c"]})");
  EXPECT_EQ(home.attribute("group.x", "entity_id"), R"(["light.a","light.c"])");
  EXPECT_EQ(home.attribute("group.x", "friendly_name"), R"("Some")");
  home.call("group.remove", R"({"object_id": "x"})");
  EXPECT_EQ(home.value("group.x"), "");
  EXPECT_EQ(home.call("group.remove", R"({"object_id": "x"})"), "invalid: object_id: there is no group.x");
}

TEST_F(GroupTest, OfAFileIsChangedUntilItIsReadAgain) {
  set("light.a", "on");
  apply("it", {"light.a"});
  home.call("group.set", R"({"object_id": "it", "entities": ["light.b"]})");
  EXPECT_EQ(home.attribute("group.it", "entity_id"), R"(["light.b"])");
  EXPECT_EQ(home.call("group.remove", R"({"object_id": "it"})"),
            "invalid: object_id: group.it stands in a file, and is removed there");
  helpers.apply(items, true);
  home.hub.bus.run_pending();
  EXPECT_EQ(home.attribute("group.it", "entity_id"), R"(["light.a"])");
}

TEST_F(GroupTest, PassesServicesOnToItsMembers) {
  std::vector<std::unique_ptr<TestDevice>> devices;
  for (const char* const domain : {"switch", "input_boolean"}) {
    devices.push_back(std::make_unique<TestDevice>());
    devices.back()->thing =
        &home.add(std::make_unique<Thing>(*find_kind(domain), test_entity("m"), Abilities(), devices.back().get()));
  }
  apply("inner", {"input_boolean.m"});
  apply("it", {"switch.m", "group.inner", "switch.gone"});
  EXPECT_TRUE(home.call("switch.turn_on", R"({"entity_id": "group.it"})").starts_with("switch.m on"));
  EXPECT_EQ(home.value("group.it"), "on");
  EXPECT_EQ(home.value("input_boolean.m"), "unknown");
  home.call("homeassistant.turn_on", R"({"entity_id": "group.it"})");
  EXPECT_EQ(home.value("input_boolean.m"), "on");
  home.call("platform.turn_off", R"({"entity_id": "group.it"})");
  EXPECT_EQ(home.value("input_boolean.m") + home.value("switch.m") + home.value("group.it"), "offoffoff");
}

}  // namespace
}  // namespace hearth::domains
