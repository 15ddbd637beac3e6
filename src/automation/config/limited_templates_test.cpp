// SPDX-License-Identifier: Apache-2.0
#include "automation/config/limited_templates.h"

#include "automation/config/parsing.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct LimitedTemplatesTest : testing::Test {
  TestAutomations home;
};

TEST_F(LimitedTemplatesTest, SeeTriggerVariables) {
  home.apply_one(
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

TEST_F(LimitedTemplatesTest, SeeTheAutomationItself) {
  const auto at_event = [&](std::string_view trigger, std::string_view more, std::string_view data = "{}") {
    home.apply(fmt::format(R"([{{"id": "own id", "alias": "Quiet", {}"triggers": {}, "actions": [{}]}}])", more,
                           trigger, note_step("ran")));
    EXPECT_EQ(home.home.value("automation.quiet"), "on") << home.home.attribute("automation.quiet", "error");
    home.fire("act", std::string(data));
    return home.noted();
  };
  EXPECT_EQ(at_event(R"({"trigger": "event", "event_type": "act", "event_data": {"a": "quiet-{{ this.entity_id }}"}})",
                     "", R"({"a": "quiet-automation.quiet"})"),
            "ran");
  EXPECT_EQ(at_event(R"({"trigger": "event", "event_type": "act", "event_data": {"a": "quiet-{{ this.entity_id }}"}})",
                     "", R"({"a": "quiet-automation.other"})"),
            "");
  EXPECT_EQ(
      at_event(R"({"trigger": "event", "event_type": "act", "event_data": {"a": {"b": ["{{ this.attributes.id }}"]}}})",
               "", R"({"a": {"b": ["own id"]}})"),
      "ran");
  EXPECT_EQ(at_event(R"({"trigger": "event", "event_type": "{{ this.object_id | replace('quiet', 'act') }}"})", ""),
            "ran");
  EXPECT_EQ(
      at_event(R"({"trigger": "event", "event_type": "act", "enabled": "{{ this.attributes.id == 'own id' }}"})", ""),
      "ran");
  EXPECT_EQ(
      at_event(R"({"trigger": "event", "event_type": "act", "enabled": "{{ this.attributes.id != 'own id' }}"})", ""),
      "");
  EXPECT_EQ(at_event(R"({"trigger": "event", "event_type": "act", "event_data": "{{ {'a': mine} }}"})",
                     R"("trigger_variables": {"own": "{{ this.name }}", "mine": "{{ own ~ this.state }}"}, )",
                     R"({"a": "Quieton"})"),
            "ran");
  // Values that the state has only later: nothing of them is known as the file is read.
  EXPECT_EQ(at_event(R"([{"trigger": "event", "event_type": "{{ this.last_changed.isoformat()[:2] }}"},
                         {"trigger": "event", "event_type": "act", "enabled": "{{ this.attributes.last_triggered.x.y }}"}])",
                     ""),
            "");
}

TEST_F(LimitedTemplatesTest, OfATriggerThatIsArmedSeeTheAutomationItself) {
  home.set("sensor.n", "0");
  home.apply(R"([{"id": "5", "alias": "Quiet", "triggers": [
      {"trigger": "template", "value_template": "{{ states('sensor.n') == this.attributes.id }}"},
      {"trigger": "numeric_state", "entity_id": "sensor.n", "above": 4, "value_template": "{{ state.state if this.state == 'on' else 0 }}"},
      {"trigger": "state", "entity_id": "sensor.n", "to": "5", "for": "{{ this.attributes.id | int - 5 }}"}], "actions": [)" +
             note_step("{{ trigger.platform }}") + R"(], "mode": "parallel"}])");
  home.set("sensor.n", "5");
  EXPECT_EQ(home.noted(), "template numeric_state state");
}

