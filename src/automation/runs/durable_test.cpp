// SPDX-License-Identifier: Apache-2.0
// Runs and clocks over an end of the hub (section 9 of the rules: durable runs).
#include <cmath>
#include <optional>

#include "automation/test_restarts.h"
#include "automation/values/stored_value.h"
#include "base/digest.h"
#include "template/home/state_value.h"
#include "template/values/integer.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct DurableTest : Restarts {};

TEST_F(DurableTest, ADelayGoesOnToItsTime) {
  start("[]",
        script_of(note_step("a") + R"(, {"delay": 60}, )" + note_step("{{ x + 1 }}"), R"("variables": {"x": 4})"));
  home->call("script.test", "{}");
  home->advance(20s);
  restart(10s);
  EXPECT_EQ(home->home.value("script.test"), "on");
  home->advance(29s);
  EXPECT_EQ(noted(), "a");
  home->advance(1s);
  EXPECT_EQ(noted(), "5");
  EXPECT_EQ(home->home.value("script.test"), "off");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, ADelayThatEndedMeanwhileGoesOnAtOnce) {
  start("[]", script_of(R"({"delay": 60}, )" + note_step("late {{ this.late > 0 }} {{ this.state }}")));
  home->call("script.test", "{}");
  restart(1h);
  EXPECT_EQ(noted(), "late True off");
}

TEST_F(DurableTest, ARunThatWouldBeTooLateEnds) {
  start("[]", script_of(R"({"delay": 60}, )" + note_step("late"), R"("late": "drop", "max_late": "00:30")"));
  home->call("script.test", "{}");
  restart(10min);
  EXPECT_EQ(noted(), "late");
  home->call("script.test", "{}");
  restart(1h);
  EXPECT_EQ(noted(), "");
  EXPECT_EQ(home->home.value("script.test"), "off");
  EXPECT_EQ(journal.under_way(), 0U);
  EXPECT_EQ(home->engine.missed().at(0).at("why"), "late");
}

