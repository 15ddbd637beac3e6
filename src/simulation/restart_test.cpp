// SPDX-License-Identifier: Apache-2.0
// The state of a simulated home over an end of its hub, orderly or not.
#include "simulation/test_scenario.h"

namespace hearth::simulation {
namespace {

// The failures with "restart" as it stands there, and with "kill" in its place.
std::string failures_of_ends(std::string text) {
  constexpr std::string_view kRestart = R"("restart")", kKill = R"("kill")";
  std::string failures = failures_of_run(text);
  for (auto at = text.find(kRestart); at != std::string::npos; at = text.find(kRestart, at))
    text.replace(at, kRestart.size(), kKill);
  return failures + failures_of_run(text);
}

TEST(SimulatedRestart, AMeterGoesOnCountingForItsTariff) {
  EXPECT_EQ(failures_of_ends(R"({"time": "2026-11-21 12:00:00", "automations": [],
    "config": {"utility_meter": {"um": {"source": "sensor.e"},
                                 "tm": {"source": "sensor.e", "tariffs": ["day", "night"]}}},
    "states": {"sensor.e": "10"},
    "steps": [{"at": 1, "call": "select.select_option", "data": {"entity_id": "select.tm", "option": "night"}},
              {"at": 2, "set": {"sensor.e": "12"}}, {"at": 3, "restart": true, "down": 2},
              {"at": 6, "set": {"sensor.e": "13"}}],
    "expect": [{"at": 5, "state": {"sensor.um": 2, "select.tm": "night", "sensor.tm_night": 2}},
               {"at": 6, "state": {"sensor.um": 3, "sensor.tm_day": 0, "sensor.tm_night": 3}}]})"),
            "");
}

TEST(SimulatedRestart, AnIntegrationKeepsItsSum) {
  EXPECT_EQ(failures_of_ends(R"({"time": "2026-11-21 12:00:00", "automations": [],
    "config": {"sensor": [{"platform": "integration", "name": "Sum", "source": "sensor.p", "method": "left"}]},
    "states": {"sensor.p": "3600"},
    "steps": [{"at": 10, "set": {"sensor.p": "7200"}}, {"at": 20, "restart": true, "down": 5},
              {"at": 30, "set": {"sensor.p": "3600"}}, {"at": 40, "set": {"sensor.p": "0"}}],
    "expect": [{"at": 10, "state": {"sensor.sum": 10}}, {"at": 26, "state": {"sensor.sum": 10}},
               {"at": 40, "state": {"sensor.sum": 20}}]})"),
            "");
}

TEST(SimulatedRestart, ADelayOfATemplateEndsAtItsTime) {
  EXPECT_EQ(failures_of_ends(R"({"time": "2026-11-21 12:00:00", "automations": [],
    "config": {"template": [
      {"binary_sensor": {"name": "B", "state": "{{ is_state('sensor.a', 'on') }}", "delay_on": 10}}]},
    "states": {"sensor.a": "off"},
    "steps": [{"at": 1, "set": {"sensor.a": "on"}}, {"at": 4, "restart": true, "down": 3}],
    "expect": [{"at": 10, "state": {"binary_sensor.b": "off"}}, {"at": 11, "state": {"binary_sensor.b": "on"}}]})"),
            "");
}

TEST(SimulatedRestart, AutoOffEndsAtItsTimeAndStaysSo) {
  EXPECT_EQ(failures_of_ends(R"({"time": "2026-11-21 12:00:00", "automations": [],
    "config": {"template": [
      {"binary_sensor": {"name": "B", "state": "{{ is_state('sensor.a', 'on') }}", "auto_off": 10}}]},
    "states": {"sensor.a": "off"},
    "steps": [{"at": 1, "set": {"sensor.a": "on"}}, {"at": 4, "restart": true, "down": 3},
              {"at": 15, "restart": true, "down": 1}],
    "expect": [{"at": 10, "state": {"binary_sensor.b": "on"}}, {"at": 11, "state": {"binary_sensor.b": "off"}},
               {"at": 20, "state": {"binary_sensor.b": "off"}}]})"),
            "");
}

TEST(SimulatedRestart, ASensorOfThePastShowsItsLastStateUntilItKnowsMore) {
  const Outcome outcome = run_scenario(R"({"time": "2026-11-21 12:00:00", "automations": [],
    "config": {"sensor": [{"platform": "statistics", "name": "Mean", "entity_id": "sensor.a",
                           "state_characteristic": "mean", "sampling_size": 10}]},
    "states": {"sensor.a": "1"},
    "steps": [{"at": 10, "set": {"sensor.a": "3"}}, {"at": 20, "event": "end"},
              {"at": 20, "restart": true, "down": 5}],
    "expect": [{"at": 30, "state": {"sensor.mean": 2}}]})");
  EXPECT_TRUE(outcome.passed()) << to_text(outcome);
  bool ends = false;
  for (const Happening& each : outcome.timeline) {
    ends = ends || each.name == "end";
    if (!ends || each.name != "sensor.mean") continue;
    ASSERT_TRUE(each.state);
    EXPECT_NE(each.state->value(), core::kUnknown);
  }
  EXPECT_TRUE(ends);
}

TEST(SimulatedRestart, AnAutomationStaysOff) {
  EXPECT_EQ(failures_of_ends(R"({"time": "2026-11-21 12:00:00",
    "automations": [{"alias": "Rest", "triggers": [{"trigger": "event", "event_type": "go"}],
                     "actions": [{"event": "ran"}]}],
    "steps": [{"at": 1, "call": "automation.turn_off", "data": {"entity_id": "automation.rest"}},
              {"at": 2, "restart": true, "down": 1}, {"at": 4, "event": "go"}],
    "expect": [{"at": 4, "state": {"automation.rest": "off"}}], "never": [{"event": "ran"}]})"),
            "");
}

TEST(SimulatedRestart, AGroupThatACallHasMadeFollowsItsMembers) {
  EXPECT_EQ(failures_of_ends(R"({"time": "2026-11-21 12:00:00", "automations": [], "states": {"light.a": "on"},
    "steps": [{"at": 1, "call": "group.set", "data": {"object_id": "g", "entities": ["light.a"]}},
              {"at": 2, "restart": true, "down": 1}, {"at": 4, "set": {"light.a": "off"}}],
    "expect": [{"at": 1, "state": {"group.g": "on"}}, {"at": 3, "state": {"group.g": "on"}},
               {"at": 4, "state": {"group.g": "off"}}]})"),
            "");
}

}  // namespace
}  // namespace hearth::simulation
