// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "simulation/test_scenario.h"

namespace hearth::simulation {
namespace {

// A light that follows a motion, and goes off a minute after it.
std::string hall(std::string_view more) {
  return fmt::format(R"({{"time": "2026-11-21 23:00:00",
    "automations": [
      {{"alias": "On", "triggers": [{{"trigger": "state", "entity_id": "binary_sensor.hall", "to": "on"}}],
        "actions": [{{"action": "light.turn_on", "target": {{"entity_id": "light.hall"}}}}]}},
      {{"alias": "Off", "triggers": [{{"trigger": "state", "entity_id": "binary_sensor.hall", "to": "off", "for": 60}}],
        "actions": [{{"action": "light.turn_off", "target": {{"entity_id": "light.hall"}}}}]}}],
    "states": {{"binary_sensor.hall": "off", "light.hall": "off"}},
    "steps": [{{"at": 10, "set": {{"binary_sensor.hall": "on"}}}}, {{"at": 20, "set": {{"binary_sensor.hall": "off"}}}}],
    {}}})",
                     more);
}

TEST(Simulation, PassesIfAllIsAsExpected) {
  EXPECT_EQ(failures_of_run(hall(R"("until": "23:05",
    "expect": [{"at": 10, "call": "light.turn_on", "data": {"entity_id": "light.hall"}},
               {"at": 80, "within": 0, "call": "light.turn_off"},
               {"at": 79, "state": {"light.hall": "on"}}, {"at": 80, "state": {"light.hall": "off"}},
               {"state": {"light.hall": {"state": "off", "attributes": {"friendly_name": "hall"}}}}],
    "never": [{"call": "lock.unlock"}, {"call": "light.turn_on", "data": {"entity_id": "light.kitchen"}}],
    "calls_total": 2)")),
            "");
}

TEST(Simulation, NamesEachDifference) {
  EXPECT_EQ(
      failures_of_run(hall(R"("until": "23:05",
    "expect": [{"at": 15, "call": "light.turn_on"}, {"call": "light.turn_on", "data": {"brightness": 7}},
               {"at": 80, "state": {"light.hall": "on", "light.attic": "on"}}],
    "never": [{"call": "light.turn_off"}, {"state": {"light.hall": "on"}}], "calls_total": 3)")),
      R"(:0: test.expect[0]: expected the call light.turn_on at 2026-11-21T23:00:15+01:00; found it at 2026-11-21T23:00:10+01:00
:0: test.expect[1]: expected the call light.turn_on {"brightness":7}; found it at 2026-11-21T23:00:10+01:00 with {"entity_id":"light.hall"}
:0: test.expect[2]: expected light.attic to be on at 2026-11-21T23:01:20+01:00; there is no such entity then; expected light.hall to be on at 2026-11-21T23:01:20+01:00; found off
:0: test.never[0]: the call light.turn_off must never be; found it at 2026-11-21T23:01:20+01:00
:0: test.never[1]: light.hall must never be on; found it at 2026-11-21T23:00:10+01:00
calls_total: expected 3, found 2
)");
}

// "kind name result …" of the timeline.
std::string happenings(std::string_view text) {
  std::string all;
  const json::object told = to_json_object(run_scenario(text));
  for (const json::value& each : told.at("timeline").get_array()) {
    const json::object& row = each.get_object();
    all += std::string(row.at("kind").get_string());
    for (const char* const key : {"automation", "entity_id", "state", "result"}) {
      if (const json::value* const value = row.if_contains(key))
        all += value->is_string() ? " " + std::string(value->get_string()) : " -";
    }
    if (const json::value* const attributes = row.if_contains("attributes")) all += base::to_json(*attributes);
    all += "\n";
  }
  return all;
}

TEST(Simulation, TellsEachRunOnce) {
  EXPECT_EQ(
      happenings(R"({"automations": [
      {"alias": "Fails", "triggers": [{"trigger": "event", "event_type": "go"}], "actions": [{"stop": "x", "error": true}]},
      {"alias": "Drops", "triggers": [{"trigger": "event", "event_type": "go"}], "actions": [{"delay": 60}]}],
    "steps": [{"at": 1, "event": "go"}, {"at": 2, "event": "go"}], "until": 3})"),
      "event\nrun automation.fails aborted\nrun automation.drops running\nevent\nrun automation.fails aborted\nrun "
      "automation.drops failed_single\n");
}