TEST_F(DurableTest, LoopsBranchesAndVariablesAreWhereTheyWere) {
  start("[]", script_of(R"({"variables": {"all": []}},
    {"repeat": {"for_each": ["a", "b", "c"], "sequence": [
      {"if": "{{ repeat.item == 'b' }}", "then": [{"variables": {"all": "{{ all + [repeat.index] }}"}}, {"delay": 10}]},
      {"delay": 10}, )" +
                        note_step("{{ repeat.item }}{{ all }}") + R"(]}},
    {"parallel": [{"sequence": [{"delay": 5}, )" +
                        note_step("p") + R"(]}, {"sequence": [{"delay": 25}, )" + note_step("q") + "]}]}, " +
                        note_step("end")));
  home->call("script.test", "{}");
  for (int i = 0; i < 16; ++i) {
    home->advance(5s);
    restart();
  }
  EXPECT_EQ(noted(), "a[] b[2] c[2] p q end");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, WaitsAreArmedAgain) {
  start("[]", script_of(R"({"wait_for_trigger": {"trigger": "event", "event_type": "go"}, "timeout": 60}, )" +
                        note_step("{{ wait.completed }} {{ wait.remaining }}") +
                        R"(, {"wait_template": "{{ is_state('light.a', 'on') }}", "timeout": 60}, )" +
                        note_step("{{ wait.completed }}") +
                        R"(, {"wait_for_trigger": {"trigger": "event", "event_type": "go"}, "timeout": 60}, )" +
                        note_step("{{ wait.completed }}")));
  home->call("script.test", "{}");
  home->advance(10s);
  restart(5s);
  home->fire("go");
  EXPECT_EQ(noted(), "True 45.0");
  restart(5s);
  home->set("light.a", "on");
  EXPECT_EQ(noted(), "true");
  restart(2min);
  EXPECT_EQ(noted(), "false");
}

TEST_F(DurableTest, ACallThatWasUnderWayIsNotMadeAgain) {
  const std::string steps = note_step("a") + ", " + note_step("b");
  for (const char* more : {"", R"("on_interrupt": "stop")"}) {
    start("[]", script_of(steps, more));
    core::Journal::Entries during;
    home->during_note = [&] {
      if (during.empty()) during = journal.entries;  // the hub is killed in the first call
    };
    home->call("script.test", "{}");
    EXPECT_EQ(noted(), "a b");
    journal.entries = during;
    restart();
    EXPECT_EQ(noted(), *more ? "" : "b");
    EXPECT_EQ(journal.under_way(), 0U);
    EXPECT_TRUE(home->newest_trace("script", "test").contains(R"("interrupted":true)"));
  }
}

TEST_F(DurableTest, ARunThatHasNotBegunBegins) {
  start("[]", script_of(note_step("a")));
  // Written down before its first step, and killed then.
  const auto context = core::Context::create(home->home.clock.now());
  json::object run{
      {"item", "script.test"},
      {"fingerprint", base::fingerprint(R"({"sequence":[{"action":"test.note","data":{"text":"a"}}]})")},
      {"order", 1},
      {"context", to_stored(context)},
      {"variables", json::array()},
      {"strands", json::array{json::object{{"number", 1},
                                           {"parent", -1},
                                           {"children", 0},
                                           {"stack", json::array{json::object{{"block", "sequence"}, {"next", 0}}}}}}}};
  journal.entries["run/" + std::string(context.id.str())] = base::to_json(run);
  restart();
  EXPECT_EQ(noted(), "a");
}

TEST_F(DurableTest, WhatFiredBeforeAWaitIsKnownAfterwards) {
  start("[]", R"({"test": {"sequence": [{"delay": 10}, {"wait_for_trigger": {"trigger": "event", "event_type": "go"},
                 "since": "previous_step"}, )" +
                  note_step("{{ wait.trigger.event.data.n }}") + "]}}");
  home->call("script.turn_on", R"({"entity_id": "script.test"})");
  restart();
  home->fire("go", R"({"n": 1})");
  home->advance(5s);
  restart();
  home->fire("go", R"({"n": 2})");
  EXPECT_EQ(noted(), "");
  home->advance(10s);
  EXPECT_EQ(noted(), "1");
}

TEST_F(DurableTest, AScriptAnswersTheRunThatWaitsForIt) {
  start("[]", R"({"test": {"sequence": [{"action": "script.inner", "response_variable": "r"}, )" +
                  note_step("{{ r.value }}") +
                  R"(]}, "inner": {"sequence": [{"delay": 10}, {"variables": {"out": {"value": 7}}},
                     {"stop": "done", "response_variable": "out"}]}})");
  home->call("script.turn_on", R"({"entity_id": "script.test"})");
  home->advance(5s);
  restart();
  home->advance(5s);
  EXPECT_EQ(noted(), "7");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, AQueuedRunAnswersItsCallerAfterEachRestart) {
  start("[]",
        R"({"test": {"sequence": [{"action": "script.inner", "data": {"n": 2}, "response_variable": "r"}, )" +
            note_step("{{ r.value }}") +
            R"(]}, "inner": {"mode": "queued", "sequence": [{"delay": 10}, {"variables": {"out": {"value": "{{ n }}"}}},
                     {"stop": "done", "response_variable": "out"}]}})");
  home->call("script.turn_on", R"({"entity_id": "script.inner", "variables": {"n": 1}})");
  home->call("script.turn_on", R"({"entity_id": "script.test"})");
  home->advance(5s);
  restart();  // it waits for its turn …
  home->advance(10s);
  restart();  // … and has begun
  home->advance(4s);
  EXPECT_EQ(noted(), "");
  home->advance(1s);
  EXPECT_EQ(noted(), "2");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, QueuedRunsKeepTheirOrder) {
  start(fmt::format(R"([{{"alias": "One", "mode": "queued", "triggers": {{"trigger": "event", "event_type": "go"}},
                     "actions": [{{"delay": 10}}, {}]}}])",
                    note_step("{{ trigger.event.data.n }}")));
  for (int n = 1; n <= 3; ++n) home->fire("go", fmt::format(R"({{"n":{}}})", n));
  restart();
  EXPECT_EQ(home->home.attribute("automation.one", "current"), "3");
  home->advance(15s);
  restart();
  home->advance(20s);
  EXPECT_EQ(noted(), "1 2 3");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, ClocksOfForGoOn) {
  const std::string automations = fmt::format(R"([{{"alias": "One", "triggers": [
      {{"trigger": "state", "entity_id": "light.a, light.b", "to": "on", "for": 60}},
      {{"trigger": "numeric_state", "entity_id": "sensor.n", "above": 5, "for": 60}},
      {{"trigger": "template", "value_template": "{{{{ is_state('light.c', 'on') }}}}", "for": 60}}],
      "mode": "parallel", "actions": [{}]}}])",
                                              note_step("{{ trigger.platform }} {{ trigger.from_state.state }}"));
  start(automations);
  for (const char* id : {"light.a", "light.b", "light.c"}) home->set(id, "off");
  home->set("sensor.n", "1");
  home->advance(10s);
  for (const char* id : {"light.a", "light.b", "light.c"}) home->set(id, "on");
  home->set("sensor.n", "7");
  home->advance(20s);
  restart(20s);
  home->set("light.b", "off");
  home->advance(19s);
  EXPECT_EQ(noted(), "");
  home->advance(1s);
  EXPECT_EQ(noted(), "state off numeric_state 1 template off");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, AClockThatEndedMeanwhileWaitsForTheReport) {
  start(fmt::format(R"([{{"alias": "One", "triggers": {{"trigger": "state", "entity_id": "light.a, light.b, light.c",
                     "to": "on", "for": 60}}, "mode": "parallel", "actions": [{}]}}])",
                    note_step("{{ trigger.entity_id }}")));
  for (const char* id : {"light.a", "light.b", "light.c"}) {
    home->set(id, "off");
    home->set(id, "on");
  }
  awaited = [](const core::State& state) { return state.entity_id() != "light.c"; };
  restart(5min);
  EXPECT_EQ(noted(), "light.c");
  home->set("light.a", "on");
  EXPECT_EQ(noted(), "light.a");
  home->set("light.b", "off");
  home->set("light.b", "on");
  EXPECT_EQ(noted(), "");
}

