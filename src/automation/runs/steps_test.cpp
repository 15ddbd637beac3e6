// SPDX-License-Identifier: Apache-2.0
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct StepsTest : testing::Test {
  // A list of steps; a text is a step that notes it.
  static std::string steps(std::initializer_list<std::string> list) {
    std::string all;
    for (const std::string& step : list)
      all += (all.empty() ? "" : ",") + (step.starts_with('{') && !step.starts_with("{{") ? step : note_step(step));
    return "[" + all + "]";
  }

  TestAutomations home;
};

TEST_F(StepsTest, WaitAtADelay) {
  home.run_steps(steps({"a", R"({"delay": {"seconds": "{{ 2 + 3 }}"}})", "b"}));
  EXPECT_EQ(home.noted(), "a");
  EXPECT_EQ(home.home.value("script.test"), "on");
  home.advance(4s);
  EXPECT_EQ(home.noted(), "");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "b");
  EXPECT_EQ(home.home.value("script.test"), "off");
}

TEST_F(StepsTest, ChooseTakesTheFirstThatHolds) {
  const std::string choose =
      R"({"choose": [{"conditions": "{{ n == 1 }}", "sequence": )" + steps({"one"}) +
      R"(}, {"conditions": [{"condition": "template", "value_template": "{{ n < 3 }}"}], "sequence": )" +
      steps({"few"}) + R"(}], "default": )" + steps({"many"}) + "}";
  home.apply("[]", R"({"test": {"sequence": )" + steps({choose, "."}) + "}}");
  for (const char* const n : {"1", "2", "5"})
    home.call("script.turn_on", fmt::format(R"({{"entity_id": "script.test", "variables": {{"n": {}}}}})", n));
  EXPECT_EQ(home.noted(), "one . few . many .");
}

TEST_F(StepsTest, IfTakesOneOfTwo) {
  home.run_steps(steps({R"({"if": "{{ false }}", "then": )" + steps({"then"}) + R"(, "else": )" + steps({"else"}) + "}",
                        R"({"if": [], "then": )" + steps({"empty"}) + "}",
                        R"({"if": "{{ 1 }}", "then": )" + steps({"no"}) + "}"}));
  EXPECT_EQ(home.noted(), "else empty");
}

TEST_F(StepsTest, AConditionEndsItsSequenceOnly) {
  home.run_steps(
      steps({R"({"if": [], "then": )" +
                 steps({"a", R"({"condition": "template", "value_template": "{{ false }}"})", "never"}) + "}",
             "b",
             R"({"repeat": {"count": 2, "sequence": )" +
                 steps({"{{ repeat.index }}", R"({"and": ["{{ false }}"]})", "never"}) + "}}",
             R"({"not": ["{{ true }}"]})", "never"}));
  EXPECT_EQ(home.noted(), "a b 1 2");
}

TEST_F(StepsTest, RepeatCountsAndKnowsItsItem) {
  home.run_steps(steps({R"({"repeat": {"count": 2, "sequence": )" +
                            steps({R"({"repeat": {"for_each": ["x", {"k": "y"}], "sequence": )" +
                                       steps({"{{ repeat.item.k if repeat.last else repeat.item }}"}) + "}}",
                                   "{{ repeat.index }}{{ repeat.first }}"}) +
                            "}}",
                        R"({"repeat": {"count": "{{ 0 }}", "sequence": )" + steps({"never"}) + "}}"}));
  EXPECT_EQ(home.noted(), "x y 1True x y 2False");
}

TEST_F(StepsTest, RepeatAsksBeforeOrAfter) {
  home.run_steps(
      steps({R"({"variables": {"n": 0}})",
             R"({"repeat": {"while": "{{ n < 2 }}", "sequence": )" +
                 steps({R"({"variables": {"n": "{{ n + 1 }}"}})", "w{{ n }}"}) + "}}",
             R"({"repeat": {"until": "{{ done }}", "sequence": )" +
                 steps({"u{{ repeat.index }}", R"({"variables": {"done": "{{ repeat.index == 2 }}"}})"}) + "}}"}));
  EXPECT_EQ(home.noted(), "w1 w2 u1 u2");
}

