// SPDX-License-Identifier: Apache-2.0
#include "automation/home/traces.h"
#include "automation/config/part_check.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kGo = R"({"trigger": "event", "event_type": "go"})";

struct TracesTest : testing::Test {
  json::array rows(std::string_view item = "one") { return home.engine.traces().list("automation", item); }
  std::string executions() {
    std::string all;
    for (const json::value& row : rows()) {
      if (!all.empty()) all += ' ';
      all += row.at("script_execution").is_null() ? "running" : std::string(row.at("script_execution").as_string());
    }
    return all;
  }
  // The newest trace of the item.
  json::object newest(std::string_view domain = "automation", std::string_view item = "one") {
    return base::parse_json(home.newest_trace(domain, item)).value().as_object();
  }
  // A value within the newest trace as JSON: the path of a step, and the pointer within its last record.
  std::string step(std::string_view path, const std::string& pointer) {
    const json::object trace = newest();
    const json::value* const steps = trace.at("trace").as_object().if_contains(path);
    if (!steps) return "no step";
    boost::system::error_code error;
    const json::value* const found = steps->as_array().back().find_pointer(pointer, error);
    return found ? base::to_json(*found) : "nothing";
  }

  TestAutomations home;
};

TEST_F(TracesTest, CountRunsThatTheModeDropped) {
  home.apply_one(R"([{"trigger": "event", "event_type": "go", "id": "gone"}])", R"([{"delay": 60}])",
                 R"("max_exceeded": "silent")");
  for (int i = 0; i < 3; ++i) home.fire("go");
  EXPECT_EQ(executions(), "failed_single failed_single running");
  EXPECT_EQ(rows().at(1).at("dropped"), 2);
  EXPECT_EQ(rows().at(1).at("trigger"), "event 'go'");
  EXPECT_FALSE(rows().at(2).as_object().contains("dropped"));
  ASSERT_EQ(home.engine.missed().size(), 2U);
  EXPECT_EQ(home.engine.missed().at(0).at("why"), "dropped");
  EXPECT_EQ(home.engine.missed().at(0).at("trigger"), "gone");
}

TEST_F(TracesTest, GoOnAfterAWait) {
  home.apply_one(kGo, R"([{"variables": {"x": "{{ 1 + 1 }}"}}, {"delay": 5},
      {"parallel": [{"wait_template": "{{ is_state('light.a', 'on') }}", "timeout": 60}, {"delay": 1}]}])");
  home.fire("go");
  EXPECT_EQ(step("action/0", "/changed_variables/x"), "2") << "while it waits";
  home.advance(7s);
  EXPECT_EQ(step("action/1", "/result/delay"), "5.0");
  home.set("light.a", "on");
  EXPECT_EQ(executions(), "finished");
  EXPECT_EQ(step("action/0", "/changed_variables/x"), "2");
  EXPECT_EQ(step("action/1", "/path"), R"("action/1")");
  EXPECT_EQ(step("action/2/parallel/0/sequence/0", "/changed_variables/wait/completed"), "true");
}

TEST_F(TracesTest, ShowEachStepWithWhatItRendered) {
  home.set("light.a", "on");
  home.apply_one(kGo, R"([
      {"variables": {"x": "{{ trigger.event.data.n + 1 }}"}},
      {"choose": [{"conditions": "{{ x == 1 }}", "sequence": []},
                  {"conditions": {"condition": "state", "entity_id": "light.a", "state": "on"},
                   "sequence": [{"action": "test.note", "data": {"text": "{{ states('light.a') }} {{ x }}"}}]}]},
      {"if": {"condition": "state", "entity_id": "light.a", "state": "off"}, "then": [], "else": [{"delay": 5}]},
      {"repeat": {"count": 2, "sequence": [{"event": "said", "event_data": {"i": "{{ repeat.index }}"}}]}},
      {"stop": "enough"}])",
                 R"("conditions": [{"or": ["{{ false }}", "{{ trigger.event.data.n == 5 }}"]}])");
  home.fire("go", R"({"n":5})");
  EXPECT_EQ(executions(), "running");
  EXPECT_EQ(step("action/2", "/result/choice"), R"("else")");
  home.engine.traces().get("automation.other", std::string(rows().at(0).at("run_id").as_string()), {},
                           [](std::optional<std::string> json) { EXPECT_FALSE(json); });  // it is not of that item
  home.advance(5s);
  EXPECT_EQ(executions(), "finished");
  const json::object trace = newest();
  std::string paths;
  for (const auto& [path, records] : trace.at("trace").as_object())
    paths += fmt::format("{}*{} ", std::string_view(path), records.as_array().size());
  EXPECT_EQ(paths,
            "trigger/0*1 condition/0*1 condition/0/conditions/0*1 condition/0/conditions/1*1 action/0*1 action/1*1 "
            "action/1/choose/0/conditions/0*1 action/1/choose/1/conditions/0*1 action/1/choose/1/sequence/0*1 "
            "action/2*1 action/2/if/0*1 action/2/else/0*1 action/3*1 action/3/repeat/sequence/0*2 action/4*1 ");
  EXPECT_EQ(step("trigger/0", "/changed_variables/trigger/event/data/n"), "5");
  EXPECT_EQ(step("condition/0", "/result/result"), "true");
  EXPECT_EQ(step("condition/0/conditions/0", "/result/result"), "false");
  EXPECT_EQ(step("action/0", "/changed_variables/x"), "6");
  EXPECT_EQ(step("action/0", "/rendered/actions[0].variables.x"), "6");
  EXPECT_EQ(step("action/1", "/result/choice"), "1");
  EXPECT_EQ(step("action/1/choose/1/conditions/0", "/states/light.a"), R"("on")");
  const std::string call = "action/1/choose/1/sequence/0";
  EXPECT_EQ(step(call, "/result/params"), R"({"domain":"test","service":"note","service_data":{"text":"on 6"}})");
  EXPECT_EQ(step(call, "/rendered/actions[1].choose[1].sequence[0].data.text"), R"("on 6")");
  EXPECT_EQ(step(call, "/states/light.a"), R"("on")");
  EXPECT_EQ(step("action/3/repeat/sequence/0", "/result/event_data"), R"({"i":2})");
  EXPECT_EQ(step("action/4", "/result"), R"({"stop":"enough","error":false})");
  EXPECT_EQ(trace.at("trigger"), "event 'go'");
  EXPECT_EQ(trace.at("last_step"), "action/4");
  EXPECT_EQ(trace.at("item_id"), "one");
  EXPECT_EQ(trace.at("config").at("alias"), "One");
}

