// SPDX-License-Identifier: Apache-2.0
// switch_as_x: a switch as something else, its commands and its renames.
#include "derived/test_derived.h"
#include "domains/entities/kinds.h"

namespace hearth::derived {
namespace {

// Obeys at once.
class Outlet final : public domains::ThingDevice {
 public:
  void act(const domains::Action& action, const json::object&) override {
    context = thing->command_context();
    thing->report({.value = action.service == "turn_on"});
  }

  domains::Thing* thing = nullptr;
  core::Context context;
};

class Shown {
 public:
  Shown() {
    auto made = std::make_unique<domains::Thing>(
        domains::kSwitch,
        domains::EntityInfo{.integration = "test", .unique_id = "u", .object_id = "gate", .name = "The gate"},
        domains::Abilities{}, &outlet);
    outlet.thing = made.get();
    made->report({.value = false});
    home.automations.home.add(std::move(made));
  }
  void apply(std::string_view domain, std::string_view more = "") {
    home.apply("sensor", "[]", "switch_as_x",
               fmt::format(R"([{{"entity_id": "switch.gate", "target_domain": "{}"{}}}])", domain, more));
    EXPECT_EQ(home.errors(), "");
  }

  Outlet outlet;
  TestDerived home;
};

struct Form {
  const char *domain, *off, *on, *turn_on, *turn_off;
};
class SwitchAsForm : public testing::TestWithParam<Form> {};

TEST_P(SwitchAsForm, FollowsAndCommandsItsSwitch) {
  const Form form = GetParam();
  Shown shown;
  shown.apply(form.domain);
  const std::string id = fmt::format("{}.gate", form.domain);
  EXPECT_EQ(shown.home.value(id), form.off);
  EXPECT_EQ(shown.home.attribute(id, "friendly_name"), "\"The gate\"");
  const auto call = [&](const char* service) {
    return shown.home.call(fmt::format("{}.{}", form.domain, service), fmt::format(R"({{"entity_id": "{}"}})", id));
  };
  EXPECT_TRUE(call(form.turn_on).contains(form.on)) << call(form.turn_on);
  EXPECT_EQ(shown.home.value("switch.gate"), "on");
  EXPECT_EQ(shown.home.value(id), form.on);
  // With the caller's context.
  EXPECT_EQ(shown.outlet.context.user_id, "user");
  EXPECT_EQ(shown.outlet.context.id, shown.home.automations.home.hub.states.find(id)->context().id);
  call(form.turn_off);
  EXPECT_EQ(shown.home.value("switch.gate"), "off");
  shown.outlet.thing->set_available(false);
  shown.home.run();
  EXPECT_EQ(shown.home.value(id), "unavailable");
}

INSTANTIATE_TEST_SUITE_P(All, SwitchAsForm,
                         testing::Values(Form{"cover", "closed", "open", "open_cover", "close_cover"},
                                         Form{"fan", "off", "on", "turn_on", "turn_off"},
                                         Form{"light", "off", "on", "turn_on", "turn_off"},
                                         Form{"lock", "locked", "unlocked", "unlock", "lock"},
                                         Form{"siren", "off", "on", "turn_on", "turn_off"},
                                         Form{"valve", "closed", "open", "open_valve", "close_valve"}));

TEST(SwitchAsTest, MayBeInverted) {
  Shown shown;
  shown.apply("lock", R"(, "invert": true, "name": "Front door")");
  EXPECT_EQ(shown.home.value("lock.gate"), "unlocked");
  EXPECT_EQ(shown.home.attribute("lock.gate", "friendly_name"), "\"Front door\"");
  shown.home.call("lock.lock", R"({"entity_id": "lock.gate"})");
  EXPECT_EQ(shown.home.value("switch.gate"), "on");
  EXPECT_EQ(shown.home.value("lock.gate"), "locked");
}

TEST(SwitchAsTest, FollowsRenamesAlsoOverARestart) {
  Shown shown;
  shown.apply("light");
  core::Hub& hub = shown.home.automations.home.hub;
  ASSERT_TRUE(hub.registry.update_entity("switch.gate", {.new_entity_id = "switch.garden"}, core::Context()));
  shown.home.run();
  EXPECT_EQ(shown.home.attribute("light.gate", "entity_id"), "\"switch.garden\"");
  for (int i = 0; i < 2; ++i) {
    shown.home.call("light.toggle", R"({"entity_id": "light.gate"})");
    EXPECT_EQ(shown.home.value("switch.garden"), i == 0 ? "on" : "off");
    EXPECT_EQ(shown.home.value("light.gate"), i == 0 ? "on" : "off");
    shown.home.sensors.stop();
    shown.apply("light");
  }
}

TEST(SwitchAsTest, SaysWhatIsWrong) {
  TestDerived home;
  home.apply(
      "sensor", "[]", "switch_as_x",
      R"([{"entity_id": "light.a", "target_domain": "lamp"}, {"entity_id": "switch.a", "target_domain": "fan", "invert": true}])");
  EXPECT_EQ(home.errors(),
            "f.yaml:1: entity_id: expected a switch such as switch.garage, found \"light.a\"\n"
            "f.yaml:1: target_domain: expected one of cover, fan, light, lock, siren, valve, found \"lamp\"\n"
            "f.yaml:1: invert: is for a cover, a lock or a valve\n");
}

}  // namespace
}  // namespace hearth::derived