TEST_F(StepsTest, ALoopWithoutAWaitIsEnded) {
  home.run_steps(
      R"([{"repeat": {"while": "{{ true }}", "sequence": [{"variables": {"a": 1}}]}}, {"action": "test.note"}])");
  EXPECT_EQ(home.noted(), "");
  EXPECT_EQ(home.home.value("script.test"), "off");
}

TEST_F(StepsTest, VariablesAreChangedWhereTheyAreKnown) {
  home.run_steps(
      steps({R"({"variables": {"a": 1, "b": "{{ a + 1 }}"}})",
             R"({"if": [], "then": )" + steps({R"({"variables": {"a": 5, "c": 6}})", "{{ a }}{{ b }}{{ c }}"}) + "}",
             "{{ a }}{{ c is defined }}"}));
  EXPECT_EQ(home.noted(), "526 5False");
}

TEST_F(StepsTest, WaitForATemplate) {
  home.set("light.a", "off");
  home.run_steps(steps({R"({"wait_template": "{{ is_state('light.a', 'on') }}", "timeout": 10})",
                        "{{ wait.completed }} {{ wait.remaining }}"}));
  home.advance(4s);
  EXPECT_EQ(home.noted(), "");
  home.set("light.a", "on");
  EXPECT_EQ(home.noted(), "True 6.0");
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  EXPECT_EQ(home.noted(), "True 10.0");  // true at once
}

TEST_F(StepsTest, AWaitMayCountWhatFiredDuringTheStepBefore) {
  const auto wait = [](std::string_view more) {
    return fmt::format(R"({{"wait_for_trigger": {{"trigger": "state", "entity_id": "cover.a", "to": "open"}},
                           "timeout": 10{}}})",
                       more);
  };
  const auto play = [&](std::string_view more) {
    home.set("cover.a", "closed");
    home.during_note = [&] { home.write("cover.a", "open"); };  // the answer comes before the call has ended
    home.run_steps(steps({"call", wait(more), "{{ wait.trigger.to_state.state if wait.trigger else 'late' }}"}));
    home.during_note = nullptr;
    home.advance(10s);
    return home.noted();
  };
  EXPECT_EQ(play(""), "call late");
  EXPECT_EQ(play(R"(, "since": "previous_step")"), "call open");
}

TEST_F(StepsTest, AWaitMayBeginWhileAnotherWaits) {
  const std::string_view wait = R"({"wait_for_trigger": {"trigger": "event", "event_type": "EV"},
                                    "since": "previous_step"})";
  const auto of = [&](std::string_view type) {
    std::string text(wait);
    return text.replace(text.find("EV"), 2, type);
  };
  home.run_steps(steps({of("one"), of("two"), "{{ wait.trigger.event.event_type }}"}));
  home.fire("two");
  EXPECT_EQ(home.noted(), "");
  home.fire("one");
  EXPECT_EQ(home.noted(), "two");
}

TEST_F(StepsTest, EachBranchHasAWaitOfItsOwn) {
  const auto branch = [](std::string_view type) {
    return fmt::format(R"({{"sequence": [{{"wait_for_trigger": {{"trigger": "event", "event_type": "{0}"}}}}, {1},
                           {{"if": [], "then": {{"delay": 5}}}}, {2}]}})",
                       type, note_step("{{ wait.trigger.event.event_type }}"),
                       note_step(fmt::format("{} {{{{ wait.trigger.event.event_type }}}}", type)));
  };
  home.run_steps(steps(
      {R"({"wait_template": "{{ true }}", "timeout": 9})",
       fmt::format(R"({{"parallel": [{}, {}, {}]}})", branch("one"), branch("two"), note_step("{{ wait.remaining }}")),
       "after {{ wait.remaining }}"}));
  EXPECT_EQ(home.noted(), "9.0");
  home.fire("one");
  home.fire("two");
  EXPECT_EQ(home.noted(), "one two");
  home.advance(5s);
  EXPECT_EQ(home.noted(), "one one two two after 9.0");
}

