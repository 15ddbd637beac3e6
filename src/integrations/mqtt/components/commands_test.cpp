// SPDX-License-Identifier: Apache-2.0
// The messages that the components send, and their reading of states.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/log/log.h"
#include "integrations/mqtt/components/test_component.h"

namespace hearth::integrations::mqtt {
namespace {

TEST_F(ComponentTest, MessageWithoutTheValueKeepsTheStateAndIsNotLoggedIfTheTemplateSaysSo) {
  constexpr std::string_view kTemplate = "{{ value_json.a | is_defined }}";
  struct Case {
    std::string_view component, topic, value_template, keys, sent, state;
  };
  constexpr Case kCases[] = {
      {"sensor", "state_topic", "value_template", "", "5", "5"},
      {"sensor", "state_topic", "value_template", R"(,"unit_of_measurement":"°C")", "6", "6"},
      {"binary_sensor", "state_topic", "value_template", "", "ON", "on"},
      {"switch", "state_topic", "value_template", R"(,"command_topic":"c")", "ON", "on"},
      {"number", "state_topic", "value_template", R"(,"command_topic":"c")", "7", "7"},
      {"select", "state_topic", "value_template", R"(,"command_topic":"c","options":["x","y"])", "y", "y"},
      {"text", "state_topic", "value_template", R"(,"command_topic":"c")", "words", "words"},
      {"lock", "state_topic", "value_template", R"(,"command_topic":"c")", "LOCKED", "locked"},
      {"cover", "state_topic", "value_template", R"(,"command_topic":"c")", "open", "open"},
      {"valve", "state_topic", "value_template", R"(,"command_topic":"c")", "open", "open"},
      {"fan", "state_topic", "state_value_template", R"(,"command_topic":"c")", "ON", "on"},
      {"siren", "state_topic", "state_value_template", R"(,"command_topic":"c")", "ON", "on"},
      {"climate", "mode_state_topic", "mode_state_template", R"(,"mode_command_topic":"c")", "heat", "heat"},
      {"device_tracker", "state_topic", "value_template", "", "home", "home"},
      {"light", "state_topic", "state_value_template", R"(,"command_topic":"c")", "ON", "on"},
      {"light", "state_topic", "state_template",
       R"(,"schema":"template","command_topic":"c","command_on_template":"on","command_off_template":"off")", "on",
       "on"},
  };
  for (const Case& each : kCases) {
    describe(each.component,
             fmt::format(R"("{}":"s","{}":"{}"{})", each.topic, each.value_template, kTemplate, each.keys));
    const std::string id = fmt::format("{}.it", each.component);
    receive("s", fmt::format(R"({{"a":"{}"}})", each.sent));
    EXPECT_EQ(value(id), each.state) << each.component;
    base::recent_log().clear();
    receive("s", R"({"c":1})");
    EXPECT_EQ(value(id), each.state) << each.component;
    EXPECT_EQ(base::recent_log().records().size(), 0u) << each.component;
    receive(fmt::format("homeassistant/{}/it/config", each.component), "");
  }
}

TEST_F(ComponentTest, CoverOfZigbee2mqtt) {
  describe("cover",
           R"("command_topic":"z/set","position_topic":"z","position_template":"{{ value_json[\"position\"] }}",
      "set_position_topic":"z/set","set_position_template":"{ \"position\": {{ position }} }","state_topic":"z",
      "value_template":"{{ value_json[\"state\"] }}","state_open":"OPEN","state_closed":"CLOSE","state_stopped":"STOP")");
  receive("z", R"({"state":"OPEN","position":40})");
  EXPECT_EQ(value("cover.it"), "open");
  EXPECT_EQ(attribute("cover.it", "current_position"), "40");
  EXPECT_EQ(sent("cover.set_cover_position", R"("position":37)"), R"(z/set={ "position": 37 })");
  EXPECT_EQ(sent("cover.open_cover"), "z/set=OPEN");
  EXPECT_EQ(sent("cover.close_cover"), "z/set=CLOSE");
  EXPECT_EQ(sent("cover.stop_cover"), "z/set=STOP");
  receive("z", R"({"state":"CLOSE","position":0})");
  EXPECT_EQ(value("cover.it"), "closed");
}

TEST_F(ComponentTest, CoverWithAReversedRange) {
  describe("cover", R"("command_topic":"c","position_topic":"p","set_position_topic":"sp","position_open":0,
                       "position_closed":255,"tilt_command_topic":"t","tilt_status_topic":"ts","tilt_max":180)");
  receive("p", "255");
  EXPECT_EQ(value("cover.it"), "closed");
  receive("p", "51");
  EXPECT_EQ(attribute("cover.it", "current_position"), "80");
  EXPECT_EQ(sent("cover.set_cover_position", R"("position":20)"), "sp=204");
  EXPECT_EQ(sent("cover.set_cover_tilt_position", R"("tilt_position":50)"), "t=90");
  receive("ts", "90");
  EXPECT_EQ(attribute("cover.it", "current_tilt_position"), "50");
}

TEST_F(ComponentTest, ClimateOfZigbee2mqtt) {
  describe(
      "climate",
      R"("modes":["off","heat","auto"],"mode_state_topic":"z","mode_state_template":"{{ value_json[\"system_mode\"] }}",
      "mode_command_topic":"z/set/system_mode","min_temp":"5","max_temp":"30","temp_step":0.5,"temperature_unit":"C",
      "temperature_state_topic":"z","temperature_state_template":"{{ value_json[\"target\"] }}",
      "temperature_command_topic":"z/set/target","current_temperature_topic":"z",
      "current_temperature_template":"{{ value_json[\"local\"] }}","action_topic":"z",
      "action_template":"{% set v = {None:None,'idle':'idle','heat':'heating'} %}{{ v[value_json[\"running\"]] }}",
      "preset_modes":["away","comfort"],"preset_mode_command_topic":"z/set/preset","preset_mode_state_topic":"z",
      "preset_mode_value_template":"{{ value_json[\"preset\"] }}")");
  EXPECT_EQ(value("climate.it"), "unknown");
  receive("z", R"({"system_mode":"heat","target":21.5,"local":19,"running":"heat","preset":"comfort"})");
  EXPECT_EQ(value("climate.it"), "heat");
  EXPECT_EQ(attribute("climate.it", "temperature"), "21.5");
  EXPECT_EQ(attribute("climate.it", "current_temperature"), "19.0");
  EXPECT_EQ(attribute("climate.it", "hvac_action"), R"("heating")");
  EXPECT_EQ(attribute("climate.it", "preset_mode"), R"("comfort")");
  EXPECT_EQ(attribute("climate.it", "min_temp"), "5.0");
  EXPECT_EQ(sent("climate.set_temperature", R"("temperature":20,"hvac_mode":"auto")"),
            "z/set/system_mode=auto z/set/target=20");
  EXPECT_EQ(sent("climate.set_preset_mode", R"("preset_mode":"away")"), "z/set/preset=away");
  receive("z", R"({"system_mode":"off","running":null})");
  EXPECT_EQ(value("climate.it"), "off");
}

TEST_F(ComponentTest, ClimateHasModesOfItsOwn) {
  describe("climate", R"("modes":["off","heat","frost guard"],"mode_state_topic":"s","mode_command_topic":"c")");
  EXPECT_EQ(attribute("climate.it", "hvac_modes"), R"(["off","heat","frost guard"])");
  receive("s", "frost guard");
  EXPECT_EQ(value("climate.it"), "frost guard");
  receive("s", "cool");
  EXPECT_EQ(value("climate.it"), "frost guard");
  EXPECT_EQ(sent("climate.set_hvac_mode", R"("hvac_mode":"frost guard")"), "c=frost guard");
  EXPECT_EQ(sent("climate.set_hvac_mode", R"("hvac_mode":"cool")"),
            "invalid: climate.it cannot run in the hvac_mode cool; it has off, heat, frost guard.");
}

TEST_F(ComponentTest, ClimateWithoutAModeTopicStartsOff) {
  describe("climate", R"("modes":["off","cool"],"mode_command_topic":"m","temperature_command_topic":"t")");
  EXPECT_EQ(value("climate.it"), "off");
  EXPECT_EQ(attribute("climate.it", "temperature"), "21.0");
  EXPECT_EQ(sent("climate.set_hvac_mode", R"("hvac_mode":"cool")"), "m=cool");
  EXPECT_EQ(value("climate.it"), "cool");
}

TEST_F(ComponentTest, FanKnowsItsRange) {
  describe("fan", R"("command_topic":"c","state_topic":"s","percentage_command_topic":"p","percentage_state_topic":"ps",
                     "speed_range_max":3,"preset_modes":["auto"],"preset_mode_command_topic":"pm",
                     "oscillation_command_topic":"o","direction_command_topic":"d")");
  receive("s", "OFF");
  EXPECT_EQ(sent("fan.turn_on", R"("percentage":66)"), "c=ON p=2");
  EXPECT_EQ(sent("fan.set_percentage", R"("percentage":100)"), "p=3");
  EXPECT_EQ(sent("fan.set_percentage", R"("percentage":0)"), "c=OFF");
  EXPECT_EQ(sent("fan.set_preset_mode", R"("preset_mode":"auto")"), "pm=auto");
  EXPECT_EQ(sent("fan.oscillate", R"("oscillating":true)"), "o=oscillate_on");
  EXPECT_EQ(attribute("fan.it", "oscillating"), "true");
  EXPECT_EQ(sent("fan.set_direction", R"("direction":"reverse")"), "d=reverse");
  receive("ps", "2");
  EXPECT_EQ(attribute("fan.it", "percentage"), "66");
  receive("ps", "9");
  EXPECT_EQ(attribute("fan.it", "percentage"), "66");
}

TEST_F(ComponentTest, NumbersSelectsTextsAndButtons) {
  describe("number", R"("command_topic":"c","state_topic":"s","min":0,"max":50,"step":0.5)");
  receive("s", "7.0");
  EXPECT_EQ(value("number.it"), "7");
  EXPECT_EQ(sent("number.set_value", R"("value":5)"), "c=5");
  EXPECT_EQ(sent("number.set_value", R"("value":2.5)"), "c=2.5");
  receive("s", "99");
  EXPECT_EQ(value("number.it"), "7");
  receive("s", "None");
  EXPECT_EQ(value("number.it"), "unknown");
  receive("homeassistant/number/it/config", "");

  describe("select", R"("command_topic":"c","state_topic":"s","options":["low","high"])");
  receive("s", "low");
  EXPECT_EQ(value("select.it"), "low");
  receive("s", "middle");
  EXPECT_EQ(value("select.it"), "low");
  EXPECT_EQ(sent("select.select_next"), "c=high");
  receive("homeassistant/select/it/config", "");

  describe("text", R"("command_topic":"c","state_topic":"s","pattern":"^[a-z]+$","max":5)");
  EXPECT_EQ(sent("text.set_value", R"("value":"abc")"), "c=abc");
  EXPECT_EQ(sent("text.set_value", R"("value":"123")"), "invalid: value: text.it takes texts that match ^[a-z]+$");
  receive("homeassistant/text/it/config", "");

  describe("button", R"("command_topic":"c","payload_press":"go","qos":1,"retain":true)");
  EXPECT_EQ(sent("button.press"), "c=go q1 retained");
}

TEST_F(ComponentTest, LocksTellTheirCodes) {
  describe("lock", R"("command_topic":"c","state_topic":"s","payload_open":"OPEN","code_format":"^\\d{4}$",
                      "command_template":"{\"a\":\"{{ value }}\",\"code\":\"{{ code }}\"}")");
  receive("s", "JAMMED");
  EXPECT_EQ(value("lock.it"), "jammed");
  EXPECT_EQ(sent("lock.unlock", R"("code":"1234")"), R"(c={"a":"UNLOCK","code":"1234"})");
  EXPECT_EQ(sent("lock.unlock", R"("code":"12")").substr(0, 8), "invalid:");
  EXPECT_EQ(sent("lock.open", R"("code":"1234")"), R"(c={"a":"OPEN","code":"1234"})");
}

TEST_F(ComponentTest, EventsIgnoreWhatTheBrokerKept) {
  describe("event", R"("state_topic":"s","event_types":["press","hold"])");
  receive("s", R"({"event_type":"press"})", true);
  EXPECT_EQ(value("event.it"), "unknown");
  receive("s", R"({"event_type":"hold","button":2})");
  EXPECT_EQ(attribute("event.it", "event_type"), R"("hold")");
  EXPECT_EQ(attribute("event.it", "button"), "2");
  EXPECT_NE(value("event.it"), "unknown");
}

TEST_F(ComponentTest, UpdatesReadObjectsAndVersions) {
  describe("update", R"("state_topic":"s","command_topic":"c","payload_install":"{\"id\": \"0x1\"}",
      "value_template":"{\"latest_version\":\"{{ value_json['update']['latest_version'] }}\",\"installed_version\":\"{{ value_json['update']['installed_version'] }}\",\"update_percentage\":{{ value_json['update'].get('progress', 'null') }},\"in_progress\":{{ (value_json['update']['state'] == 'updating')|lower }}}")");
  receive("s", R"({"update":{"state":"available","installed_version":2,"latest_version":3}})");
  EXPECT_EQ(value("update.it"), "on");
  EXPECT_EQ(attribute("update.it", "installed_version"), R"("2")");
  EXPECT_EQ(sent("update.install"), R"(c={"id": "0x1"})");
  receive("s", R"({"update":{"state":"updating","progress":37.5,"installed_version":2,"latest_version":3}})");
  EXPECT_EQ(attribute("update.it", "update_percentage"), "37.5");
  EXPECT_EQ(attribute("update.it", "in_progress"), "true");
}

TEST_F(ComponentTest, SirensVacuumsAndAlarms) {
  describe("siren", R"("command_topic":"c","available_tones":["bell"])");
  EXPECT_EQ(sent("siren.turn_on", R"("tone":"bell","duration":5)"), R"(c={"state":"ON","tone":"bell","duration":5.0})");
  receive("homeassistant/siren/it/config", "");

  describe("vacuum", R"("command_topic":"c","state_topic":"s","send_command_topic":"sc",
                        "supported_features":["start","stop","fan_speed","battery","send_command"],
                        "set_fan_speed_topic":"f","fan_speed_list":["low","high"])");
  receive("s", R"({"state":"cleaning","battery_level":80,"fan_speed":"low"})");
  EXPECT_EQ(value("vacuum.it"), "cleaning");
  EXPECT_EQ(attribute("vacuum.it", "battery_level"), "80");
  EXPECT_EQ(sent("vacuum.start"), "c=start");
  EXPECT_EQ(sent("vacuum.set_fan_speed", R"("fan_speed":"high")"), "f=high");
  EXPECT_EQ(sent("vacuum.send_command", R"("command":"go","params":{"zone":1})"), R"(sc={"command":"go","zone":1})");
  receive("homeassistant/vacuum/it/config", "");

  describe("alarm_control_panel", R"("command_topic":"c","state_topic":"s","code":"1234")");
  receive("s", "armed_away");
  EXPECT_EQ(value("alarm_control_panel.it"), "armed_away");
  EXPECT_EQ(sent("alarm_control_panel.alarm_disarm", R"("code":"1234")"), "c=DISARM");
  EXPECT_EQ(sent("alarm_control_panel.alarm_disarm", R"("code":"1")"),
            "invalid: code: alarm_control_panel.it needs its code");
}

TEST_F(ComponentTest, ADeviceWithoutAStateTopicIsTakenAtItsWord) {
  describe("switch", R"("command_topic":"c")");
  EXPECT_EQ(value("switch.it"), "off");
  EXPECT_EQ(sent("switch.turn_on"), "c=ON");
  EXPECT_EQ(value("switch.it"), "on");
}

TEST_F(ComponentTest, TemplatesOfCommandsGetNumbers) {
  describe("fan", R"x("command_topic":"c","percentage_command_topic":"p","speed_range_max":3,
                      "percentage_command_template":"{{ {1:'low', 2:'medium', 3:'high'}[value] | default('') }}")x");
  EXPECT_EQ(sent("fan.set_percentage", R"("percentage":100)"), "p=high");
  receive("homeassistant/fan/it/config", "");
  describe("number", R"("command_topic":"c","step":0.5,"command_template":"{{ value * 2 }}")");
  EXPECT_EQ(sent("number.set_value", R"("value":21)"), "c=42");
  EXPECT_EQ(sent("number.set_value", R"("value":20.5)"), "c=41.0");
}

TEST_F(ComponentTest, NoneIsUnknownUnlessItIsAChoice) {
  constexpr std::string_view kTemplate = R"("value_template":"{{ value_json.x }}")";
  describe("select", fmt::format(R"("command_topic":"c","state_topic":"s","options":["a","b"],{})", kTemplate));
  receive("s", R"({"x":"a"})");
  receive("s", R"({"x":null})");
  EXPECT_EQ(value("select.it"), "unknown");
  describe("select", fmt::format(R"("command_topic":"c","state_topic":"s","options":["a","None"],{})", kTemplate));
  receive("s", R"({"x":"None"})");
  EXPECT_EQ(value("select.it"), "None");
  receive("homeassistant/select/it/config", "");
  describe("text", fmt::format(R"("command_topic":"c","state_topic":"s",{})", kTemplate));
  receive("s", R"({"x":"words"})");
  receive("s", R"({"x":null})");
  EXPECT_EQ(value("text.it"), "unknown");
  describe("text", R"("command_topic":"c","state_topic":"s")");
  receive("s", "None");
  EXPECT_EQ(value("text.it"), "None");
}

TEST_F(ComponentTest, AStateThatTheDeviceDoesNotReportIsAssumed) {
  describe("switch", R"("command_topic":"c")");
  EXPECT_EQ(attribute("switch.it", "assumed_state"), "true");
  describe("switch", R"("command_topic":"c","state_topic":"s")");
  EXPECT_EQ(attribute("switch.it", "assumed_state"), "");
  describe("switch", R"("command_topic":"c","state_topic":"s","optimistic":true)");
  EXPECT_EQ(attribute("switch.it", "assumed_state"), "true");
  receive("homeassistant/switch/it/config", "");
  describe("cover", R"("command_topic":"c","position_topic":"p")");
  EXPECT_EQ(attribute("cover.it", "assumed_state"), "");
}

TEST_F(ComponentTest, ATimeIsShownInUtc) {
  describe("sensor", R"("state_topic":"s","device_class":"timestamp")");
  receive("s", "2026-01-02T03:04:05.678+01:00");
  EXPECT_EQ(value("sensor.it"), "2026-01-02T02:04:05+00:00");
  for (const char* const other : {"2026-01-02 03:04:05", "2026-01-02", "soon", "1767322800", "2026-01-02T25:00:00Z"}) {
    receive("s", "2026-01-02T03:04:05Z");
    EXPECT_EQ(value("sensor.it"), "2026-01-02T03:04:05+00:00");
    receive("s", other);
    EXPECT_EQ(value("sensor.it"), "unknown") << other;  // nobody knows whose clocks showed it, or it is none
  }
}

}  // namespace
}  // namespace hearth::integrations::mqtt