TEST(Simulation, LeavesToTheHomeWhatItMakesItself) {
  EXPECT_EQ(failures_of_run(R"({"automations": [
      {"alias": "A", "triggers": [{"trigger": "event", "event_type": "go"}], "actions": [
        {"action": "select.select_option", "target": {"entity_id": "select.used"}, "data": {"option": "night"}},
        {"action": "light.turn_on", "target": {"entity_id": "light.pump"}}]}],
    "config": {"utility_meter": {"used": {"source": "sensor.e", "tariffs": ["day", "night"]}},
               "switch_as_x": [{"entity_id": "switch.pump", "target_domain": "light"}]},
    "states": {"sensor.e": "1", "switch.pump": "off"}, "steps": [{"at": 1, "event": "go"}], "until": 5,
    "expect": [{"at": 0, "state": {"select.used": "day"}},
               {"at": 5, "state": {"select.used": "night", "switch.pump": "on", "light.pump": "on",
                                   "sensor.used_night": {"state": "0", "attributes": {"status": "collecting"}}}}],
    "never": [{"state": {"select.used_2": "day"}}]})"),
            "");
}

TEST(Simulation, BringsWhatTheHomeMakesItselfToItsGivenState) {
  EXPECT_EQ(failures_of_run(R"({"automations": [],
    "config": {"utility_meter": {"used": {"source": "sensor.e", "tariffs": ["day", "night"]}}},
    "states": {"sensor.e": "1", "select.used": "night"}, "steps": [{"at": 1, "set": {"select.used": "day"}}],
    "until": 2, "expect": [{"at": 0, "state": {"select.used": "night"}}, {"at": 2, "state": {"select.used": "day"}}]})"),
            "");
}

TEST(Simulation, SetsAnEntityAtOnceAndWhole) {
  EXPECT_EQ(happenings(R"({"automations": [], "states": {"light.l": "on", "update.u": "off"}, "steps": [
      {"at": 1, "set": {"sensor.s": {"state": "1", "attributes": {"a": 1}}}},
      {"at": 2, "set": {"sensor.s": "2"}},
      {"at": 3, "set": {"sensor.s": {"state": "3", "attributes": {"b": 1}}}},
      {"at": 4, "set": {"sensor.s": {"state": "4", "attributes": {}}}}]})"),
            "state sensor.s 1{\"a\":1}\nstate sensor.s 2{\"a\":1}\nstate sensor.s 3{\"b\":1}\nstate sensor.s 4{}\n");
  const std::string lamp = happenings(R"({"automations": [], "states": {"light.l": "on"}, "steps": [
      {"at": 1, "set": {"light.l": "unavailable"}}, {"at": 2, "set": {"light.l": "off"}}]})");
  EXPECT_TRUE(lamp.contains("light.l off")) << lamp;
  EXPECT_FALSE(lamp.contains("light.l on")) << lamp;
  EXPECT_EQ(failures_of_run(R"({"automations": [], "states": {"update.u": "off"}, "steps": [
      {"at": 1, "set": {"update.u": "on"}}, {"at": 2, "set": {"update.u": "off"}}],
      "expect": [{"at": 1, "state": {"update.u": "on"}}, {"at": 2, "state": {"update.u": "off"}}]})"),
            "");
}

TEST(Simulation, TellsWhatHappenedInItsOrder) {
  const json::object told = to_json_object(run_scenario(hall(R"("until": 15)")));
  std::string kinds;
  for (const json::value& each : told.at("timeline").get_array()) {
    const json::object& row = each.get_object();
    kinds += std::string(std::string_view(row.at("at").get_string()).substr(11)) + " " +
             std::string(row.at("kind").get_string()) + " ";
  }
  EXPECT_EQ(kinds, "23:00:10+01:00 state 23:00:10+01:00 run 23:00:10+01:00 call 23:00:10+01:00 state ");
  const json::object& run = told.at("timeline").get_array()[1].get_object();
  EXPECT_EQ(run.at("automation"), "automation.on");
  EXPECT_EQ(run.at("trigger"), "state of binary_sensor.hall");
  EXPECT_EQ(run.at("result"), "finished");
}

constexpr std::string_view kDelay = R"("automations": [{"alias": "Late",
  "triggers": [{"trigger": "event", "event_type": "go"}], "conditions": "{{ trigger.event.data.n == 1 }}",
  "actions": [{"action": "input_boolean.turn_on", "target": {"entity_id": "input_boolean.x"}}, {"delay": 300},
              {"action": "lock.lock", "target": {"entity_id": "lock.door"}}]}],
  "config": {"input_boolean": {"x": null}}, "states": {"lock.door": "unlocked"})";