TEST_F(StepsTest, WhatAStepAnswersIsKnownAfterItsBlock) {
  home.apply("[]", fmt::format(R"({{"inner": {{"sequence": [{{"variables": {{"r": {{"n": 7}}}}}},
                                                          {{"stop": "", "response_variable": "r"}}]}},
      "test": {{"sequence": [{{"if": [], "then": [{{"wait_template": "{{{{ true }}}}"}}]}},
                             {{"parallel": [{{"action": "script.inner", "response_variable": "got"}}]}}, {}]}}}})",
                               note_step("{{ wait.completed }} {{ got.n }}")));
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  EXPECT_EQ(home.noted(), "True 7");
}

TEST_F(StepsTest, AWaitMayRunOut) {
  home.run_steps(
      steps({R"({"wait_template": "{{ false }}", "timeout": 2})", "{{ wait.completed }} {{ wait.remaining }}",
             R"({"wait_template": "{{ false }}", "timeout": 2, "continue_on_timeout": false})", "never"}));
  home.advance(2s);
  EXPECT_EQ(home.noted(), "False 0.0");
  home.advance(2s);
  EXPECT_EQ(home.noted(), "");
  EXPECT_EQ(home.home.value("script.test"), "off");
}

TEST_F(StepsTest, WaitForATrigger) {
  home.set("light.a", "on");
  home.run_steps(steps(
      {R"({"wait_for_trigger": [{"trigger": "state", "entity_id": "light.a", "to": "on"}, {"trigger": "event", "event_type": "go"}], "timeout": 30})",
       "{{ wait.trigger.platform if wait.trigger else 'none' }}"}));
  home.advance(1s);
  EXPECT_EQ(home.noted(), "");  // the state that is there already does not count
  home.fire("go");
  EXPECT_EQ(home.noted(), "event");
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  home.advance(30s);
  EXPECT_EQ(home.noted(), "none");
}

TEST_F(StepsTest, ParallelGoesOnWhenAllHaveEnded) {
  home.run_steps(steps({R"({"parallel": [{"delay": 2}, {"sequence": )" + steps({"a", R"({"delay": 1})", "b"}) + "}, " +
                            note_step("c") + "]}",
                        "d"}));
  EXPECT_EQ(home.noted(), "a c");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "b");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "d");
}

TEST_F(StepsTest, AnErrorInParallelLetsTheOthersFinish) {
  home.run_steps(steps(
      {R"({"parallel": [{"action": "no.service"}, {"sequence": )" + steps({R"({"delay": 1})", "b"}) + "}]}", "never"}));
  home.advance(1s);
  EXPECT_EQ(home.noted(), "b");
  EXPECT_EQ(home.home.value("script.test"), "off");
}

TEST_F(StepsTest, AnEndInParallelLetsTheOthersFinish) {
  const std::string later = R"({"sequence": )" + steps({R"({"delay": 1})", "b"}) + "}";
  for (const std::string end :
       {R"({"stop": "x"})", R"({"wait_for_trigger": {"trigger": "event", "event_type": "go"}, "timeout": 0.5,
                                "continue_on_timeout": false})"}) {
    home.run_steps(steps({R"({"parallel": [)" + end + "," + later + "]}", "never"}));
    home.advance(2s);
    EXPECT_EQ(home.noted(), "b") << end;
    EXPECT_EQ(home.home.value("script.test"), "off");
  }
}

TEST_F(StepsTest, ManyRoundsOfInstantParallelStepsNeedNoStack) {
  home.run_steps(
      R"([{"repeat": {"count": 5000, "sequence": [{"parallel": [{"variables": {"a": 1}}, {"wait_template": "{{ true }}"}]}]}}, {"action": "test.note"}])");
  EXPECT_EQ(home.noted(), "-");
}

TEST_F(StepsTest, AnErrorEndsTheRunUnlessItMayGoOn) {
  home.run_steps(
      steps({R"({"action": "light.turn_on", "data": {"entity_id": "light.a", "x": 1}, "continue_on_error": true})", "a",
             R"({"action": "test.note", "data": {"text": "{{ nothing + 1 }}"}, "continue_on_error": true})", "b",
             R"({"action": "no.service", "continue_on_error": true})", "never"}));
  EXPECT_EQ(home.noted(), "a b");
}