TEST_F(LimitedTemplatesTest, MayAskForListsOfTheRegistry) {
  home.set("sensor.n", "0");
  const auto runs = [&](std::string_view trigger, std::string_view more = "") {
    home.apply_one(trigger, "[" + note_step("ran") + "]", more);
    home.fire("act", R"({"n": "automation.one"})");
    return home.noted() == "ran";
  };
  for (const bool is_there : {true, false}) {
    const std::string list = fmt::format("integration_entities('{}')", is_there ? "automation" : "nothing");
    EXPECT_EQ(runs(fmt::format(R"({{"trigger": "event", "event_type": "act", "enabled": "{{{{ {} | count > 0 }}}}"}})",
                               list)),
              is_there);
    EXPECT_EQ(
        runs(fmt::format(
            R"({{"trigger": "event", "event_type": "act", "event_data": {{"n": "{{{{ {} | first | default('') }}}}"}}}})",
            list)),
        is_there);
    EXPECT_EQ(runs(R"({"trigger": "event", "event_type": "{{ 'act' if here else 'other' }}"})",
                   fmt::format(R"("trigger_variables": {{"here": "{{{{ {} != [] }}}}"}})", list)),
              is_there);
    EXPECT_EQ(runs(R"({"trigger": "event", "event_type": "act"})",
                   fmt::format(R"("conditions": [{{"condition": "template", "value_template": "{{{{ false }}}}",
                                  "enabled": "{{{{ {} == [] }}}}"}}])",
                               list)),
              is_there);
    home.run_steps(fmt::format(
        R"([{{"wait_for_trigger": {{"trigger": "event",
             "event_type": "{{{{ 'go' if integration_entities('{}') != [] else 'no' }}}}"}}}}, {}])",
        is_there ? "script" : "nothing", note_step("went")));
    home.fire("go");
    EXPECT_EQ(home.noted() == "went", is_there);
  }
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

TEST_F(LimitedTemplatesTest, MayNotAskForMoreThanLists) {
  for (const char* const asks : {"states('a.b')",
                                 "states.sensor | count",
                                 "is_state('a.b', 'on')",
                                 "state_attr('a.b', 'x')",
                                 "is_state_attr('a.b', 'x', 1)",
                                 "has_value('a.b')",
                                 "state_translated('a.b')",
                                 "expand('group.a')",
                                 "closest('zone.a')",
                                 "distance('zone.a')",
                                 "now()",
                                 "utcnow()",
                                 "today_at('10:00')",
                                 "device_attr('x', 'name')",
                                 "is_device_attr('x', 'name', 1)",
                                 "device_id('a.b')",
                                 "area_id('a')",
                                 "area_name('a')",
                                 "floor_id('a')",
                                 "floor_name('a')",
                                 "label_id('a')",
                                 "label_name('a')",
                                 "is_hidden_entity('a.b')",
                                 "'a.b' is has_value"}) {
    EXPECT_EQ(refusal(fmt::format(R"({{"trigger": "event", "event_type": "{{{{ {} }}}}"}})", asks)),
              "f.yaml:1: event_type: the template asks for states, which are not known here")
        << asks;
  }
  for (const char* const asks :
       {"integration_entities('mqtt')", "device_entities('x')", "area_entities('a')", "area_devices('a')", "areas()",
        "floors()", "floor_areas('a')", "floor_entities('a')", "labels()", "label_entities('a')", "label_areas('a')",
        "label_devices('a')", "config_entry_id('a.b')", "[1] | random"}) {
    EXPECT_EQ(refusal(fmt::format(R"({{"trigger": "event", "event_type": "x", "event_data": {{"x": "{{{{ {} }}}}"}}}})",
                                  asks)),
              "")
        << asks;
  }
}

TEST_F(LimitedTemplatesTest, ThatFailSaySoOnce) {
  for (const char* const trigger :
       {R"({"trigger": "event", "event_type": "{{ x.y }}"})", R"({"trigger": "event", "event_type": ["{{ x.y }}"]})",
        R"({"trigger": "event", "event_type": "x", "event_data": {"a": "{{ x.y }}"}})",
        R"({"trigger": "event", "event_type": "x", "event_data": "{{ x.y }}"})",
        R"({"trigger": "event", "event_type": "x", "context": {"user_id": ["{{ x.y }}"]}})",
        R"({"trigger": "event", "event_type": "x", "enabled": "{{ x.y }}"})",
        R"({"trigger": "mqtt", "topic": "{{ x.y }}"})", R"({"trigger": "mqtt", "topic": "a", "payload": "{{ x.y }}"})",
        R"({"trigger": "webhook", "webhook_id": "{{ x.y }}"})", R"({"trigger": "tag", "tag_id": ["{{ x.y }}"]})",
        R"({"trigger": "sun", "event": "sunset", "offset": "{{ x.y }}"})",
        R"({"trigger": "calendar", "entity_id": "calendar.a", "offset": {"minutes": "{{ x.y }}"}})"}) {
    const std::string error = refusal(trigger);
    EXPECT_TRUE(error.contains("'x' is undefined")) << trigger << error;
    EXPECT_EQ(std::ranges::count(error, '\n'), 0) << trigger << error;
  }
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