TEST(Simulation, ARunGoesOnAfterARestartAndAfterAKill) {
  for (const std::string_view end : {R"("restart": true)", R"("kill": true)"}) {
    EXPECT_EQ(failures_of_run(fmt::format(R"({{"time": "2026-11-21 12:00:00", {},
      "steps": [{{"at": 5, "event": "go", "data": {{"n": 1}}}}, {{"at": 60, {}, "down": 120}}], "until": 400,
      "expect": [{{"at": 305, "within": 0, "call": "lock.lock"}}, {{"at": 6, "state": {{"input_boolean.x": "on"}}}},
                 {{"state": {{"lock.door": "locked", "input_boolean.x": "on"}}}}], "calls_total": 2}})",
                                          kDelay, end)),
              "");
  }
}

TEST(Simulation, ADelayThatRanOutWhileTheHubWasDownEndsAtItsStart) {
  EXPECT_EQ(failures_of_run(fmt::format(R"({{"time": "2026-11-21 12:00:00", {},
      "steps": [{{"at": 5, "event": "go", "data": {{"n": 1}}}}, {{"at": 60, "kill": true, "down": 600}}], "until": 700,
      "expect": [{{"at": 660, "within": 0, "call": "lock.lock"}}]}})",
                                        kDelay)),
            "");
}

TEST(Simulation, ConditionsAndTheTestsOwnCallsDoNotCount) {
  EXPECT_EQ(failures_of_run(fmt::format(R"({{"time": "2026-11-21 12:00:00", {},
      "steps": [{{"at": 5, "event": "go", "data": {{"n": 2}}}},
                {{"at": 6, "call": "lock.lock", "data": {{"entity_id": "lock.door"}}}}],
      "expect": [{{"state": {{"lock.door": "locked", "input_boolean.x": "off"}}}}],
      "never": [{{"call": "lock.lock"}}, {{"event": "go"}}], "calls_total": 0}})",
                                        kDelay)),
            "");
}

TEST(Simulation, KnowsWhatTheDevicesOfAHomeDo) {
  EXPECT_EQ(failures_of_run(R"({"automations": [],
    "states": {"cover.blind": "open", "fan.attic": "off", "switch.pump": "off", "climate.bath": "off",
               "light.tv": {"state": "on", "attributes": {"brightness": 7, "rgb_color": [255, 0, 0], "floor": 2}},
               "media_player.den": "off", "input_number.own": "3"},
    "steps": [{"at": 1, "call": "cover.set_cover_position", "data": {"entity_id": "cover.blind", "position": 0}},
              {"at": 1, "call": "fan.set_percentage", "data": {"entity_id": "fan.attic", "percentage": 33}},
              {"at": 1, "call": "switch.toggle", "data": {"entity_id": "switch.pump"}},
              {"at": 1, "call": "climate.set_temperature",
               "data": {"entity_id": "climate.bath", "temperature": 21.5, "hvac_mode": "heat"}},
              {"at": 2, "set": {"light.tv": "off"}}, {"at": 3, "call": "homeassistant.turn_on", "data": {"entity_id": "light.tv"}},
              {"at": 4, "call": "notify.phone", "data": {"message": "Hello"}}],
    "expect": [{"at": 0, "state": {"light.tv": {"state": "on", "attributes": {"brightness": 7, "floor": 2}}}},
               {"at": 2, "state": {"light.tv": "off"}},
               {"state": {"cover.blind": {"state": "closed", "attributes": {"current_position": 0}},
                          "fan.attic": {"state": "on", "attributes": {"percentage": 33}}, "switch.pump": "on",
                          "climate.bath": {"state": "heat", "attributes": {"temperature": 21.5}},
                          "light.tv": {"state": "on", "attributes": {"brightness": 7}}}}]})"),
            "");
}

TEST(Simulation, SetsHelpersAsAPersonWould) {
  EXPECT_EQ(failures_of_run(R"({"automations": [
      {"alias": "Warm", "triggers": [{"trigger": "numeric_state", "entity_id": "input_number.t", "above": 20}],
       "actions": [{"event": "warm"}]}],
    "config": {"input_number": {"t": {"min": 0, "max": 30, "initial": 5}}}, "states": {"input_number.t": "10"},
    "steps": [{"at": 1, "set": {"input_number.t": 25}}, {"at": 2, "set": {"input_number.t": 99}}],
    "expect": [{"at": 0, "state": {"input_number.t": 10}}, {"at": 1, "event": "warm"},
               {"at": 1, "state": {"input_number.t": "25.0"}}]})")
                .substr(0, 19),
            ":0: test.steps[1]: ");
}

