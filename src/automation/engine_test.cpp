// SPDX-License-Identifier: Apache-2.0
#include "automation/engine.h"

#include "automation/test_automations.h"
#include "base/log/log.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kOnEvent = R"({"trigger": "event", "event_type": "go"})";

struct EngineTest : testing::Test {
  std::string slow(std::string_view mode) {
    home.apply_one(kOnEvent,
                   "[" + note_step("{{ trigger.event.data.n }}") + R"(, {"delay": 10}, )" + note_step("end") + "]",
                   mode);
    for (int n = 1; n <= 3; ++n) home.fire("go", fmt::format(R"({{"n":"{}"}})", n));
    return home.noted();
  }
  std::string attribute(std::string_view key) { return home.home.attribute("automation.one", key); }

  TestAutomations home;
};

TEST_F(EngineTest, SingleDropsWhatComesMeanwhile) {
  EXPECT_EQ(slow(""), "1");
  EXPECT_EQ(attribute("current"), "1");
  EXPECT_EQ(attribute("mode"), R"("single")");
  EXPECT_EQ(attribute("max"), "");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "end");
  EXPECT_EQ(attribute("current"), "0");
}

TEST_F(EngineTest, RestartEndsTheFormerRun) {
  EXPECT_EQ(slow(R"("mode": "restart")"), "1 2 3");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "end");
}

TEST_F(EngineTest, AScriptThatWaitsForItselfIsAnError) {
  for (const char* mode : {"queued", "restart"}) {
    home.apply("[]", fmt::format(R"({{
      "test": {{"mode": "{}", "sequence": [{}, {{"action": "script.other"}}, {}]}},
      "other": {{"sequence": [{{"action": "script.test", "continue_on_error": true}}, {}]}}}})",
                                 mode, note_step("begin"), note_step("end"), note_step("refused")));
    home.call("script.turn_on", R"({"entity_id": "script.test"})");
    home.advance(1s);
    EXPECT_EQ(home.noted(), "begin refused end") << mode;
    EXPECT_EQ(home.home.value("script.test"), "off") << mode;
  }
}

TEST_F(EngineTest, AScriptMayBeginItselfAgain) {
  const std::string again = R"({"action": "script.turn_on", "target": {"entity_id": "script.test"}})";
  home.run_steps("[" + note_step("a") + ", " + again + ", " + note_step("b") + "]", R"("mode": "restart")");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "a a a a a a a a a a");  // it may not call itself deeper
  EXPECT_EQ(home.home.value("script.test"), "off");
}

TEST_F(EngineTest, OneThatTurnsItselfOffGoesNoFurther) {
  const std::string off = R"({"action": "homeassistant.turn_off", "target": {"entity_id": "script.test"}})";
  home.run_steps("[" + note_step("a") + ", " + off + ", " + note_step("b") + "]");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "a");
  EXPECT_EQ(home.home.value("script.test"), "off");
  home.apply_one(kOnEvent, "[" + note_step("d") +
                               R"(, {"action": "automation.turn_off", "target": {"entity_id": "automation.one"}}, )" +
                               note_step("e") + "]");
  home.fire("go");
  EXPECT_EQ(home.noted(), "d");
}

TEST_F(EngineTest, QueuedTakesTurnsUpToItsMaximum) {
  EXPECT_EQ(slow(R"("mode": "queued", "max": 2)"), "1");
  EXPECT_EQ(attribute("current"), "2");
  EXPECT_EQ(attribute("max"), "2");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "end 2");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "end");
}

TEST_F(EngineTest, ParallelRunsTogetherUpToItsMaximum) {
  EXPECT_EQ(slow(R"("mode": "parallel", "max": 2)"), "1 2");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "end end");
}

