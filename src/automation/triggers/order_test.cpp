// SPDX-License-Identifier: Apache-2.0
// One order: what a trigger sees, and which run begins first (section 9 of the rules).
#include "automation/test_automations.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct OrderTest : testing::Test {
  void apply(std::string_view condition, std::string_view variable) {
    home.apply_one(R"({"trigger": "state", "entity_id": "light.a", "to": "on"})", "[" + note_step("{{ seen }}") + "]",
                   fmt::format(R"("mode": "parallel", "max": 1000, "conditions": [{}], "variables": {{"seen": "{}"}})",
                               condition, variable));
  }
  TestAutomations home;
};

TEST_F(OrderTest, ATriggerSeesTheHomeAsOfItsEvent) {
  apply(R"({"condition": "state", "entity_id": "light.b", "state": "off"})",
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
  apply(R"("{{ true }}")", "{{ states.light | map(attribute='object_id') | join(' ') }}");
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
  apply(R"("{{ true }}")", "{{ states('sensor.n') }}");
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
  home.apply("[" + automation("A", event) + "," + automation("B", state + "," + event + "," + state) + "," +
             automation("C", state) + "]");
  home.write("light.a", "on");
  home.write("light.a", "off");
  home.run();
  EXPECT_EQ(home.noted(), "A0 B0 B1 B2 C0 A0 B0 B1 B2 C0");
}

// Automations that note their names, each of these triggers.
std::string named(const std::vector<std::pair<std::string, std::string>>& all) {
  std::string text;
  for (const auto& [alias, triggers] : all)
    text += fmt::format(R"({}{{"alias": "{}", "mode": "parallel", "triggers": [{}], "actions": [{}]}})",
                        text.empty() ? "" : ", ", alias, triggers, note_step(alias + "{{ trigger.id }}"));
  return "[" + text + "]";
}

std::string at_time(std::string_view time) {
  return fmt::format(R"({{"trigger": "time", "at": "{}"}})", time);
}

TEST_F(OrderTest, TimesThatTheClocksSkipAreInTheOrderOfTheirWallTime) {
  home.home.clock.set(base::parse_timestamp("2026-03-29T01:59:00+01:00").value());
  home.run();
  home.set("input_datetime.t", "02:20:00");
  home.set("input_datetime.d", "2026-03-29 02:25:00");
  home.apply(named({{"a", at_time("02:30")},
                    {"b", at_time("02:10")},
                    {"c", at_time("input_datetime.t")},
                    {"d", at_time("input_datetime.d")},
                    {"e", R"({"trigger": "time_pattern", "hours": 2, "minutes": 5})"},
                    {"f", at_time("02:40") + "," + at_time("02:15") + "," + at_time("03:00")},
                    {"g", at_time("02:00")},
                    {"h", R"({"trigger": "time_pattern", "hours": 3})"},
                    {"i", at_time("03:00")}}));
  home.advance(59s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "g0 e0 b0 f1 c0 d0 a0 f0 f2 h0 i0");
}

TEST_F(OrderTest, TimesThatAreLateAreInTheirOrder) {
  home.home.clock.set(base::parse_timestamp("2026-03-10T06:59:00+01:00").value());
  home.run();
  home.apply(
      named({{"a", at_time("07:10")}, {"b", at_time("07:00")}, {"c", at_time("07:10") + "," + at_time("07:05")}}));
  home.home.clock.set(base::parse_timestamp("2026-03-10T07:20:00+01:00").value());
  home.run();
  EXPECT_EQ(home.noted(), "b0 c1 a0 c0");
}

TEST_F(OrderTest, StepsSeeThePresent) {
  home.apply_one(R"({"trigger": "state", "entity_id": "light.a", "to": "on"})",
                 "[" + note_step("{{ states('light.a') }}") + "]");
  home.write("light.a", "on");
  home.write("light.a", "off");
  home.run();
  EXPECT_EQ(home.noted(), "off");
}

}  // namespace
}  // namespace hearth::automation
