// SPDX-License-Identifier: Apache-2.0
// Values that must stay so for a while before a trigger fires, and what its templates see.
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct ForTest : TriggersHome {};

TEST_F(ForTest, WithNotFromTheValueStaysTheSame) {
  home.set("sensor.a", "a");
  on(R"({"trigger": "state", "entity_id": "sensor.a", "not_from": ["x"], "for": 3})", "{{ trigger.to_state.state }}");
  for (const char* const value : {"b", "c", "d", "e"}) {
    home.set("sensor.a", value);
    home.advance(1s);
  }
  EXPECT_EQ(home.noted(), "");
  home.advance(2s);
  EXPECT_EQ(home.noted(), "e");
}

TEST_F(ForTest, WithFromAndNotToTheValueStaysUnlikeTheFormer) {
  home.set("light.a", "off");
  on(R"({"trigger": "state", "entity_id": "light.a", "from": "off", "not_to": ["x"], "for": 3})");
  home.set("light.a", "on");
  home.advance(1s);
  home.set("light.a", "standby");
  home.advance(2s);
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(ForTest, ItsTemplateSeesTheTrigger) {
  home.set("sensor.a", "1");
  on(R"({"trigger": "template", "value_template": "{{ states('sensor.a') | int > 10 }}",
         "for": "{{ 1 if trigger.to_state.state == '12' else 5 }}"})");
  home.set("sensor.a", "12");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "x");
  home.set("sensor.a", "1");
  on(R"({"trigger": "numeric_state", "entity_id": "sensor.a", "above": 10, "for": "{{ trigger.above - 8 }}"})");
  home.set("sensor.a", "12");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(ForTest, ATextThatIsNoNumberEndsTheClockAndDoesNotArm) {
  home.set("sensor.a", "1");
  on(R"({"trigger": "numeric_state", "entity_id": "sensor.a", "above": 5, "for": 10})");
  home.set("sensor.a", "6");
  home.advance(1s);
  home.set("sensor.a", "jammed");
  home.advance(10s);
  home.set("sensor.a", "7");
  home.advance(20s);
  EXPECT_EQ(home.noted(), "");
}

TEST_F(ForTest, ATemplateThatGivesNoDurationIsToldWithItsAutomation) {
  home.set("sensor.a", "1");
  on(R"({"trigger": "state", "entity_id": "sensor.a", "for": "{{ 'soon' }}"})");
  home.set("sensor.a", "2");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "");
  EXPECT_EQ(home.engine.home().complaints("a trigger of automation.one does not fire: "), 1);
}

TEST_F(ForTest, TemplatesSeeTheAutomation) {
  home.set("sensor.a", "1");
  home.apply_one(
      R"({"trigger": "template", "value_template": "{{ states('sensor.a') == '2' and this.state == 'on' and limit }}"})",
      "[" + note_step("{{ this.entity_id }}") + "]", R"("trigger_variables": {"limit": "{{ this.state == 'on' }}"})");
  home.set("sensor.a", "2");
  EXPECT_EQ(home.noted(), "automation.one");
}

}  // namespace
}  // namespace hearth::automation