TEST_F(EngineTest, AutomationsAreEntitiesThatCanBeTurnedOff) {
  home.apply(R"([{"id": "17", "alias": "Über allem", "triggers": )" + std::string(kOnEvent) + R"(, "actions": []}])");
  EXPECT_EQ(home.home.value("automation.uber_allem"), "on");
  EXPECT_EQ(home.home.attribute("automation.uber_allem", "id"), R"("17")");
  EXPECT_EQ(home.home.attribute("automation.uber_allem", "friendly_name"), R"("Über allem")");
  EXPECT_EQ(home.home.attribute("automation.uber_allem", "last_triggered"), "null");
  EXPECT_EQ(slow(""), "1");
  EXPECT_EQ(attribute("id"), "");
  EXPECT_NE(attribute("last_triggered"), "null");
  home.call("automation.turn_off", R"({"entity_id": "automation.one"})");
  EXPECT_EQ(home.home.value("automation.one"), "off");
  home.advance(10s);
  home.fire("go");
  EXPECT_EQ(home.noted(), "");  // what it did ended, too
  home.call("homeassistant.turn_on", R"({"entity_id": "automation.one"})");
  home.fire("go", R"({"n":"again"})");
  EXPECT_EQ(home.noted(), "again");
  home.call("automation.turn_off", R"({"entity_id": "automation.one", "stop_actions": false})");
  home.advance(10s);
  EXPECT_EQ(home.noted(), "end");
}

TEST_F(EngineTest, TriggerByHandSkipsConditionsUnlessToldOtherwise) {
  home.apply_one(kOnEvent, "[" + note_step("{{ trigger.platform }}") + "]",
                 R"("conditions": "{{ false }}", "initial_state": false)");
  home.fire("go");
  EXPECT_EQ(home.noted(), "");
  home.call("automation.trigger", R"({"entity_id": "automation.one"})");
  EXPECT_EQ(home.noted(), "null");
  EXPECT_EQ(home.contexts.back().user_id, base::Id("user"));
  home.call("automation.trigger", R"({"entity_id": "automation.one", "skip_condition": false})");
  EXPECT_EQ(home.noted(), "");
}

TEST_F(EngineTest, ARunHasAContextOfItsOwnBelowItsCause) {
  home.apply_one(kOnEvent, "[" + note_step("{{ context.id }}") + "]");
  core::Context triggered;
  EventRouter router(home.home.hub.bus);
  const auto listening = router.listen({"automation_triggered"}, [&](const core::Event& event) {
    triggered = event.context;
    std::string data;
    core::write_data_json(data, event);
    EXPECT_EQ(data,
              R"({"name":"One","entity_id":"automation.one","source":"event 'go'","trigger":{"platform":"event"}})");
  });
  const auto cause = core::Context::create(home.home.clock.now());
  home.home.hub.bus.fire("go", "{}", core::Origin::local, cause);
  home.run();
  EXPECT_EQ(home.noted(), std::string(std::string_view(triggered.id)));
  EXPECT_EQ(triggered.parent_id, cause.id);
  EXPECT_EQ(home.contexts.back().id, triggered.id);
}

TEST_F(EngineTest, VariablesSeeTheTriggerAndTheFormerOnes) {
  home.apply_one(
      kOnEvent, "[" + note_step("{{ b }}{{ c }}{{ this.entity_id }}") + "]",
      R"("trigger_variables": {"c": "{{ 1 + 2 }}"}, "variables": {"a": "{{ trigger.event.data.n }}", "b": "{{ a }}!"})");
  home.fire("go", R"({"n":"x"})");
  EXPECT_EQ(home.noted(), "x!3automation.one");
}

