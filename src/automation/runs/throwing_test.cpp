// SPDX-License-Identifier: Apache-2.0
// Exceptions of what a run or a trigger uses: the run ends as failed, and the next one begins as if nothing had been.
#include <stdexcept>

#include "automation/test_automations.h"
#include "automation/test_ports.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct ThrowingTest : testing::Test {
  void throws(bool so) {
    home.before_rendering = so ? [] { throw std::runtime_error("the disk is on fire"); } : std::function<void()>();
  }
  std::string current(std::string_view entity_id) const { return home.home.attribute(entity_id, "current"); }

  TestAutomations home;
};

TEST_F(ThrowingTest, AStepThatThrowsEndsItsRunAsFailed) {
  const std::string end = "[" + note_step("end") + "]", t = R"("{{ 1 }}")";
  for (const std::string& step : std::vector<std::string>{
           R"({"action": "test.note", "data": {"text": )" + t + "}}", R"({"action": "{{ 'test.note' }}"})",
           R"({"action": "test.note", "enabled": "{{ states('a.b') == 'unknown' }}"})", R"({"delay": )" + t + "}",
           R"({"wait_template": "{{ true }}"})",
           R"({"wait_for_trigger": {"trigger": "event", "event_type": "x"}, "timeout": )" + t + "}",
           R"({"event": "{{ 'x' }}"})", R"({"event": "x", "event_data": {"n": )" + t + "}}",
           R"({"choose": [{"conditions": "{{ true }}", "sequence": )" + end + "}]}",
           R"({"if": "{{ true }}", "then": )" + end + "}",
           R"({"repeat": {"count": "{{ 2 }}", "sequence": )" + end + "}}",
           R"({"repeat": {"for_each": "{{ [1] }}", "sequence": )" + end + "}}",
           R"({"repeat": {"while": "{{ repeat.index < 2 }}", "sequence": )" + end + "}}",
           R"({"repeat": {"until": "{{ true }}", "sequence": []}})",
           R"({"parallel": [{"delay": 1}, {"variables": {"x": )" + t + "}}]}", R"({"variables": {"x": )" + t + "}}",
           R"({"stop": "{{ 'enough' }}"})", R"("{{ true }}")", R"({"set_conversation_response": "{{ 'yes' }}"})"}) {
    // In the first task of the run, and in one that a timer begins.
    for (const std::string before : {"", R"({"delay": 5},)"}) {
      home.apply("[]", fmt::format(R"({{"test": {{"sequence": [{}{}]}}}})", before, step));
      home.call("script.turn_on", R"({"entity_id": "script.test"})");
      home.call("script.turn_off", R"({"entity_id": "script.test"})");
      throws(true);
      home.call("script.turn_on", R"({"entity_id": "script.test"})");
      home.advance(6s);
      EXPECT_EQ(home.home.value("script.test"), "off") << step << before;
      EXPECT_EQ(current("script.test"), "0") << step;
      EXPECT_TRUE(home.newest_trace("script", "test").contains("an unexpected error: the disk is on fire")) << step;
      throws(false);
      home.noted();
      home.call("script.turn_on", R"({"entity_id": "script.test"})");
      home.advance(6s);
      EXPECT_FALSE(home.newest_trace("script", "test").contains("unexpected")) << step << before;
    }
  }
}

TEST_F(ThrowingTest, ASlowCallOfAScriptThatThrowsEndsItsCaller) {
  home.apply("[]", R"({"test": {"sequence": {"action": "script.other"}}, "other": {"sequence": []}})");
  TestPorts ports(home.engine.home());
  ports.on_call_script = []() -> bool { throw std::runtime_error("no scripts"); };
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  EXPECT_EQ(home.home.value("script.test"), "off");
  EXPECT_TRUE(home.newest_trace("script", "test").contains("no scripts"));
  ports.on_call_script = nullptr;
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  EXPECT_FALSE(home.newest_trace("script", "test").contains("no scripts"));
}

TEST_F(ThrowingTest, ATriggerOrConditionThatThrowsDoesNotEndTheAutomation) {
  const std::string event = R"({"trigger": "event", "event_type": "go"})";
  struct Case {
    std::string trigger, more;
  };
  for (
      const auto& [trigger, more] : std::vector<Case>{
          {event, R"("conditions": "{{ true }}")"},
          {event,
           R"("conditions": [{"condition": "numeric_state", "entity_id": "sensor.n", "above": 0, "value_template": "{{ 1 }}"}])"},
          {event, R"("variables": {"x": "{{ 1 }}"})"},
          {R"({"trigger": "event", "event_type": "go", "variables": {"x": "{{ 1 }}"}})", ""},
          {R"({"trigger": "template", "value_template": "{{ is_state('sensor.n', '1') }}"})", ""},
          {R"({"trigger": "template", "value_template": "{{ is_state('sensor.n', '1') }}", "for": "{{ 0 }}"})", ""},
          {R"({"trigger": "numeric_state", "entity_id": "sensor.n", "above": 0.5, "value_template": "{{ state.state }}"})",
           ""},
          {R"({"trigger": "state", "entity_id": "sensor.n", "to": "1", "for": "{{ 0 }}"})", ""},
          {R"({"trigger": "time", "at": "12:00"})", R"("conditions": "{{ true }}")"},
          {R"({"trigger": "time_pattern", "seconds": "/1"})", R"("conditions": "{{ true }}")"},
          {R"({"trigger": "webhook", "webhook_id": "w", "local_only": false})", R"("conditions": "{{ true }}")"},
          {R"({"trigger": "conversation", "command": "do it"})", R"("conditions": "{{ true }}")"}}) {
    home.apply_one(trigger, "[" + note_step("ran") + "]", more);
    const auto everything = [&] {
      home.set("sensor.n", "0");
      home.set("sensor.n", "1");
      home.fire("go");
      static_cast<void>(home.home.hub.webhooks.call({.id = "w", .method = "POST"}));
      home.call("conversation.process", R"({"text": "do it"})");
      home.advance(24h, 1h);
      home.advance(2s);
    };
    throws(true);
    everything();
    EXPECT_EQ(home.noted(), "") << trigger << more;
    throws(false);
    everything();
    EXPECT_NE(home.noted(), "") << trigger << more;
  }
}

TEST_F(ThrowingTest, ACalendarThatThrowsIsAskedAgain) {
  int asked = 0;
  TestPorts ports(home.engine.home());
  ports.on_calendar_events = [&]() -> base::Result<json::array> {
    if (++asked < 3) throw std::runtime_error("no calendar");
    return base::Result<json::array>();
  };
  home.apply_one(R"([{"trigger": "calendar", "entity_id": "calendar.a"}, {"trigger": "event", "event_type": "go"}])",
                 "[" + note_step("ran") + "]");
  home.fire("go");
  EXPECT_EQ(home.noted(), "ran");
  home.advance(3h, 1min);
  EXPECT_GE(asked, 3);
}

}  // namespace
}  // namespace hearth::automation
