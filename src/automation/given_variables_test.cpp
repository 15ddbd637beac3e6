// SPDX-License-Identifier: Apache-2.0
#include "automation/given_variables.h"

#include <gtest/gtest.h>

#include "automation/test_automations.h"
#include "core/rights/policy_json.h"

namespace hearth::automation {
namespace {

// A kitchen, which the guest controls, with a lamp; a bedroom with one, and what reaches both.
struct GivenVariablesTest : testing::Test {
  GivenVariablesTest() {
    auto& registry = home.hub.registry;
    const core::Context by = core::Context::create(home.clock.now());
    registry.create_area({.name = "Kitchen"}, by).value();
    registry.create_area({.name = "Bedroom"}, by).value();
    for (const char* const room : {"kitchen", "bedroom"}) {
      const auto id = core::EntityId::parse(std::string("light.") + room).value();
      registry.put_entity(id, {.unique_id = room, .integration = "test", .area_id = std::string(room)}).value();
      home.hub.states.set(id, {.value = "off", .attributes_json = "{}", .context = by}).value();
    }
    for (const auto& [id, members] : {std::pair("light.both", R"(["light.kitchen","light.bedroom"])"),
                                      std::pair("light.mine", R"(["light.kitchen"])")}) {
      const auto group = core::EntityId::parse(id).value();
      registry.put_entity(group, {.unique_id = id, .integration = "test", .area_id = "kitchen"}).value();
      home.hub.states
          .set(group, {.value = "off", .attributes_json = fmt::format(R"({{"entity_id":{}}})", members), .context = by})
          .value();
    }
    item.kind = ItemKind::script;
  }

  // Empty if the guest may give it.
  std::string given(const json::object& variables) {
    const auto may = check_given(item, variables, guest, home.hub);
    if (may) return "";
    return (may.error().code == base::ErrorCode::forbidden ? "forbidden: " : "invalid: ") + may.error().message;
  }
  void declare(const char* name, const json::value& selector) {
    json::object written;
    if (!selector.is_null()) written["selector"] = selector;
    item.fields.push_back({name, "", written});
  }

  domains::TestHome home;
  core::Rights guest{core::Role::user,
                     std::make_shared<const core::Policy>(
                         core::parse_policy(R"({"read":{"all":true},"control":{"areas":["kitchen"]}})").value())};
  Item item;
};

TEST_F(GivenVariablesTest, TakesFromWhoControlsTheHomeWhatTheyGive) {
  EXPECT_TRUE(check_given(item, {{"what", "light.bedroom"}}, core::Rights(), home.hub));
  EXPECT_TRUE(check_given(item, {{"what", "light.bedroom"}}, core::Rights(core::Role::user), home.hub));
}

TEST_F(GivenVariablesTest, TakesOnlyWhatTheFieldsDeclare) {
  EXPECT_EQ(given({}), "");
  EXPECT_EQ(given({{"what", 1}}),
            "forbidden: what: Who does not control the whole home gives a script only what its fields declare.");
  item.kind = ItemKind::automation;
  EXPECT_EQ(given({{"what", 1}}), "forbidden: what: Only who may control everything may give an automation variables.");
  item.kind = ItemKind::script;
  declare("what", {{"number", {{"min", 0}, {"max", 9}}}});
  EXPECT_EQ(given({{"what", 1}}), "");
  EXPECT_EQ(given({{"what", 10}}), "invalid: what: expected a number from 0 to 9");
}

TEST_F(GivenVariablesTest, TakesNoEntityBeyondTheCallersControl) {
  const std::string refused = "forbidden: what: This user may not control light.bedroom.";
  declare("what", {{"entity", {{"multiple", true}}}});
  EXPECT_EQ(given({{"what", "light.kitchen"}}), "");
  EXPECT_EQ(given({{"what", "light.mine"}}), "");
  EXPECT_EQ(given({{"what", "light.bedroom"}}), refused);
  EXPECT_EQ(given({{"what", {"light.kitchen", "LIGHT.bedroom"}}}), refused);
  const std::string id = home.hub.registry.snapshot()->entities.find("light.bedroom")->id;
  EXPECT_EQ(given({{"what", id}}), refused);
  EXPECT_EQ(given({{"what", "light.both"}}), "forbidden: what: This user may not control light.both.");
  EXPECT_EQ(given({{"what", "light.nowhere"}}), "forbidden: what: This user may not control light.nowhere.");
}

TEST_F(GivenVariablesTest, TakesNoAreaOfWhichTheCallerDoesNotControlEverything) {
  const std::string refused = "forbidden: what: This user may not control light.bedroom.";
  declare("what", {{"area", json::object()}});
  EXPECT_EQ(given({{"what", "bedroom"}}), refused);
  EXPECT_EQ(given({{"what", "Bedroom"}}), "forbidden: what: There is no area Bedroom.");
  item.fields.clear();
  declare("what", {{"target", json::object()}});
  EXPECT_EQ(given({{"what", {{"entity_id", {"light.kitchen"}}}}}), "");
  EXPECT_EQ(given({{"what", {{"area_id", "bedroom"}}}}), refused);
  EXPECT_EQ(given({{"what", {{"entity_id", "all"}}}}),
            "forbidden: what: Only who may control everything may name all.");
  EXPECT_EQ(given({{"what", {{"device_id", "gone"}}}}), "forbidden: what: There is no device gone.");
}

TEST_F(GivenVariablesTest, LooksIntoWhatNeedNotBeAnId) {
  const std::string refused = "forbidden: what: This user may not control light.bedroom.";
  for (const json::value& selector : {json::value(), json::value{{"text", json::object()}}}) {
    item.fields.clear();
    declare("what", selector);
    EXPECT_EQ(given({{"what", "Good night, light.kitchen and e.g. a.b"}}), "");
    EXPECT_EQ(given({{"what", "{{ 'light.bedroom' }}"}}), refused);
    EXPECT_EQ(given({{"what", "light.kitchen,Light.Bedroom"}}), refused);
    EXPECT_EQ(given({{"what", "bedroom"}}), refused);
    EXPECT_EQ(given({{"what", "all"}}),
              selector.is_null() ? "forbidden: what: Only who may control everything may name all." : "");
  }
  item.fields.clear();
  declare("what", {{"object", json::object()}});
  EXPECT_EQ(given({{"what", {{"a", {1, {{"light.bedroom", true}}}}}}}), refused);
  EXPECT_EQ(given({{"what", {{"a", {1, {{"b", "light.both"}}}}}}}),
            "forbidden: what: This user may not control light.both.");
  EXPECT_EQ(given({{"what", std::string(70'000, 'a')}}), "invalid: variables: expected at most 65536 bytes");
}

}  // namespace
}  // namespace hearth::automation
