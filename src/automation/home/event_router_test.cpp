// SPDX-License-Identifier: Apache-2.0
// Nothing that waits in the bus is lost when types, entities and automations begin or cease to be watched.
#include "automation/home/event_router.h"

#include <cstdlib>
#include <string>

#include "automation/test_automations.h"
#include "automation/triggers/live_template.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct EventRouterTest : testing::Test {
  void fire(std::string_view type) {
    bus().fire(type, "{}", core::Origin::local, core::Context::create(home.home.clock.now()), core::FiredBy::client);
  }
  EventRouter::Callback note(std::string text) {
    return [this, text](const core::Event&) { heard.push_back(text); };
  }
  core::EventBus& bus() { return home.home.hub.bus; }
  using Heard = std::vector<std::string>;

  TestAutomations home;
  EventRouter router{home.home.hub.bus};
  base::Handle later;
  Heard heard;
};

TEST_F(EventRouterTest, ATypeThatBeginsOrCeasesToBeWatchedLeavesTheEventsOfOthers) {
  const auto ask = router.listen({"ask"}, note("ask"));
  base::Handle answer, both;
  for (const bool begins : {true, false}) {
    fire("ask");
    if (begins) answer = router.listen({"answer"}, note("answer"));
    fire("ask");
    if (begins) both = router.listen({"ask", "other"}, note("both"));
    fire("ask");
    if (!begins) answer = {};
    fire("ask");
    if (!begins) both = {};
    home.run();
    EXPECT_EQ(std::ranges::count(heard, "ask"), 4) << begins;
    heard.clear();
  }
}

TEST_F(EventRouterTest, HearsWhatIsFiredAfterItBeginsToListen) {
  const auto first = router.listen({"a"}, note("first"));
  fire("a");
  const auto second = router.listen({"a", "b"}, note("second"));
  fire("b");
  home.run();
  EXPECT_EQ(heard, (Heard{"first", "second"}));
}

TEST_F(EventRouterTest, HearsWhatWaitsIfItIsToldTo) {
  const auto begins = router.listen({"begin"}, [&](const core::Event& event) {
    heard.emplace_back("begin");
    later = router.listen({"begin", "new"}, note("since"), event.sequence);
  });
  for (const char* const type : {"new", "begin", "new"}) fire(type);
  home.run();
  EXPECT_EQ(heard, (Heard{"begin", "since"}));
}

// HEARTH_ROUNDS: how often; ./test --all does it 10,000 times.
TEST_F(EventRouterTest, TwoAutomationsThatAnswerEachOtherLoseNothing) {
  const char* const rounds = std::getenv("HEARTH_ROUNDS");
  const int times = rounds ? std::stoi(rounds) : 2'000;
  home.apply(
      R"([{"alias": "Answers", "mode": "queued", "triggers": {"trigger": "event", "event_type": "ask"},
                 "actions": {"event": "answer", "event_data": {"n": "{{ trigger.event.data.n }}"}}},
                {"alias": "Counts", "triggers": {"trigger": "event", "event_type": "answer"},
                 "actions": {"event": "counted"}, "mode": "parallel", "max": 1000}])",
      fmt::format(R"({{"test": {{"trace": {{"stored_traces": 0}}, "sequence": [{{"repeat": {{"count": {}, "sequence": [
                {{"event": "ask", "event_data": {{"n": "{{{{ repeat.index }}}}"}}}},
                {{"wait_for_trigger": {{"trigger": "event", "event_type": "answer",
                                        "event_data": {{"n": "{{{{ repeat.index }}}}"}}}},
                  "timeout": 5, "continue_on_timeout": false}},
                {{"delay": {{"milliseconds": 10}}}}]}}}}, {{"event": "end"}}]}}}})",
                  times));
  int asked = 0, counted = 0, ended = 0;
  const auto all = router.listen({"ask", "counted", "end"}, [&](const core::Event& event) {
    ++(event.type == "ask" ? asked : event.type == "end" ? ended : counted);
  });
  home.call("script.turn_on", R"({"entity_id": "script.test"})");
  home.advance(times * 10ms, 10ms);
  EXPECT_EQ(asked, times);
  EXPECT_EQ(counted, times);
  EXPECT_EQ(ended, 1);
}