TEST_F(TracesTest, SayHowARunEnded) {
  home.apply_one(kGo, R"([{"delay": 5}, "{{ false }}"])", R"("conditions": "{{ trigger.event.data.n > 0 }}")");
  home.fire("go", R"({"n":0})");
  home.fire("go", R"({"n":1})");
  home.fire("go", R"({"n":1})");
  EXPECT_EQ(executions(), "failed_conditions failed_single running");
  home.advance(5s);
  EXPECT_EQ(executions(), "failed_conditions failed_single aborted");
  home.fire("go", R"({"n":1})");
  home.call("automation.turn_off", R"({"entity_id": "automation.one"})");
  home.apply_one(kGo, R"([{"action": "no.service"}])");
  home.call("automation.turn_on", R"({"entity_id": "automation.one"})");
  home.fire("go");
  EXPECT_EQ(executions(), "failed_conditions failed_single aborted cancelled error");
  EXPECT_EQ(newest().at("error"), "there is no service no.service");
  EXPECT_EQ(step("action/0", "/error"), R"("there is no service no.service")");
  home.apply_one(kGo, R"([{"stop": "no", "error": true}])");
  home.fire("go");
  EXPECT_TRUE(executions().ends_with(" error aborted")) << executions();
}

TEST_F(TracesTest, AreInTheOrderOfTheirStart) {
  home.apply_one(kGo, R"([{"delay": "{{ trigger.event.data.n }}"}])",
                 R"("mode": "parallel", "conditions": "{{ trigger.event.data.n > 0 }}")");
  for (const int n : {300, 3, 0}) {
    home.fire("go", fmt::format(R"({{"n":{}}})", n));
    home.advance(1s);
  }
  EXPECT_EQ(executions(), "running running failed_conditions");
  home.advance(5s);
  EXPECT_EQ(executions(), "running finished failed_conditions");
}

TEST_F(TracesTest, KeepTheLastAndThoseThatMatter) {
  home.apply_one(kGo,
                 R"([{"if": "{{ trigger.event.data.what == 'call' }}", "then": [{"action": "test.note"}]},
                    {"if": "{{ trigger.event.data.what == 'fail' }}", "then": [{"action": "no.service"}]}])",
                 R"("trace": {"stored_traces": 3}, "conditions": "{{ trigger.event.data.what != 'stop' }}")");
  const auto fire = [&](std::string_view what, int times) {
    for (int i = 0; i < times; ++i) home.fire("go", fmt::format(R"({{"what":"{}"}})", what));
  };
  fire("call", 1);
  fire("fail", 1);
  fire("", 5);
  EXPECT_EQ(executions(), "finished error finished finished finished");
  fire("stop", 9);
  EXPECT_EQ(executions(),
            "finished error finished finished finished failed_conditions failed_conditions failed_conditions");
  home.apply_one(kGo, "[]", R"("trace": {"stored_traces": 0})");
  const auto before = rows().size();
  fire("", 1);
  EXPECT_EQ(rows().size(), before);
  home.apply("[]");
  EXPECT_TRUE(rows().empty());
}

