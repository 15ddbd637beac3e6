// SPDX-License-Identifier: Apache-2.0
#include "automation/home/debugger.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kScript = "script.test";

struct DebuggerTest : testing::Test {
  void listen() {
    listening = debugger().listen([this](const json::object& stopped) {
      run_id = std::string(stopped.at("run_id").as_string());
      nodes += (nodes.empty() ? "" : " ") + std::string(stopped.at("node").as_string());
    });
  }
  void break_at(std::string node) { ASSERT_TRUE(debugger().set({std::string(kScript), "*", std::move(node)})); }
  void run_three() { home.run_steps(fmt::format("[{}, {}, {}]", note_step("a"), note_step("b"), note_step("c"))); }
  std::string stopped_at() { return std::exchange(nodes, {}); }
  void go_on() {
    EXPECT_TRUE(debugger().go_on(std::string(kScript), run_id));
    home.run();
  }
  void step() {
    EXPECT_TRUE(debugger().step(std::string(kScript), run_id));
    home.run();
  }
  Debugger& debugger() { return home.engine.home().debugger; }

  TestAutomations home;
  std::shared_ptr<void> listening;
  std::string run_id, nodes;
};

TEST_F(DebuggerTest, ARunStopsBeforeTheStepAndGoesOn) {
  listen();
  break_at("sequence/1");
  run_three();
  EXPECT_EQ(stopped_at(), "sequence/1");
  EXPECT_EQ(home.noted(), "a");
  home.advance(60s);
  EXPECT_EQ(home.noted(), "");
  go_on();
  EXPECT_EQ(home.noted(), "b c");
  EXPECT_EQ(stopped_at(), "");
  EXPECT_EQ(debugger().go_on(std::string(kScript), run_id).error().code, base::ErrorCode::not_found);
}

TEST_F(DebuggerTest, StepsStopAtTheNextOne) {
  listen();
  break_at("sequence/0");
  run_three();
  step();
  EXPECT_EQ(home.noted(), "a");
  EXPECT_EQ(stopped_at(), "sequence/0 sequence/1");
  EXPECT_FALSE(debugger().step("script.other", run_id));
  step();
  EXPECT_EQ(home.noted(), "b");
  EXPECT_EQ(stopped_at(), "sequence/2");
  go_on();
  EXPECT_EQ(home.noted(), "c");
}

TEST_F(DebuggerTest, ParallelStepsStopEachForItself) {
  listen();
  break_at("*");
  home.run_steps(
      fmt::format(R"([{{"parallel": [[{0}, {1}], [{0}]]}}, {2}])", note_step("a"), note_step("b"), note_step("c")));
  EXPECT_EQ(stopped_at(), "sequence/0");
  go_on();
  EXPECT_EQ(stopped_at(), "sequence/0/parallel/0/sequence/0 sequence/0/parallel/1/sequence/0");
  EXPECT_TRUE(debugger().clear({std::string(kScript), "*", "*"}));
  EXPECT_FALSE(debugger().clear({std::string(kScript), "*", "*"}));
  go_on();
  EXPECT_EQ(home.noted(), "a a b c");
}

TEST_F(DebuggerTest, ARunThatIsEndedDoesNothingMore) {
  listen();
  break_at("sequence/1");
  run_three();
  EXPECT_TRUE(debugger().end(std::string(kScript), run_id));
  home.run();
  EXPECT_EQ(home.noted(), "a");
  EXPECT_EQ(home.engine.traces().list("script", "test").back().at("script_execution"), "aborted");
  EXPECT_EQ(home.home.hub.states.find(kScript)->value(), "off");
}

TEST_F(DebuggerTest, WithoutAListenerAllGoesOn) {
  EXPECT_FALSE(debugger().set({std::string(kScript), "*", "sequence/1"}));
  listen();
  auto second = debugger().listen([](const json::object&) {});
  break_at("sequence/1");
  run_three();
  listening.reset();
  home.run();
  EXPECT_EQ(home.noted(), "a");
  second.reset();
  home.run();
  EXPECT_EQ(home.noted(), "b c");
  EXPECT_TRUE(debugger().list().empty());
}

TEST_F(DebuggerTest, OnlyTheRunThatIsNamedStops) {
  listen();
  ASSERT_TRUE(debugger().set({std::string(kScript), "another", "sequence/0"}));
  run_three();
  EXPECT_EQ(home.noted(), "a b c");
  EXPECT_EQ(base::to_json(json::value(debugger().list())),
            R"([{"domain":"script","item_id":"test","run_id":"another","node":"sequence/0"}])");
}

TEST_F(DebuggerTest, ACancelledRunIsForgotten) {
  listen();
  break_at("sequence/1");
  run_three();
  home.call("script.turn_off", R"({"entity_id": "script.test"})");
  EXPECT_FALSE(debugger().go_on(std::string(kScript), run_id));
  EXPECT_EQ(home.noted(), "a");
}

TEST_F(DebuggerTest, BreakpointsHaveABound) {
  listen();
  for (std::size_t index = 0; index < Debugger::kMaxBreakpoints; ++index) break_at(std::to_string(index));
  break_at("0");
  EXPECT_FALSE(debugger().set({std::string(kScript), "*", "one more"}));
  EXPECT_FALSE(debugger().set({std::string(kScript), "*", std::string(Debugger::kMaxText + 1, 'x')}));
}

}  // namespace
}  // namespace hearth::automation