TEST(Simulation, AnEntityThatCannotBeAsGivenIsNamedAndStaysUsable) {
  EXPECT_EQ(failures_of_run(R"({"automations": [], "states": {"light.x": "purple", "lock.y": "banana"},
    "steps": [{"at": 1, "set": {"light.x": "blue", "sensor.new": 5}},
              {"at": 2, "call": "light.turn_on", "data": {"entity_id": "light.x"}},
              {"at": 3, "call": "lock.lock", "data": {"entity_id": "lock.y"}}],
    "expect": [{"state": {"light.x": "on", "lock.y": "locked", "sensor.new": 5}}]})"),
            ":0: test.steps[0]: light.x cannot be blue\nlight.x cannot be purple\nlock.y cannot be banana\n");
}

TEST(ScenarioParser, NamesEveryErrorAtOnce) {
  const auto read = parse_scenario(R"({"time": "soon", "time_zone": "Mars/Base", "color": 1,
    "states": {"hall": "on"}, "steps": [{"at": "later", "set": {}}, {"call": "light", "event": "x"}],
    "expect": [{"at": 1}], "calls_total": -1})");
  ASSERT_FALSE(read);
  const std::string& errors = read.error().message;
  for (const std::string_view part :
       {"time: expected a local time such as 2026-03-28 23:00:00, found \"soon\"",
        "time_zone: expected a time zone such as Europe/Berlin, found \"Mars/Base\"", "color: unknown key",
        "states.hall: expected an entity such as light.hall", "steps[0].at: expected seconds since",
        "steps[1].call: expected a service such as light.turn_on, found \"light\"",
        "steps[1]: expected one of set, event, call, restart and kill",
        "expect[0]: expected one of call, event and state", "calls_total: expected"})
    EXPECT_TRUE(errors.contains(part)) << part << "\n" << errors;
}

TEST(ScenarioParser, ReadsTimesInEachForm) {
  const auto read = parse_scenario(R"({"time": "2026-03-28 23:00:00", "automations": [], "steps": [
    {"at": 90, "event": "a"}, {"at": "90", "event": "a"}, {"at": {"minutes": 1, "seconds": 30}, "event": "a"},
    {"at": "2m", "event": "a"}, {"at": "23:00:00", "event": "a"}, {"at": "22:59", "event": "a"},
    {"at": "02:30", "event": "a"}, {"at": "2026-03-30 01:00:00", "event": "a"},
    {"at": "2026-03-29T01:59:59+01:00", "event": "a"}]})");
  ASSERT_TRUE(read) << read.error().message;
  std::string times;
  for (const Step& step : read->front().steps)
    times += domains::local_time_text(step.at, "Europe/Berlin").substr(8) + " ";
  EXPECT_EQ(times,
            "28T23:00:00+01:00 28T23:01:30+01:00 28T23:01:30+01:00 28T23:01:30+01:00 28T23:02:00+01:00 "
            "29T01:59:59+01:00 29T03:00:00+02:00 29T22:59:00+02:00 30T01:00:00+02:00 ");
}

TEST(Simulation, HasTheSensorsMadeOfOthersWithTheirPast) {
  EXPECT_EQ(failures_of_run(R"({"time": "2026-11-21 12:00:00", "automations": [],
    "config": {"sensor": [
      {"platform": "history_stats", "name": "Hours", "entity_id": "switch.pump", "state": "on",
       "start": "{{ today_at('12:00') }}", "end": "{{ now() }}"},
      {"platform": "statistics", "name": "Mean", "entity_id": "sensor.a", "state_characteristic": "mean",
       "sampling_size": 10}]},
    "states": {"switch.pump": "off", "sensor.a": "1"},
    "steps": [{"at": "12:30", "set": {"switch.pump": "on", "sensor.a": "3"}},
              {"at": "13:30", "set": {"switch.pump": "off"}},
              {"at": "14:00", "restart": true, "down": 600}],
    "expect": [{"at": "13:00", "state": {"sensor.hours": "0.5", "sensor.mean": "2.0"}},
               {"at": "15:00", "state": {"sensor.hours": "1.0", "sensor.mean": "2.0"}}]})"),
            "");
}

TEST(Simulation, AnInstantOfTheSunIsAfterAndBeforeItself) {
  EXPECT_EQ(failures_of_run(R"({"time": "2026-06-21 12:00:00", "time_zone": "Europe/Berlin", "latitude": 52.5,
    "longitude": 13.4, "automations": [
      {"alias": "A", "triggers": [{"trigger": "sun", "event": "sunset"}],
       "conditions": [{"condition": "sun", "after": "sunset"}], "actions": [{"event": "after"}]},
      {"alias": "B", "triggers": [{"trigger": "sun", "event": "sunset"}],
       "conditions": [{"condition": "sun", "before": "sunset"}], "actions": [{"event": "before"}]}],
    "until": "2026-06-21 23:00:00",
    "expect": [{"event": "after"}, {"event": "before"}]})"),
            "");
}

}  // namespace
}  // namespace hearth::simulation