TEST_F(StepsTest, ABlockMayGoOnAfterAnErrorWithinIt) {
  const std::string fails = R"({"action": "test.note", "data": {"text": "{{ nothing + 1 }}"}})";
  home.run_steps(steps({R"({"if": [], "then": )" + steps({"a", fails, "never"}) + R"(, "continue_on_error": true})",
                        R"({"repeat": {"count": 3, "sequence": )" +
                            steps({"{{ repeat.index }}", R"({"if": [], "then": [)" + fails + "]}"}) +
                            R"(}, "continue_on_error": true})",
                        R"({"parallel": [)" + fails + R"(, {"sequence": )" + steps({R"({"delay": 1})", "p"}) +
                            R"(}], "continue_on_error": true})",
                        "b", R"({"if": [], "then": [{"action": "no.service"}], "continue_on_error": true})", "never"}));
  EXPECT_EQ(home.noted(), "a 1");
  home.advance(1s);
  EXPECT_EQ(home.noted(), "p b");
  // One of two parallel steps within each other goes on by itself.
  home.run_steps(steps(
      {R"({"parallel": [{"parallel": [)" + fails + R"(], "continue_on_error": true}, )" + note_step("c") + "]}", "d"}));
  EXPECT_EQ(home.noted(), "c d");
}

TEST_F(StepsTest, AWaitForATemplateThatFailsGoesOnWaiting) {
  home.run_steps(steps({R"({"wait_template": "{{ states.light.a.state + 1 == 'x' }}", "timeout": 2})", "late"}));
  EXPECT_EQ(home.noted(), "");
  home.advance(2s);
  EXPECT_EQ(home.noted(), "late");
}

TEST_F(StepsTest, AConditionHasManyForms) {
  home.run_steps(steps({R"({"condition": "{{ 1 == 1 }}"})", R"({"condition": ["{{ true }}", "{{ 2 == 2 }}"]})", "a",
                        R"({"condition": "{{ 1 == 2 }}"})", "never"}));
  EXPECT_EQ(home.noted(), "a");
}

TEST_F(StepsTest, DataAndItsTemplatesAreOne) {
  home.run_steps(R"([{"action": "test.note", "data": {"text": "a", "b": 1}, "data_template": {"text": "{{ 'c' }}"}}])");
  EXPECT_EQ(home.noted(), "c");
}

TEST_F(StepsTest, RepeatTakesANumberInQuotes) {
  home.run_steps(steps({R"({"repeat": {"count": "2", "sequence": )" + steps({"x"}) + "}}"}));
  EXPECT_EQ(home.noted(), "x x");
}

TEST_F(StepsTest, StopEndsAllLevels) {
  home.run_steps(steps({R"({"if": [], "then": )" + steps({"a", R"({"stop": "enough"})", "never"}) + "}", "never"}));
  EXPECT_EQ(home.noted(), "a");
}

TEST_F(StepsTest, FireEventsInTheirContext) {
  home.apply("[]", R"({"test": {"sequence": [{"event": "made", "event_data": {"n": "{{ 1 + 1 }}"}}]}})");
  std::string seen;
  core::Context context;
  EventRouter router(home.home.hub.bus);
  const auto made = router.listen({"made", "script_started"}, [&](const core::Event& event) {
    if (event.type == "script_started")
      context = event.context;
    else {
      core::write_data_json(seen, event);
      EXPECT_EQ(event.context.id, context.id);
    }
  });
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  EXPECT_EQ(seen, R"({"n":2})");
  EXPECT_EQ(context.user_id, base::Id("user"));
  EXPECT_TRUE(context.parent_id);
}

