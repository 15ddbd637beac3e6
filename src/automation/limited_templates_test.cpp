// SPDX-License-Identifier: Apache-2.0
#include "automation/limited_templates.h"

#include "automation/parsing.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct LimitedTemplatesTest : testing::Test {
  TestAutomations home;
};

TEST_F(LimitedTemplatesTest, SeeTriggerVariables) {
  home.take_one(
      R"([{"trigger": "event", "event_type": "{{ t }}", "event_data": {"x": "{{ d.a }}"}},
          {"triggers": [{"trigger": "event", "event_type": ["other", "{{ t }}_2"], "event_data": "{{ d }}"}]},
          {"trigger": "event", "event_type": "{{ t }}", "enabled": "{{ t == 'none' }}"}])",
      "[" + note_step("{{ trigger.event.event_type }}") + "]",
      R"("trigger_variables": {"t": "zigbee", "d": {"a": 1}})");
  home.fire("zigbee", R"({"x":2})");
  EXPECT_EQ(home.noted(), "");
  home.fire("zigbee", R"({"x":1})");
  home.fire("zigbee_2", R"({"a":1})");
  EXPECT_EQ(home.noted(), "zigbee zigbee_2");
}

TEST_F(LimitedTemplatesTest, OfAWaitSeeTheRun) {
  const std::string wait =
      R"({"wait_for_trigger": [{"trigger": "event", "event_type": "answer", "event_data": {"action": "{{ open }}"}}],
          "timeout": 60})";
  home.run_steps(
      R"([{"variables": {"open": "{{ 'OPEN_' ~ context.id }}"}}, {"event": "asked", "event_data": {"id": "{{ open }}"}}, )" +
      wait + "," + note_step("{{ wait.completed }}") + "]");
  home.fire("answer", R"({"action":"OPEN_"})");
  EXPECT_EQ(home.noted(), "");
  home.run_steps(R"([{"variables": {"open": "{{ 'A' ~ 'B' }}"}}, )" + wait + "," + note_step("{{ wait.completed }}") +
                 "]");
  home.fire("answer", R"({"action":"AB"})");
  EXPECT_EQ(home.noted(), "true");
  // Also with what fired during the step before.
  home.during_note = [&] {
    home.home.hub.bus.fire("answer", R"({"action":"now"})", core::Origin::local,
                           core::Context::create(home.home.clock.now()), core::FiredBy::client);
  };
  home.run_steps(R"([{"variables": {"open": "now"}}, )" + note_step("call") + "," + wait.substr(0, wait.size() - 1) +
                 R"(, "since": "previous_step"}, )" + R"({"event": "done", "event_data": {}}])");
  home.during_note = nullptr;
  home.run();
  EXPECT_EQ(home.noted(), "call");
  EXPECT_EQ(home.home.value("script.test"), "off");
}

TEST_F(LimitedTemplatesTest, OfAWaitThatFailEndTheRun) {
  home.run_steps(R"([{"wait_for_trigger": [{"trigger": "event", "event_type": "{{ missing.x }}"}]}, )" +
                 note_step("never") + "]");
  EXPECT_EQ(home.home.value("script.test"), "off");
  home.run_steps(
      R"([{"wait_for_trigger": [{"trigger": "event", "event_type": "{{ missing.x }}"}], "continue_on_error": true}, )" +
      note_step("on") + "]");
  EXPECT_EQ(home.noted(), "on");
}

std::string refusal(std::string_view triggers) {
  const base::ConfigNode node = test_node(triggers);
  const auto read = parse_triggers(&node);
  return read ? "" : read.error().message;
}

TEST_F(LimitedTemplatesTest, SayWhatIsWrong) {
  EXPECT_EQ(refusal(R"({"trigger": "event", "event_type": "{{ states('light.a') }}"})"),
            "f.yaml:1: event_type: the template asks for states, which are not known here");
  EXPECT_TRUE(refusal(R"({"trigger": "event", "event_type": "x", "event_data": {"a": "{{ b + 1 }}"}})")
                  .contains("event_data.a: "));
}

TEST_F(LimitedTemplatesTest, AreCheckedBeforeTheVariablesAreKnown) {
  const auto assumed = [](std::string_view triggers) {
    const base::ConfigNode node = with_limited_assumed(test_node(triggers));
    const auto read = parse_triggers(&node);
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(assumed(R"([{"trigger": "event", "event_type": "{{ a }}", "event_data": "{{ b }}", "enabled": "{{ c }}"},
                        {"trigger": "mqtt", "topic": "{{ a }}/x", "payload": "{{ b }}"}, {"trigger": "tag", "tag_id": "{{ a }}"}])"),
            "");
  EXPECT_EQ(assumed(R"({"trigger": "event", "event_type": "{{ a }}", "event_dta": 1})"),
            "f.yaml:1: event_dta: unknown key, did you mean event_data? Known: trigger, platform, id, alias, enabled, "
            "variables, event_type, event_data, context");
}

}  // namespace
}  // namespace hearth::automation