TEST_F(EngineTest, ConditionsKeepARunFromBeginning) {
  home.set("light.a", "off");
  home.set("sensor.t", "5");
  const auto runs = [&](std::string_view condition) {
    home.apply_one(kOnEvent, "[" + note_step("x") + "]", fmt::format(R"("conditions": {})", condition));
    home.fire("go");
    return home.noted() == "x";
  };
  EXPECT_TRUE(runs("[]"));
  EXPECT_TRUE(runs(R"({"condition": "state", "entity_id": "light.a", "state": ["on", "off"]})"));
  EXPECT_FALSE(runs(R"({"condition": "state", "entity_id": ["light.a", "sensor.t"], "state": "off"})"));
  EXPECT_TRUE(runs(R"({"condition": "state", "entity_id": ["sensor.t", "light.a"], "state": "off", "match": "any"})"));
  EXPECT_FALSE(runs(R"({"condition": "state", "entity_id": "light.none", "state": "off"})"));
  EXPECT_FALSE(
      runs(R"({"not": [{"condition": "state", "entity_id": "light.none", "state": "off"}]})"));  // cannot be said
  EXPECT_TRUE(runs(R"({"or": [{"condition": "state", "entity_id": "light.none", "state": "off"}, "{{ true }}"]})"));
  EXPECT_TRUE(runs(R"({"condition": "numeric_state", "entity_id": "sensor.t", "above": 4, "below": 6})"));
  EXPECT_FALSE(runs(R"({"condition": "numeric_state", "entity_id": "sensor.t", "above": 5})"));
  EXPECT_FALSE(runs(R"("{{ 1 }}")"));  // only `true` is true
  EXPECT_FALSE(runs(R"({"condition": "trigger", "id": "x"})"));
  EXPECT_TRUE(runs(R"({"condition": "trigger", "id": ["x", "0"]})"));
  EXPECT_TRUE(runs(R"({"condition": "template", "value_template": "{{ false }}", "enabled": false})"));
}

TEST_F(EngineTest, ConditionsOfTimeCompareTheClockOfTheHome) {
  const auto day = base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 25));  // a Wednesday
  home.home.clock.set(day + 22h);                                                              // 23:00 in the home
  const auto runs = [&](std::string_view condition) {
    home.apply_one(kOnEvent, "[" + note_step("x") + "]",
                   fmt::format(R"("conditions": [{{"condition": "time", {}}}])", condition));
    home.fire("go");
    return home.noted() == "x";
  };
  EXPECT_TRUE(runs(R"("after": "23:00")"));
  EXPECT_FALSE(runs(R"("before": "23:00:00")"));
  EXPECT_TRUE(runs(R"("after": "22:00", "before": "06:00")"));
  EXPECT_FALSE(runs(R"("after": "06:00", "before": "22:00")"));
  EXPECT_TRUE(runs(R"("weekday": ["tue", "wed"])"));
  EXPECT_FALSE(runs(R"("weekday": "thu")"));
}