TEST_F(StepsTest, TemplatesNameServicesAndTargets) {
  home.run_steps(steps({R"({"action": "test.{{ 'no' ~ 'te' }}", "data": "{{ {'text': 'x' ~ 1} }}"})",
                        R"({"service_template": "test.note", "data_template": {"text": "{{ 3 }}"}})",
                        R"({"action": "test", "enabled": false})"}));
  EXPECT_EQ(home.noted(), "");  // `test` is no service: the script is broken
  home.run_steps(steps({R"({"action": "test.{{ 'no' ~ 'te' }}", "data": "{{ {'text': 'x' ~ 1} }}"})",
                        R"({"service_template": "test.note", "data_template": {"text": "{{ 3 }}"}})",
                        R"({"action": "test.none", "enabled": false})", "end"}));
  EXPECT_EQ(home.noted(), "x1 3 end");
}

TEST_F(StepsTest, TemplatesSayWhetherAStepIsEnabled) {
  const auto step = [](std::string_view kind, std::string_view enabled) {
    return fmt::format(R"({{{}, "enabled": {}}})", kind, enabled);
  };
  const std::string_view call = R"("action": "test.note", "data": {"text": "call"})",
                         condition = R"("condition": "template", "value_template": "{{ false }}")", any = R"("or": [])",
                         off = R"("{{ is_state('light.a', 'on') and x }}")";
  home.run_steps(steps({R"({"variables": {"x": true}})", step(call, off), step(condition, off), step(any, off),
                        step(condition, "false"), "on", step(condition, R"("{{ x }}")"), "never"}));
  EXPECT_EQ(home.noted(), "on");
  const std::string trace = home.newest_trace("script", "test");
  EXPECT_TRUE(trace.contains(R"("sequence/2":[{"path":"sequence/2",)")) << trace;
  EXPECT_TRUE(trace.contains(R"("rendered":{"sequence[2].enabled":false})")) << trace;
}

TEST_F(StepsTest, AScriptAnswersWithItsResponse) {
  home.apply(
      "[]",
      R"({"inner": {"sequence": [{"delay": 90}, {"variables": {"r": {"sum": "{{ a + b }}"}}}, {"stop": "done", "response_variable": "r"}], "variables": {"a": 1, "b": 10}},
                      "test": {"sequence": [{"action": "script.inner", "data": {"a": 5}, "response_variable": "got"}, )" +
          note_step("{{ got.sum }}") + "]}}");
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  home.advance(89s);
  EXPECT_EQ(home.noted(), "");
  home.advance(2s);
  EXPECT_EQ(home.noted(), "15");
}

TEST_F(StepsTest, AScriptHasEndedWhenItsCallIsAnswered) {
  home.apply("[]", R"({"quick": {"sequence": []}, "slow": {"sequence": [{"delay": 5}]}})");
  EXPECT_EQ(home.call("script.quick", "{}"), "script.quick off");
  const auto call = home.home.begin("script.slow", "{}");
  EXPECT_EQ(call->text(), "waiting");
  home.advance(5s);
  EXPECT_EQ(call->text(), "script.slow off");
}

TEST_F(StepsTest, ScriptsSideBySideMayCallThemselvesDeep) {
  const auto script = [](std::string_view more) {
    return fmt::format(R"({{"deep": {{{} "sequence": [{}, "{{{{ n > 0 }}}}",
        {{"action": "script.deep", "data": {{"n": "{{{{ n - 1 }}}}"}}}}]}}}})",
                       more, note_step("{{ n }}"));
  };
  home.apply("[]", script(R"("mode": "parallel", "max": 50,)"));
  home.call("script.deep", R"({"n": 20})");
  EXPECT_TRUE(home.noted().ends_with(" 1 0"));
  home.apply("[]", script(R"("mode": "parallel", "max": 10000,)"));
  home.call("script.deep", R"({"n": 2000})");
  EXPECT_TRUE(home.noted().ends_with(" 1901"));  // a hundred
}

TEST(KeyOfPath, IsAsTheConfigurationHasIt) {
  EXPECT_EQ(key_of_path("action/0/repeat/sequence"), "actions[0].repeat.sequence");
  EXPECT_EQ(key_of_path("sequence/1/choose/2/sequence"), "sequence[1].choose[2].sequence");
}

}  // namespace
}  // namespace hearth::automation