TEST_F(TracesTest, AreBoundedAndShowNoSecret) {
  using Node = base::ConfigNode;
  home.apply_one(kGo, R"([{"repeat": {"count": 3000, "sequence": [{"variables": {"x": "{{ 'y' * 100 }}"}}]}},
                              {"variables": {"big": "{{ 'z' * 100000 }}"}}])");
  home.fire("go");
  json::object trace = newest();
  EXPECT_LE(base::to_json(trace).size(), 2 * Trace::kMaxBytes);
  EXPECT_GT(trace.at("left_out").to_number<int>(), 1000);

  Node::Map data, step, item;
  data.push_back({"text", Node({}, "hunter2", {.plain = false, .secret = true})});
  step.push_back({"action", Node({}, "test.note")});
  step.push_back({"data", Node({}, std::move(data))});
  item.push_back({"alias", Node({}, "One")});
  item.push_back({"triggers", test_node(kGo)});
  item.push_back({"actions", Node({}, Node::List{Node({}, std::move(step))})});
  Sections sections;
  sections.automations.push_back(Node({}, Node::List{Node({}, std::move(item))}));
  home.engine.apply(parse_configuration(sections));
  home.fire("go");
  EXPECT_EQ(home.noted(), "hunter2");
  const std::string text = base::to_json(newest());
  EXPECT_FALSE(text.contains("hunter2")) << text;
  EXPECT_TRUE(text.contains("********"));
  EXPECT_FALSE(base::to_json(home.engine.config_of("automation.one").value()).contains("hunter2"));
}

TEST_F(TracesTest, NameTheScriptsThatARunCalls) {
  home.apply(fmt::format(R"([{{"alias": "One", "triggers": {}, "actions": [{{"action": "script.s"}}]}}])", kGo),
             R"({"s": {"sequence": [{"action": "test.note"}]}})");
  home.fire("go");
  EXPECT_EQ(step("action/0", "/result/running_script"), "true");
  EXPECT_EQ(step("action/0", "/child_id/run_id"), base::to_json(newest("script", "s").at("run_id")));
  EXPECT_EQ(home.engine.traces().contexts().size(), 2U);
}

TEST_F(TracesTest, ConfigurationIsReadBackInTheNewSpelling) {
  home.apply(R"([{"alias": "One", "trigger": {"platform": "event", "event_type": "go"}, "condition": [],
                 "action": [{"service": "test.note"}, {"if": "{{ true }}", "then": {"service": "test.note"}}]}])",
             R"({"s": {"sequence": {"service": "test.note"}}})");
  EXPECT_EQ(base::to_json(home.engine.config_of("automation.one").value()),
            R"({"alias":"One","triggers":{"trigger":"event","event_type":"go"},"conditions":[],)"
            R"("actions":[{"action":"test.note"},{"if":"{{ true }}","then":{"action":"test.note"}}]})");
  EXPECT_EQ(base::to_json(home.engine.config_of("script.s").value()), R"({"sequence":{"action":"test.note"}})");
  EXPECT_FALSE(home.engine.config_of("script.none"));
}

TEST_F(TracesTest, LooseStepsAreCheckedTriedAndRun) {
  const auto parse = [](std::string_view text) { return base::parse_json(text).value(); };
  EXPECT_EQ(check_triggers(parse(R"({"platform": "event", "event_type": "x"})")), "");
  EXPECT_TRUE(check_triggers(parse(R"([{"trigger": "stat"}])")).contains("did you mean state"));
  EXPECT_EQ(check_conditions(parse(R"(["{{ true }}", {"condition": "state", "entity_id": "a.b", "state": "on"}])")),
            "");
  EXPECT_NE(check_conditions(parse("5")), "");
  EXPECT_EQ(check_actions(parse(R"([{"service": "light.turn_on"}])")), "");
  EXPECT_TRUE(
      check_actions(parse(R"([{"delai": 5}])")).starts_with("actions[0].delai: unknown step delai, did you mean"));
  OneOffSteps& loose = home.engine.one_off_steps();
  EXPECT_TRUE(loose.test(parse(R"("{{ x == 5 }}")"), {{"x", 5}}).value());
  EXPECT_FALSE(loose.test(parse(R"(["{{ true }}", "{{ x == 6 }}"])"), {{"x", 5}}).value());
  EXPECT_FALSE(loose.test(parse(R"({"condition": "state", "entity_id": "light.none", "state": "on"})"), {}));
  std::string answers;
  const auto note = [&](const base::Result<json::value>& answer) {
    answers += (answer ? base::to_json(*answer) : answer.error().message) + ", ";
  };
  const auto context = core::Context::create(home.home.clock.now());
  loose.run(parse(R"([{"action": "test.note", "data": {"text": "{{ x }}"}}, {"variables": {"r": {"a": 1}}},
                      {"delay": 5}, {"stop": "", "response_variable": "r"}])"),
            {{"x", 7}}, context, note);
  loose.run(parse(R"([{"action": "no.service"}])"), {}, context, note);
  loose.run(parse(R"([{"x": 1}])"), {}, context, [&](const auto& answer) { EXPECT_FALSE(answer); });
  loose.run(parse(R"({"delay": 100})"), {}, context, note);
  home.run();
  home.advance(5s);
  EXPECT_EQ(home.noted(), "7");
  EXPECT_EQ(home.contexts.back().id, context.id);
  EXPECT_EQ(answers, R"(there is no service no.service, {"a":1}, )");
  home.engine.stop();
  EXPECT_TRUE(answers.ends_with("The steps were ended., "));
}

}  // namespace
}  // namespace hearth::automation