TEST_F(DurableTest, AReloadKeepsTheClocksOfTriggersThatStay) {
  const auto automations = [](std::string_view trigger, std::string_view alias) {
    return fmt::format(R"([{{"id": "1", "alias": "{}", "triggers": [{{"trigger": "event", "event_type": "go"}}, {}],
                        "actions": [{}]}}])",
                       alias, trigger, note_step("{{ trigger.id }}"));
  };
  const std::string trigger = R"({"trigger": "state", "entity_id": "light.a", "to": "on", "for": 60})";
  start(automations(trigger, "One"));
  home->set("light.a", "off");
  home->set("light.a", "on");
  home->advance(30s);
  home->apply(automations(trigger, "Two"));
  home->advance(30s);
  EXPECT_EQ(noted(), "1");
  home->set("light.a", "off");
  home->set("light.a", "on");
  home->advance(30s);
  home->apply(automations(R"({"trigger": "state", "entity_id": "light.a", "to": "on", "for": 61})", "Two"));
  home->advance(60s);
  EXPECT_EQ(noted(), "");
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, WhatHasChangedOrEndedDoesNotGoOn) {
  start("[]", script_of(R"({"delay": 60}, )" + note_step("a")));
  home->call("script.test", "{}");
  for (auto& [key, text] : journal.entries) {
    if (keys::is_run(key)) text.replace(text.find("fingerprint"), 3, "FIN");
  }
  restart();
  EXPECT_EQ(home->home.value("script.test"), "off");
  EXPECT_EQ(journal.under_way(), 0U);
  home->call("script.turn_on", R"({"entity_id": "script.test"})");
  EXPECT_EQ(journal.under_way(), 1U);
  home->call("script.turn_off", R"({"entity_id": "script.test"})");
  EXPECT_EQ(journal.under_way(), 0U);
  home->call("script.turn_on", R"({"entity_id": "script.test"})");
  journal.entries["clock/nobody/x/light.a"] = "{}";
  journal.entries["run/x"] = "no JSON";
  restart();
  EXPECT_EQ(journal.under_way(), 1U);
  home->apply("[]", script_of(R"({"delay": 61})"));
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, TracesAreThereAfterARestart) {
  start("[]", script_of(note_step("a")));
  home->call("script.test", "{}");
  const json::array before = home->engine.traces().list("script", "test");
  ASSERT_EQ(before.size(), 1U);
  restart();
  EXPECT_EQ(home->engine.traces().list("script", "test"), before);
  EXPECT_TRUE(home->newest_trace("script", "test").contains("sequence/0"));
  home->call("script.test", "{}");
  EXPECT_EQ(home->engine.traces().list("script", "test").size(), 2U);
  home->apply("[]");
  EXPECT_TRUE(journal.entries.empty());
}

