// SPDX-License-Identifier: Apache-2.0
// One order: what a trigger sees, and which run begins first (section 9 of the rules).
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct OrderTest : testing::Test {
  void take(std::string_view condition, std::string_view variable) {
    home.take_one(R"({"trigger": "state", "entity_id": "light.a", "to": "on"})", "[" + note_step("{{ seen }}") + "]",
                  fmt::format(R"("mode": "parallel", "max": 1000, "conditions": [{}], "variables": {{"seen": "{}"}})",
                              condition, variable));
  }
  TestAutomations home;
};

TEST_F(OrderTest, ATriggerSeesTheHomeAsOfItsEvent) {
  take(R"({"condition": "state", "entity_id": "light.b", "state": "off"})",
       "{{ states('light.a') }} {{ trigger.to_state.state }}");
  home.set("light.b", "off");
  for (const char* value : {"on", "off"}) {
    home.write("light.a", "on");
    home.write("light.b", "on");
    home.write("light.a", "off");
    home.write("light.b", value);
    home.run();
    EXPECT_EQ(home.noted(), value == std::string("on") ? "on on" : "") << value;  // light.b was on, the second time
  }
}

TEST_F(OrderTest, ManyStatesAreThoseOfTheMoment) {
  take(R"("{{ true }}")", "{{ states.light | map(attribute='object_id') | join(' ') }}");
  home.set("light.a", "off");
  home.set("light.gone", "on");
  home.write("light.a", "on");
  home.write("light.late", "on");
  home.home.hub.states.remove("light.gone", core::Context::create(home.home.clock.now())).value();
  home.write("light.a", "off");
  home.write("light.a", "on");
  home.run();
  EXPECT_EQ(home.noted(), "a gone a late");
  home.set("light.a", "off");
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "a late");
}

TEST_F(OrderTest, TheTriggerBeforeTheLastWriteOfABurstSeesEachValue) {
  take(R"("{{ true }}")", "{{ states('sensor.n') }}");
  std::string expected;
  for (int n = 0; n < 300; ++n) {
    home.write("light.a", "off");
    home.write("sensor.n", std::to_string(n));
    home.write("light.a", "on");
    expected += (n == 0 ? "" : " ") + std::to_string(n);
    if (n % 100 == 99) home.run();
  }
  EXPECT_EQ(home.noted(), expected);
}

TEST_F(OrderTest, RunsBeginByEventThenAutomationThenTrigger) {
  const auto automation = [](std::string_view alias, std::string_view triggers) {
    return fmt::format(R"({{"alias": "{}", "mode": "parallel", "triggers": [{}], "actions": [{}]}})", alias, triggers,
                       note_step(fmt::format("{}{{{{ trigger.id }}}}", alias)));
  };
  const std::string
      state = R"({"trigger": "state", "entity_id": "light.a"})",
      event = R"({"trigger": "event", "event_type": "state_changed", "event_data": {"entity_id": "light.a"}})";
  home.take("[" + automation("A", event) + "," + automation("B", state + "," + event + "," + state) + "," +
            automation("C", state) + "]");
  home.write("light.a", "on");
  home.write("light.a", "off");
  home.run();
  EXPECT_EQ(home.noted(), "A0 B0 B1 B2 C0 A0 B0 B1 B2 C0");
}

TEST_F(OrderTest, StepsSeeThePresent) {
  home.take_one(R"({"trigger": "state", "entity_id": "light.a", "to": "on"})",
                "[" + note_step("{{ states('light.a') }}") + "]");
  home.write("light.a", "on");
  home.write("light.a", "off");
  home.run();
  EXPECT_EQ(home.noted(), "off");
}

}  // namespace
}  // namespace hearth::automation
