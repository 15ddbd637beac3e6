// SPDX-License-Identifier: Apache-2.0
// The traces of runs that go on after a restart.
#include "automation/test_restarts.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct RestartedTracesTest : Restarts {
  json::object trace(std::string_view domain, std::string_view item) {
    return base::parse_json(home->newest_trace(domain, item)).value().as_object();
  }
  static std::string paths(const json::object& trace) {
    std::string all;
    for (const auto& [path, records] : trace.at("trace").as_object())
      all += fmt::format("{}*{} ", std::string_view(path), records.as_array().size());
    return all;
  }
  static std::string start_of(const json::object& trace) {
    return std::string(trace.at("timestamp").at("start").as_string());
  }
};

std::string automation_of(std::string_view steps, std::string_view more = "") {
  return fmt::format(R"([{{"alias": "One", "triggers": {{"trigger": "event", "event_type": "go"}},
                     "conditions": "{{{{ true }}}}", "actions": [{}]{}{}}}])",
                     steps, more.empty() ? "" : ", ", more);
}

TEST_F(RestartedTracesTest, HaveWhatBeganTheRunAndItsEarlierSteps) {
  start(automation_of(note_step("a") + R"(, {"wait_template": "{{ is_state('light.a', 'on') }}", "timeout": 60}, )" +
                      R"({"stop": "done"})"));
  home->fire("go", R"({"n":5})");
  const json::object before = trace("automation", "one");
  restart(5s);
  EXPECT_EQ(trace("automation", "one").at("state"), "running");
  EXPECT_EQ(trace("automation", "one").at("last_step"), "action/1");
  restart(5s);
  home->set("light.a", "on");
  const json::object after = trace("automation", "one");
  EXPECT_EQ(after.at("script_execution"), "finished");
  EXPECT_EQ(after.at("run_id"), before.at("run_id"));
  EXPECT_EQ(after.at("trigger"), "event 'go'");
  EXPECT_EQ(start_of(after), start_of(before));
  EXPECT_FALSE(after.contains("left_out"));
  EXPECT_EQ(paths(after), "trigger/0*1 condition/0*1 action/0*1 action/1*1 restart*1 action/2*1 ");
  for (const char* path : {"trigger/0", "condition/0", "action/0"})
    EXPECT_EQ(after.at("trace").at(path), before.at("trace").at(path));
  EXPECT_EQ(after.at("trace").at("action/1").at(0).at("changed_variables").at("wait").at("completed"), true);
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(RestartedTracesTest, AreThereForRunsThatWaitForTheirTurn) {
  start(automation_of(R"({"delay": 10})", R"("mode": "queued")"));
  home->fire("go", R"({"n":1})");
  home->advance(1s);
  home->fire("go", R"({"n":2})");
  const json::object before = trace("automation", "one");
  restart(5s);
  ASSERT_EQ(home->engine.traces().list("automation", "one").size(), 2U);
  EXPECT_EQ(paths(trace("automation", "one")), "trigger/0*1 condition/0*1 restart*1 ");
  home->advance(30s);
  const json::object after = trace("automation", "one");
  EXPECT_EQ(after.at("run_id"), before.at("run_id"));
  EXPECT_EQ(after.at("trigger"), "event 'go'");
  EXPECT_EQ(start_of(after), start_of(before));
  EXPECT_EQ(paths(after), "trigger/0*1 condition/0*1 restart*1 action/0*1 ");
}

TEST_F(RestartedTracesTest, CountTheStepsThatAreTooManyToBeKept) {
  start("[]", script_of(R"({"repeat": {"count": 300, "sequence": [{"variables": {"x": 1}}]}}, {"delay": 10})"));
  home->call("script.turn_on", R"({"entity_id": "script.test"})");
  for (const auto& [key, text] : journal.entries) EXPECT_LT(text.size(), Trace::kMaxStored) << key;
  restart();
  const json::object after = trace("script", "test");
  const std::size_t kept = after.at("trace").at("sequence/0/repeat/sequence/0").as_array().size();
  EXPECT_GT(kept, 50U);
  EXPECT_EQ(after.at("left_out"), 301 - kept);
  EXPECT_EQ(paths(after), fmt::format("sequence/0*1 sequence/0/repeat/sequence/0*{} restart*1 sequence/1*1 ", kept));
  restart();
  home->advance(10s);
  EXPECT_EQ(trace("script", "test").at("script_execution"), "finished");
  EXPECT_EQ(trace("script", "test").at("left_out"), 301 - kept);
  EXPECT_EQ(paths(trace("script", "test")), paths(after));
  EXPECT_EQ(journal.under_way(), 0U);
}

TEST_F(RestartedTracesTest, NameACallThatWasInterruptedInItsStep) {
  start("[]", script_of(note_step("a")));
  core::Journal::Entries during;
  home->during_note = [&] { during = journal.entries; };
  home->call("script.test", "{}");
  journal.entries = during;  // the hub was killed in the call
  restart();
  const json::object after = trace("script", "test");
  EXPECT_EQ(paths(after), "sequence/0*1 restart*1 ");
  const json::value& result = after.at("trace").at("sequence/0").at(0).at("result");
  EXPECT_EQ(result.at("interrupted"), true);
  EXPECT_EQ(result.at("params").at("service"), "note");
}

}  // namespace
}  // namespace hearth::automation