TEST_F(DurableTest, AnAutomationThatWasStoppedIsSoUntilItIsTurnedOn) {
  constexpr std::string_view kLoop =
      R"([{{"id": "1", "alias": "{}", "initial_state": false, "mode": "parallel", "max_exceeded": "silent",
      "triggers": {{"trigger": "event", "event_type": "loop"}}, "actions": {{"event": "loop"}}}}])";
  start(fmt::format(kLoop, "One"));
  home->call("automation.turn_on", R"({"entity_id": "automation.one"})");
  home->fire("loop");
  const auto faults = [this] { return home->engine.faults()->size(); };
  ASSERT_EQ(faults(), 1U);
  restart();
  EXPECT_EQ(home->home.value("automation.one"), "off");
  EXPECT_EQ(faults(), 1U);
  home->apply(fmt::format(kLoop, "Another name"));  // it is still off
  EXPECT_EQ(faults(), 1U);
  home->call("automation.turn_on", R"({"entity_id": "automation.one"})");
  EXPECT_EQ(faults(), 0U);
  restart();
  EXPECT_EQ(faults(), 0U);
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(DurableTest, TimesWhileTheHubWasDownAreListedAndRunIfWanted) {
  const auto automation = [](std::string_view missed) {
    return fmt::format(R"({{"alias": "{0}", "missed": "{0}", "mode": "parallel", "max": 100,
        "triggers": [{{"trigger": "time", "at": "07:00:00", "id": "morning"}}, {{"trigger": "time_pattern", "hours": 8}}],
        "actions": [{1}]}})",
                       missed, note_step(fmt::format("{} {{{{ trigger.id }}}} {{{{ trigger.now.hour }}}}", missed)));
  };
  start("[" + automation("skip") + "," + automation("once") + "," + automation("all") + "]");
  home->set("light.a", "on");
  restart(48h);
  // In the order of the times, whichever automation's they are.
  EXPECT_EQ(noted(), "all morning 7 all 1 8 all morning 7 once 1 8 all 1 8");
  const json::array missed = home->engine.missed();
  ASSERT_EQ(missed.size(), 12U);
  EXPECT_EQ(missed[0].at("why"), "down");
  EXPECT_EQ(missed[0].at("trigger"), "1");
  EXPECT_TRUE(missed[0].at("entity_id").as_string().starts_with("automation."));
  for (std::size_t later = 0; later + 1 < missed.size(); ++later)  // of all three, the newest first
    EXPECT_GE(missed[later].at("at").as_string(), missed[later + 1].at("at").as_string());
  restart();
  EXPECT_EQ(home->engine.missed(), missed);
  EXPECT_EQ(noted(), "");
  home->advance(24h, 1min);
  EXPECT_EQ(home->engine.missed().size(), 12U);
}

TEST_F(DurableTest, TheChangeThatBeganARunIsKeptWithIt) {
  start(fmt::format(R"([{{"alias": "One", "triggers": {{"trigger": "state", "entity_id": "light.a"}},
                     "actions": [{}]}}])",
                    note_step("a")));
  home->set("light.a", "on");
  EXPECT_EQ(journal.kept, "light.a ");
}

TEST(StoredValueTest, KeepsEveryKindOfValue) {
  using templates::Value;
  TestAutomations home;
  home.set("light.a", "on", R"({"x":[1,2.0]})");
  templates::Dict odd;
  odd.set(Value(1), Value("one"));
  odd.set(Value("$x"), Value::tuple({Value(true), Value()}));
  const Value all = Value::list(
      {Value(5), *templates::read_integer("-36893488147419103232", 10), Value(5.0), Value(HUGE_VAL), Value("text"),
       Value(), Value(false), Value::bytes(std::string("\x00\xff", 2)), Value::tuple({Value(1)}),
       Value(templates::Range{1, 9, 2}), Value::dict(odd),
       Value(templates::DateTime{1'000'000, templates::Zone::of("Europe/Berlin"), true}),
       Value(templates::DateTime{1'000'000, {}}), Value(templates::Date{20'000}), Value(templates::TimeOfDay{5}),
       Value(templates::TimeDelta{7}), Value::from_json(base::parse_json(R"({"a":{"$b":[1.0]}})").value())});
  const Value back = value_from_stored(base::parse_json(base::to_json(to_stored(all))).value());
  EXPECT_EQ(templates::to_text(back), templates::to_text(all));
  EXPECT_TRUE(templates::equal(back, all));
  const core::StatePtr state = home.home.hub.states.find("light.a");
  const core::StatePtr again = state_from_stored(base::parse_json(base::to_json(to_stored(state))).value());
  EXPECT_EQ(again->json(), state->json());
  const Value object = value_from_stored(to_stored(templates::state_value(state)));
  EXPECT_EQ(templates::to_text(templates::attribute_of(object, "state")), "on");
  EXPECT_TRUE(value_from_stored(to_stored(Value::undefined("x"))).is_undefined());
}

}  // namespace
}  // namespace hearth::automation
