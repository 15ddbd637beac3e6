// SPDX-License-Identifier: Apache-2.0
// An empty list, as blueprints give it for what nobody has chosen, is there: a trigger of none never fires, a condition
// on none holds, a call for none does nothing.
#include "automation/config/parsing.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

struct EmptyListsTest : testing::Test {
  void everything_happens() {
    for (const char* const value : {"on", "5", "off"}) home.set("light.a", value, R"({"latitude": 1, "longitude": 1})");
    home.fire("tag_scanned", R"({"tag_id":"a","device_id":"b"})");
    home.call("persistent_notification.create", R"({"message": "x"})");
    home.call("conversation.process", R"({"text": ""})");
    home.advance(25h, 1h);
  }
  std::string error() const { return home.home.attribute("automation.one", "error"); }

  TestAutomations home;
};

constexpr std::string_view kTriggers[] = {R"({"trigger": "state", "entity_id": []})",
                                          R"({"trigger": "state", "entity_id": [], "to": "on"})",
                                          R"({"trigger": "state", "entity_id": "light.a", "to": []})",
                                          R"({"trigger": "state", "entity_id": "light.a", "from": []})",
                                          R"({"trigger": "numeric_state", "entity_id": [], "above": 1})",
                                          R"({"trigger": "time", "at": []})",
                                          R"({"trigger": "time", "at": "12:00", "weekday": []})",
                                          R"({"trigger": "event", "event_type": []})",
                                          R"({"trigger": "event", "event_type": "{{ [] }}"})",
                                          R"({"trigger": "tag", "tag_id": []})",
                                          R"({"trigger": "tag", "tag_id": [], "device_id": "b"})",
                                          R"({"trigger": "zone", "entity_id": [], "zone": "zone.home"})",
                                          R"({"trigger": "conversation", "command": []})",
                                          R"({"trigger": "persistent_notification", "update_type": []})",
                                          R"({"triggers": []})"};

TEST_F(EmptyListsTest, ATriggerOfNoneNeverFires) {
  for (const std::string_view trigger : kTriggers) {
    home.apply_one(fmt::format(R"([{}, {{"trigger": "event", "event_type": "go"}}])", trigger),
                   "[" + note_step("{{ trigger.platform }}") + "]", R"("mode": "parallel")");
    EXPECT_EQ(error(), "") << trigger;
    everything_happens();
    EXPECT_EQ(home.noted(), "") << trigger;
    home.fire("go");
    EXPECT_EQ(home.noted(), "event") << trigger;
  }
}

TEST_F(EmptyListsTest, AWaitForNoneRunsOut) {
  for (const std::string_view trigger : kTriggers) {
    home.run_steps(fmt::format(R"([{{"wait_for_trigger": [{}], "timeout": {{"hours": 50}}}}, {}])", trigger,
                               note_step("{{ wait.completed }}")));
    everything_happens();
    EXPECT_EQ(home.noted(), "") << trigger;
    everything_happens();
    EXPECT_EQ(home.noted(), "false") << trigger;
  }
}

TEST_F(EmptyListsTest, AConditionOnNoneHolds) {
  const auto holds = [&](std::string_view condition) {
    home.apply_one(R"({"trigger": "event", "event_type": "go"})", "[" + note_step("x") + "]",
                   fmt::format(R"("conditions": [{}])", condition));
    EXPECT_EQ(error(), "") << condition;
    home.fire("go");
    return home.noted() == "x";
  };
  home.set("light.a", "on");
  EXPECT_TRUE(holds(R"({"condition": "state", "entity_id": [], "state": "on"})"));
  EXPECT_TRUE(holds(R"({"condition": "numeric_state", "entity_id": [], "above": 1})"));
  EXPECT_TRUE(holds(R"({"condition": "zone", "entity_id": [], "zone": "zone.home"})"));
  EXPECT_TRUE(holds(R"({"condition": "zone", "entity_id": [], "zone": []})"));
  EXPECT_TRUE(holds(R"({"condition": "and", "conditions": []})"));
  EXPECT_TRUE(holds(R"({"condition": "not", "conditions": []})"));
  // Of nothing that would do, none does.
  EXPECT_FALSE(holds(R"({"condition": "state", "entity_id": "light.a", "state": []})"));
  EXPECT_FALSE(holds(R"({"condition": "state", "entity_id": [], "state": "on", "match": "any"})"));
  EXPECT_FALSE(holds(R"({"condition": "trigger", "id": []})"));
  EXPECT_FALSE(holds(R"({"condition": "time", "weekday": []})"));
  EXPECT_FALSE(holds(R"({"condition": "or", "conditions": []})"));
}

TEST_F(EmptyListsTest, ACallForNoneDoesNothing) {
  for (const std::string_view call :
       {R"({"action": "script.turn_on", "target": {"entity_id": []}})",
        R"({"action": "script.turn_on", "entity_id": []})",
        R"({"action": "script.turn_on", "data": {"entity_id": []}})",
        R"({"action": "script.turn_on", "target": {"entity_id": [], "area_id": [], "device_id": []}})",
        R"({"action": "script.turn_on", "target": {"entity_id": "{{ [] }}"}})",
        R"({"action": "script.turn_on", "target": "{{ {'entity_id': []} }}"})",
        R"({"action": "homeassistant.turn_on", "target": {"label_id": []}})"}) {
    home.apply("[]", fmt::format(R"({{"test": {{"sequence": [{}, {}]}}, "other": {{"sequence": {}}}}})", call,
                                 note_step("on"), note_step("other")));
    home.call("script.test", "{}");
    EXPECT_EQ(home.noted(), "on") << call;
  }
}

TEST_F(EmptyListsTest, ARepeatUntilNothingIsDoneOnce) {
  home.run_steps(R"([{"repeat": {"until": [], "sequence": [)" + note_step("{{ repeat.index }}") + "]}}, " +
                 note_step("end") + "]");
  EXPECT_EQ(home.noted(), "1 end");
}

TEST_F(EmptyListsTest, NothingAtAllIsStillAnError) {
  const auto refused = [](std::string_view trigger) {
    const base::ConfigNode node = test_node(trigger);
    return !parse_triggers(&node);
  };
  for (const char* const key : {"", R"(, "entity_id": null)"}) {
    EXPECT_TRUE(refused(fmt::format(R"({{"trigger": "state"{}}})", key)));
    EXPECT_TRUE(refused(fmt::format(R"({{"trigger": "numeric_state", "above": 1{}}})", key)));
    EXPECT_TRUE(refused(fmt::format(R"({{"trigger": "zone", "zone": "zone.home"{}}})", key)));
    EXPECT_FALSE(parse_condition(test_node(fmt::format(R"({{"condition": "state", "state": "on"{}}})", key))));
  }
  for (const char* const trigger :
       {R"({"trigger": "time"})", R"({"trigger": "time", "at": null})", R"({"trigger": "event", "event_type": null})",
        R"({"trigger": "tag", "tag_id": null})", R"({"trigger": "conversation", "command": null})",
        R"({"trigger": "zone", "entity_id": "person.a", "zone": []})", R"({"trigger": "calendar", "entity_id": []})",
        R"({"trigger": "time", "at": {"entity_id": [], "offset": 5}})"})
    EXPECT_TRUE(refused(trigger)) << trigger;
}

}  // namespace
}  // namespace hearth::automation