TEST_F(EngineTest, StateConditionMayHaveToHold) {
  home.set("light.a", "on");
  home.apply_one(kOnEvent, "[" + note_step("x") + "]",
                 R"("conditions": [{"condition": "state", "entity_id": "light.a", "state": "on", "for": 10}])");
  home.advance(9s);
  home.fire("go");
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  home.fire("go");
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(EngineTest, ABrokenItemIsUnavailableAndTheOthersRun) {
  home.apply(R"([{"alias": "Bad", "triggers": [], "actions": [{"x": 1}]}, {"alias": "One", "triggers": )" +
                 std::string(kOnEvent) + R"(, "actions": [)" + note_step("x") + "]}]",
             R"({"bad": {"sequence": [{"y": 1}]}})");
  EXPECT_EQ(home.home.value("automation.bad"), "unavailable");
  EXPECT_TRUE(home.home.attribute("automation.bad", "error").contains("unknown step x"));
  EXPECT_EQ(home.home.value("script.bad"), "unavailable");
  EXPECT_TRUE(home.call("script.bad", "{}").contains("unknown step y"));
  ASSERT_EQ(home.engine.faults()->size(), 2);
  EXPECT_EQ(home.engine.faults()->back().entity_id, "automation.bad");
  home.fire("go");
  EXPECT_EQ(home.noted(), "x");
}

TEST_F(EngineTest, ReloadKeepsWhatHasNotChangedRunning) {
  const std::string one = R"({"alias": "One", "triggers": )" + std::string(kOnEvent) +
                          R"(, "actions": [{"delay": 10}, )" + note_step("one") + "]}";
  const auto two = [](std::string_view text) {
    return R"({"alias": "Two", "triggers": )" + std::string(kOnEvent) + R"(, "actions": [{"delay": 10}, )" +
           note_step(text) + "]}";
  };
  home.apply("[" + one + "," + two("two") + "]");
  home.fire("go");
  home.advance(5s);
  home.apply("[" + two("changed") + "," + one + "]");
  home.advance(5s);
  EXPECT_EQ(home.noted(), "one");
  home.fire("go");
  home.apply("[" + one + R"(, {"alias": "Two", "triggers": [], "actions": 5}])");  // broken: the last good one goes on
  EXPECT_EQ(home.engine.faults()->size(), 1);
  home.advance(10s);
  EXPECT_EQ(home.noted(), "changed one");
  home.apply("[" + one + "]");
  EXPECT_EQ(home.home.value("automation.two"), "");
  EXPECT_TRUE(home.engine.faults()->empty());
}

TEST_F(EngineTest, AFileThatCannotBeReadLeavesWhatItHad) {
  const auto one = [](std::string_view text) {
    return test_node(fmt::format(R"({{"alias": "One", "triggers": {}, "actions": [{}]}})", kOnEvent, note_step(text)));
  };
  home.apply(
      fmt::format(
          R"([{{"alias": "One", "triggers": {0}, "actions": [{1}]}}, {{"alias": "Two", "triggers": {0}, "actions": [{2}]}}])",
          kOnEvent, note_step("one"), note_step("two")),
      R"({"s": {"sequence": []}})");
  Sections sections;
  sections.automations.push_back(one("changed"));
  sections.automations.push_back(
      base::ConfigNode({}, base::Error{base::ErrorCode::invalid, "two.yaml:1: a quote is opened and never closed"}));
  home.engine.apply(parse_configuration(sections));
  home.fire("go");
  EXPECT_EQ(home.noted(), "changed two");
  EXPECT_EQ(home.home.value("script.s"), "off");
  ASSERT_EQ(home.engine.faults()->size(), 1);
  home.apply("[]");
  EXPECT_EQ(home.home.value("automation.two"), "");
}

TEST_F(EngineTest, WhatIsNamedAndNotThereIsToldAfterAWhile) {
  home.set("light.there", "on");
  home.apply(R"([{"alias": "One", "triggers": [{"trigger": "state", "entity_id": "light.there, light.gone"},
      {"trigger": "numeric_state", "entity_id": "light.there", "above": "sensor.limit"}],
      "conditions": {"or": [{"condition": "state", "entity_id": "switch.gone", "state": "on"}]},
      "actions": [{"choose": {"conditions": [], "sequence": {"repeat": {"count": 2, "sequence": [
        {"action": "no.service", "target": {"entity_id": ["light.there", "fan.gone"], "area_id": "attic",
            "floor_id": "top", "label_id": "dry"}},
        {"action": "{{ 'some.thing' }}", "target": {"entity_id": "{{ 'light.unknown' }}"}},
        {"action": "test.note", "data": {"text": "{{ 1 }}", "entity_id": "cover.gone"}}]}}}}]},
      {"alias": "Fine", "triggers": [], "actions": [{"action": "test.note", "target": {"entity_id": "all"}}]}])");
  home.advance(9min, 1min);
  EXPECT_TRUE(home.engine.faults()->empty());
  home.advance(1min, 1min);
  ASSERT_EQ(home.engine.faults()->size(), 1);
  const configured::Fault& fault = home.engine.faults()->front();
  EXPECT_EQ(fault.error,
            "cover.gone, fan.gone, light.gone, sensor.limit, switch.gone, area attic, floor top, label dry, "
            "service no.service");
  EXPECT_EQ(fault.kind, configured::Fault::Kind::reference);
  EXPECT_EQ(home.home.value("automation.one"), "on");
  home.set("fan.gone", "on");
  home.advance(1min, 1min);
  EXPECT_EQ(home.engine.faults()->front().error.find("fan.gone"), std::string::npos) << "it has come";
  home.apply("[]");
  EXPECT_TRUE(home.engine.faults()->empty());
}

TEST_F(EngineTest, AValueHasABound) {
  home.apply_one(R"({"trigger": "event", "event_type": "go"})",
                 R"([{"variables": {"x": "{{ 'x' * trigger.event.data.n }}"}}, {"action": "test.note"}])");
  home.fire("go", R"({"n": 262144})");
  EXPECT_EQ(home.notes.size(), 1);
  home.fire("go", R"({"n": 262145})");
  EXPECT_EQ(home.notes.size(), 1);
}