TEST_F(EventRouterTest, EachEventStartsItsAutomationWhileWaitsForOthersBeginAndEnd) {
  constexpr int kPresses = 300;
  home.apply(
      R"([{"alias": "Button", "mode": "parallel", "max": 1000, "triggers": {"trigger": "event", "event_type": "button"},
                 "actions": {"action": "test.note"}}])",
      R"({"test": {"mode": "parallel", "max": 1000, "fields": {"n": {}}, "sequence": [
                {"wait_for_trigger": {"trigger": "event", "event_type": "other{{ n }}"}, "timeout": {"milliseconds": 20}}]}})");
  for (int n = 0; n < kPresses; ++n) {
    home.home.hub.bus.post([&, n] {
      fire("button");
      core::ServiceRequest run;
      run.domain = "script";
      run.service = "test";
      run.data = {{"n", n % 7}};
      home.home.hub.services.call(run, [](const base::Result<core::CallOutcome>&) {});
      fire("button");
    });
    if (n % 10 == 0) home.advance(7ms, 1ms);
  }
  home.advance(1s, 1ms);
  EXPECT_EQ(home.notes.size(), 2 * kPresses);
}

TEST_F(EventRouterTest, AReplacedAutomationGetsWhatWaits) {
  for (const std::string trigger :
       {R"({"trigger": "event", "event_type": "go"})", R"({"trigger": "state", "entity_id": "light.a", "to": "on"})"}) {
    const auto apply = [&](int version) {
      Sections sections;
      sections.automations.push_back(test_node(
          fmt::format(R"([{{"id": "one", "description": "{}", "mode": "parallel", "triggers": {}, "actions": [{}]}}])",
                      version, trigger, note_step("x"))));
      home.engine.apply(parse_configuration(sections));
    };
    home.set("light.a", "off");
    apply(1);
    home.run();
    bus().post([&] {
      fire("go");
      home.write("light.a", "on");
      apply(2);
      home.write("light.a", "off");
      home.write("light.a", "on");
      fire("go");
    });
    home.run();
    EXPECT_EQ(home.noted(), "x x") << trigger;
  }
}

TEST_F(EventRouterTest, AWaitCountsWhatIsFiredAfterItBegins) {
  home.apply_one(R"({"trigger": "event", "event_type": "go"})", "[" + note_step("began") + "]",
                 R"("mode": "parallel", "max": 100)");
  home.run_steps(R"([{"event": "go"}, {"wait_for_trigger": {"trigger": "event", "event_type": "go"}}, )" +
                 note_step("waited") + "]");
  EXPECT_EQ(home.noted(), "");  // run_steps has put another configuration in force
  home.fire("go");
  EXPECT_EQ(home.noted(), "waited");
}

// A template that begins to look at something else hears of all that waits, of what it looked at before, too.
TEST_F(EventRouterTest, ATemplateThatLooksElsewhereMissesNoChange) {
  home.set("light.a", "off");
  home.set("light.b", "on");
  const auto condition =
      Data::parse(test_node(std::string_view(R"("{{ is_state('light.a', 'on') and is_state('light.b', 'on') }}")")))
          .value();
  std::string values;
  const LiveTemplate live(home.engine.home(), condition, {},
                          [&](const base::Result<templates::Value>& value, const core::Event*, const Moment&) {
                            values += value && is_true(*value) ? "1" : "0";
                          });
  for (int times = 0; times < 5; ++times) {
    home.write("light.a", "on");
    home.write("light.a", "off");
  }
  home.run();
  EXPECT_EQ(values, "1010101010");
}

}  // namespace
}  // namespace hearth::automation
