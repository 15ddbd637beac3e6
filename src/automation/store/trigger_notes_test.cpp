// SPDX-License-Identifier: Apache-2.0
// Triggers' memory over an end of the hub (section 9 of the rules: durable runs, trigger armed states).
#include "automation/test_restarts.h"

namespace hearth::automation {
namespace {

struct TriggerNotesTest : Restarts {
  // An automation of this trigger that notes where its entity came from.
  void on(std::string_view trigger) {
    start(fmt::format(R"([{{"alias": "One", "triggers": {{{}}}, "actions": [{}]}}])", trigger,
                      note_step("{{ trigger.from_state.state if trigger.from_state else '' }}-"
                                "{{ trigger.to_state.state if trigger.to_state else '' }}")));
  }
};

constexpr std::string_view kAbove = R"("trigger": "numeric_state", "entity_id": "sensor.a", "above": 20)";

TEST_F(TriggerNotesTest, ANumberThatWasAboveDoesNotCrossAgain) {
  on(kAbove);
  home->set("sensor.a", "15");
  home->set("sensor.a", "25");
  home->set("sensor.a", "broken");
  EXPECT_EQ(journal.under_way(), 1U);
  restart();
  EXPECT_EQ(journal.under_way(), 1U);
  home->set("sensor.a", "26");
  EXPECT_EQ(noted(), "15-25");
  EXPECT_EQ(journal.under_way(), 0U);  // the state tells it again
  home->set("sensor.a", "broken");
  home->set("sensor.a", "19");
  home->set("sensor.a", "broken");
  restart();
  home->set("sensor.a", "26");
  EXPECT_EQ(noted(), "broken-26");
}

TEST_F(TriggerNotesTest, ANumberThatWasAwayCrossesFromWhereItWas) {
  on(fmt::format(R"({}, "skip_unavailable": true)", kAbove));
  home->set("sensor.a", "15");
  home->set("sensor.a", "unavailable");
  restart();
  home->set("sensor.a", "unknown");
  restart();
  home->set("sensor.a", "25");
  EXPECT_EQ(noted(), "15-25");
  home->set("sensor.a", "unavailable");
  restart();
  home->set("sensor.a", "26");
  EXPECT_EQ(noted(), "");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(TriggerNotesTest, AStateThatWasAwayComesFromTheLastRealOne) {
  on(R"("trigger": "state", "entity_id": "light.a", "to": "on", "skip_unavailable": true)");
  home->set("light.a", "off");
  home->set("light.a", "unavailable");
  restart();
  home->set("light.a", "on");
  home->set("light.a", "unavailable");
  restart();
  home->set("light.a", "on");
  EXPECT_EQ(noted(), "off-on");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(TriggerNotesTest, ATemplateThatWasTrueDoesNotBecomeTrueAgain) {
  on(R"("trigger": "template", "value_template": "{{ states('sensor.a') | int > 20 }}")");
  home->set("sensor.a", "15");
  home->set("sensor.a", "25");
  home->set("sensor.a", "broken");
  restart();
  home->set("sensor.a", "26");
  EXPECT_EQ(noted(), "15-25");
  home->set("sensor.a", "15");
  home->set("sensor.a", "27");
  EXPECT_EQ(noted(), "15-27");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(TriggerNotesTest, ATemplateWhoseStatesWereAwayBecomesTrue) {
  on(R"("trigger": "template", "value_template": "{{ is_state('light.a', 'on') }}", "skip_unavailable": true)");
  home->set("light.a", "off");
  home->set("light.a", "unavailable");
  restart();
  home->set("light.a", "on");
  EXPECT_EQ(noted(), "unavailable-on");
  home->set("light.a", "unavailable");
  restart();
  home->set("light.a", "on");
  EXPECT_EQ(noted(), "");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(TriggerNotesTest, AReloadKeepsThem) {
  const auto configuration = [](std::string_view alias) {
    return fmt::format(R"([{{"id": "1", "alias": "{}", "triggers": {{{}}}, "actions": [{}]}}])", alias, kAbove,
                       note_step("{{ trigger.to_state.state }}"));
  };
  start(configuration("One"));
  home->set("sensor.a", "25");
  home->set("sensor.a", "broken");
  home->apply(configuration("Other name"));
  home->set("sensor.a", "26");
  EXPECT_EQ(noted(), "25");
  home->set("sensor.a", "broken");
  home->apply("[]");
  EXPECT_EQ(journal.under_way(), 0U);  // the trigger is gone
}

}  // namespace
}  // namespace hearth::automation