TEST_F(EngineTest, NoneIsBegunByHandBeyondTheMostRuns) {
  home.apply_one(R"({"trigger": "event", "event_type": "go"})", R"([{"action": "test.note"}])");
  home.engine.home().runs = Home::kMaxRuns;
  EXPECT_EQ(home.call("automation.trigger", R"({"entity_id": "automation.one"})"),
            "failed: More than 10000 runs are under way.");
  home.engine.home().runs = 0;
  home.call("automation.trigger", R"({"entity_id": "automation.one"})");
  EXPECT_EQ(home.notes.size(), 1);
}

TEST_F(EngineTest, OneThatTriggersItselfIsStopped) {
  home.apply_one(R"({"trigger": "event", "event_type": "loop"})", R"([{"action": "test.note"}, {"event": "loop"}])",
                 R"("mode": "parallel", "max_exceeded": "silent")");
  home.fire("loop");
  EXPECT_EQ(home.home.value("automation.one"), "off");
  EXPECT_GE(home.notes.size(), 100);
  EXPECT_LE(home.notes.size(), 102);
  ASSERT_EQ(home.engine.faults()->size(), 1);
  EXPECT_TRUE(home.engine.faults()->front().error.contains("by its own changes"));
  home.notes.clear();
  home.call("automation.turn_on", R"({"entity_id": "automation.one"})");
  EXPECT_TRUE(home.engine.faults()->empty());
}

TEST_F(EngineTest, AFastOneThatOthersTriggerIsNotStopped) {
  home.apply_one(kOnEvent, R"([{"action": "test.note"}])");
  for (int i = 0; i < 200; ++i) home.fire("go");
  EXPECT_EQ(home.notes.size(), 200);
  EXPECT_EQ(home.home.value("automation.one"), "on");
}

TEST_F(EngineTest, AScriptThatCallsItselfIsRefusedAtADepth) {
  home.apply(
      "[]",
      R"({"test": {"mode": "parallel", "max": 100, "sequence": [{"action": "test.note"}, {"action": "script.test"}]}})");
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  EXPECT_EQ(home.notes.size(), 100);
  EXPECT_EQ(home.home.value("script.test"), "off");
}

TEST_F(EngineTest, OnAndOffSurvive) {
  home.apply_one(kOnEvent, "[]");
  home.call("automation.turn_off", R"({"entity_id": "automation.one"})");
  const core::StatePtr last = home.home.hub.states.find("automation.one");
  EXPECT_FALSE(ItemEntity::restored(last).on);
  EXPECT_TRUE(ItemEntity::restored(nullptr).on);
}

TEST_F(EngineTest, ScriptsTakeTheirFieldsAsVariables) {
  home.apply(
      "[]",
      R"({"test": {"fields": {"text": {"description": "What to note.", "required": true, "example": "x"}}, "sequence": [)" +
          note_step("{{ text | default('none') }}") + "]}}");
  home.call("script.test", R"({"text": "a"})");
  home.call("script.test", "{}");
  EXPECT_EQ(home.noted(), "a none");
  const auto service = home.home.hub.services.find("script", "test");
  ASSERT_EQ(service->description.fields.size(), 1);
  EXPECT_EQ(service->description.fields[0].name, "text");
  EXPECT_EQ(base::to_json(core::to_json_object(service->description).at("fields")),
            R"({"text":{"description":"What to note.","example":"x","required":true}})");
}

TEST_F(EngineTest, CallsThatDoNotRunAreCountedInTheLog) {
  home.apply(R"([{"alias": "Doorbell", "triggers": {"trigger": "webhook", "webhook_id": "bell", "local_only": false},
                 "actions": {"delay": 60}}])");
  for (int calls = 0; calls < 1'001; ++calls)
    static_cast<void>(home.home.hub.webhooks.call({.id = "bell", .method = "POST"}));
  home.run();
  EXPECT_EQ(home.engine.home().complaints("Doorbell does not run: it is already running"), 1'000);
  std::size_t lines = 0;
  for (const auto& record : base::recent_log().records()) lines += record->message.starts_with("Doorbell does not run");
  EXPECT_EQ(lines, 10U);
}

}  // namespace
}  // namespace hearth::automation
