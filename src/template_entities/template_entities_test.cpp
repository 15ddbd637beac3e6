// SPDX-License-Identifier: Apache-2.0
// Entities that follow what their templates look at, one domain after the other.
#include "template_entities/test_template_entities.h"

namespace hearth::template_entities {
namespace {

using namespace std::chrono_literals;

// A step that notes the text.
std::string note(std::string_view text) {
  return automation::note_step(text);
}

TEST(TemplateSensor, FollowsWhatItsTemplatesLookAt) {
  TestTemplates home;
  home.set("sensor.a", "20.5");
  home.apply(
      R"([{"sensor": {"name": "Twice", "unique_id": "t", "unit_of_measurement": "W", "state_class": "measurement",
      "device_class": "power", "state": "{{ states('sensor.a') | float * 2 }}",
      "icon": "{{ 'mdi:fire' if states('sensor.a') | float > 30 else 'mdi:snow' }}",
      "attributes": {"source": "{{ states('sensor.a') }}", "fixed": [1, 2]}}}])");
  EXPECT_EQ(home.value("sensor.twice"), "41.0");
  EXPECT_EQ(home.attribute("sensor.twice", "icon"), "\"mdi:snow\"");
  EXPECT_EQ(home.attribute("sensor.twice", "source"), "20.5");
  EXPECT_EQ(home.attribute("sensor.twice", "fixed"), "[1,2]");
  EXPECT_EQ(home.attribute("sensor.twice", "unit_of_measurement"), "\"W\"");
  EXPECT_EQ(home.attribute("sensor.twice", "device_class"), "\"power\"");
  home.set("sensor.a", "40");
  EXPECT_EQ(home.value("sensor.twice"), "80.0");
  EXPECT_EQ(home.attribute("sensor.twice", "icon"), "\"mdi:fire\"");
}

TEST(TemplateSensor, IsWrittenOnceForAChangeOfSeveralTemplates) {
  TestTemplates home;
  home.set("sensor.a", "1");
  home.apply(R"([{"sensor": {"name": "Copy", "state": "{{ states('sensor.a') }}",
      "attributes": {"b": "{{ states('sensor.a') }}", "c": "{{ states('sensor.a') }}"}}}])");
  int changes = 0;
  const auto listening = home.bus().listen(core::event_type::kStateChanged, [&](const core::Event& event) {
    changes += event.state_change()->entity_id() == "sensor.copy";
  });
  home.set("sensor.a", "2");
  EXPECT_EQ(home.value("sensor.copy"), "2");
  EXPECT_EQ(changes, 1);
  home.set("sensor.other", "2");
  EXPECT_EQ(changes, 1);
}

TEST(TemplateSensor, IsUnavailableWhileATemplateFailsOrSaysSo) {
  TestTemplates home;
  home.apply(R"([{"sensor": [
      {"name": "Fails", "state": "{{ states('sensor.a') | float }}"},
      {"name": "Says", "availability": "{{ has_value('sensor.a') }}", "state": "{{ states('sensor.a') | float }}"}]}])");
  EXPECT_EQ(home.value("sensor.fails"), "unavailable");
  EXPECT_EQ(home.value("sensor.says"), "unavailable");
  home.set("sensor.a", "3");
  EXPECT_EQ(home.value("sensor.fails"), "3.0");
  EXPECT_EQ(home.value("sensor.says"), "3.0");
  home.set("sensor.a", "unavailable");
  EXPECT_EQ(home.value("sensor.says"), "unavailable");
}

TEST(TemplateSensor, HasVariablesOfItsOwnThatSeeThoseOfItsBlock) {
  TestTemplates home;
  home.set("sensor.a", "2");
  home.apply(R"([{"variables": {"base": "{{ states('sensor.a') | int }}"},
      "sensor": {"variables": {"twice": "{{ base * 2 }}", "list": ["x", "y"]}, "name": "Of {{ list | join }}",
        "state": "{{ twice + base }}", "attributes": {"twice": "{{ twice }}"}},
      "switch": {"variables": {"cams": ["sensor.a", "sensor.b"]}, "name": "Cams",
        "state": "{{ cams | select('is_state', '2') | list | count > 0 }}",
        "turn_on": [)" +
             note("{{ cams | join }}") + R"(], "turn_off": []}}])");
  EXPECT_EQ(home.value("sensor.of_xy"), "6");
  EXPECT_EQ(home.attribute("sensor.of_xy", "twice"), "4");
  EXPECT_EQ(home.value("switch.cams"), "on");
  home.set("sensor.a", "5");
  EXPECT_EQ(home.value("sensor.of_xy"), "15");
  EXPECT_EQ(home.value("switch.cams"), "off");
}

TEST(TemplateSensor, IsUnknownIfItsTemplateGivesMoreThanAStateHolds) {
  TestTemplates home;
  home.set("sensor.a", "255");
  home.apply(R"([{"sensor": {"name": "Long", "state": "{{ 'ä' * (states('sensor.a') | int) }}"}}])");
  EXPECT_EQ(home.value("sensor.long").size(), 510u);
  home.set("sensor.a", "256");
  EXPECT_EQ(home.value("sensor.long"), "unknown");
  home.set("sensor.a", "3");
  EXPECT_EQ(home.value("sensor.long"), "äää");
}

TEST(TemplateSensor, OfTimesNeedsTheirZone) {
  TestTemplates home;
  home.set("sensor.a", "2026-01-02T03:04:05.5+01:00");
  home.apply(R"([{"sensor": {"name": "When", "device_class": "timestamp", "state": "{{ states('sensor.a') }}"}},
      {"sensor": {"name": "Local", "device_class": "timestamp", "state": "{{ as_datetime(states('sensor.a')) | as_local }}"}}])");
  EXPECT_EQ(home.value("sensor.when"), "2026-01-02T02:04:05+00:00");
  for (const char* const other : {"2026-01-02 03:04:05", "2026-01-02", "soon", "5", "2026-13-02T03:04:05Z"}) {
    home.set("sensor.a", "2026-01-02T03:04:05Z");
    EXPECT_EQ(home.value("sensor.when"), "2026-01-02T03:04:05+00:00");
    home.set("sensor.a", other);
    EXPECT_EQ(home.value("sensor.when"), "unknown") << other;
  }
  home.set("sensor.a", "2026-01-02 03:04:05");
  EXPECT_NE(home.value("sensor.local"), "unknown");
}

TEST(TemplateSensor, ComesBackWithoutShowingItsFormerValue) {
  TestTemplates home;
  home.set("sensor.a", "1");
  home.apply(
      R"([{"sensor": {"name": "Says", "availability": "{{ has_value('sensor.a') }}", "state": "{{ states('sensor.a') }}"}}])");
  home.set("sensor.a", "unavailable");
  std::string seen;
  const auto listening = home.bus().listen(core::event_type::kStateChanged, [&](const core::Event& event) {
    if (event.state_change()->entity_id() == "sensor.says")
      seen += std::string(event.state_change()->new_state->value()) + " ";
  });
  home.set("sensor.a", "2");
  EXPECT_EQ(seen, "2 ");
}

TEST(TemplateSensor, ThatIsToBeANumberIsUnknownOtherwise) {
  TestTemplates home;
  home.set("sensor.a", "much");
  home.apply(R"([{"sensor": [{"name": "Number", "unit_of_measurement": "W", "state": "{{ states('sensor.a') }}"},
                            {"name": "Time", "device_class": "timestamp", "state": "2026-03-29T10:00:00+02:00"},
                            {"name": "Nothing", "state": "{{ none }}"}]}])");
  EXPECT_EQ(home.value("sensor.number"), "unknown");
  EXPECT_EQ(home.value("sensor.time"), "2026-03-29T08:00:00+00:00");
  EXPECT_EQ(home.value("sensor.nothing"), "unknown");
}

TEST(TemplateSensor, SeesItselfAndItsBlocksVariables) {
  TestTemplates home;
  home.set("sensor.a", "1");
  home.apply(R"([{"variables": {"factor": "{{ states('sensor.a') | int }}", "twice": "{{ factor * 2 }}"},
      "sensor": {"name": "Sum", "state": "{{ states('sensor.b') | int(0) + twice }}", "attributes": {"before": "{{ this.state if this else 'none' }}"}}}])");
  EXPECT_EQ(home.value("sensor.sum"), "2");
  home.set("sensor.b", "5");
  EXPECT_EQ(home.value("sensor.sum"), "7");
  EXPECT_EQ(home.attribute("sensor.sum", "before"), "2");
  home.set("sensor.a", "2");
  EXPECT_EQ(home.value("sensor.sum"), "9");
}

TEST(TemplateSensor, ThatChangesItselfStops) {
  TestTemplates home;
  home.apply(R"([{"sensor": {"name": "Loop", "state": "{{ states('sensor.loop') | int(0) + 1 }}"}}])");
  home.run();
  const std::string stopped = home.value("sensor.loop");
  home.run();
  EXPECT_EQ(home.value("sensor.loop"), stopped);
  EXPECT_LE(std::stoi(stopped), 13);
}

TEST(TemplateSensor, FollowsATemplateForItsName) {
  TestTemplates home;
  home.set("sensor.a", "Ann");
  home.apply(R"([{"sensor": {"name": "{{ states('sensor.a') }}", "unique_id": "n", "state": "1"}}])");
  EXPECT_EQ(home.attribute("sensor.ann", "friendly_name"), "\"Ann\"");
  home.set("sensor.a", "Bob");
  home.run();
  EXPECT_EQ(home.attribute("sensor.ann", "friendly_name"), "\"Bob\"");
}

TEST(TemplateBinarySensor, CountsAsConditionsOfTriggersDo) {
  TestTemplates home;
  home.set("sensor.a", "0");
  home.apply(R"([{"binary_sensor": {"name": "B", "device_class": "door", "state": "{{ states('sensor.a') }}"}}])");
  EXPECT_EQ(home.value("binary_sensor.b"), "off");
  for (const char* const truth : {"2", "on", "Yes", "enable", "True"}) {
    home.set("sensor.a", truth);
    EXPECT_EQ(home.value("binary_sensor.b"), "on") << truth;
    home.set("sensor.a", "nothing");
    EXPECT_EQ(home.value("binary_sensor.b"), "off");
  }
  home.set("sensor.a", "None");
  EXPECT_EQ(home.value("binary_sensor.b"), "unknown");
}

TEST(TemplateBinarySensor, WaitsForItsDelays) {
  TestTemplates home;
  home.set("sensor.a", "off");
  home.apply(R"([{"binary_sensor": {"name": "B", "state": "{{ states('sensor.a') }}", "delay_on": "00:00:10",
                 "delay_off": {"seconds": "{{ 2 + 3 }}"}}}])");
  EXPECT_EQ(home.value("binary_sensor.b"), "unknown");
  home.advance(5s);
  EXPECT_EQ(home.value("binary_sensor.b"), "off");
  home.set("sensor.a", "on");
  home.advance(9s);
  EXPECT_EQ(home.value("binary_sensor.b"), "off");
  home.advance(1s);
  EXPECT_EQ(home.value("binary_sensor.b"), "on");
  home.set("sensor.a", "off");
  home.advance(4s);
  home.set("sensor.a", "on");
  home.advance(10s);
  EXPECT_EQ(home.value("binary_sensor.b"), "on");
}

TEST(TemplateBinarySensor, TurnsOffByItself) {
  TestTemplates home;
  home.set("sensor.a", "off");
  home.apply(R"([{"binary_sensor": {"name": "B", "state": "{{ states('sensor.a') }}", "auto_off": 5}}])");
  home.set("sensor.a", "on");
  EXPECT_EQ(home.value("binary_sensor.b"), "on");
  home.advance(5s);
  EXPECT_EQ(home.value("binary_sensor.b"), "off");
}

TEST(TemplateSwitch, RunsItsStepsAndFollowsItsTemplate) {
  TestTemplates home;
  home.set("input_boolean.x", "off");
  home.apply(R"([{"switch": {"name": "S", "state": "{{ is_state('input_boolean.x', 'on') }}",
                 "turn_on": [)" +
             note("on {{ this.state }}") + R"(], "turn_off": )" + note("off") + R"(}}])");
  EXPECT_EQ(home.value("switch.s"), "off");
  home.call("switch.turn_on", R"({"entity_id": "switch.s"})");
  EXPECT_EQ(home.noted(), "on off");
  EXPECT_EQ(home.value("switch.s"), "off");
  home.set("input_boolean.x", "on");
  EXPECT_EQ(home.value("switch.s"), "on");
  home.call("switch.toggle", R"({"entity_id": "switch.s"})");
  EXPECT_EQ(home.noted(), "off");
}

TEST(TemplateSwitch, WithoutAStateIsWhatWasAskedFor) {
  TestTemplates home;
  home.apply(R"([{"switch": {"name": "S", "turn_on": [], "turn_off": []}}])");
  EXPECT_EQ(home.value("switch.s"), "unknown");
  EXPECT_EQ(home.call("switch.turn_on", R"({"entity_id": "switch.s"})"), "switch.s on");
}

TEST(TemplateNumber, IsAFloatAndSetsWhatItsStepsSay) {
  TestTemplates home;
  home.set("sensor.a", "4");
  home.apply(
      R"([{"number": {"name": "N", "state": "{{ states('sensor.a') }}", "min": 2, "max": "{{ 2 * 4 }}", "step": 0.5,
                 "set_value": )" +
      note("{{ value }}") + "}}]");
  EXPECT_EQ(home.value("number.n"), "4.0");
  EXPECT_EQ(home.attribute("number.n", "max"), "8.0");
  home.call("number.set_value", R"({"entity_id": "number.n", "value": 5.5})");
  EXPECT_EQ(home.noted(), "5.5");
  EXPECT_TRUE(home.call("number.set_value", R"({"entity_id": "number.n", "value": 9})").starts_with("invalid"));
  home.set("sensor.a", "5.25");
  EXPECT_EQ(home.value("number.n"), "5.25");
}

TEST(TemplateSelect, HasTheOptionsOfItsTemplate) {
  TestTemplates home;
  home.set("sensor.a", "low");
  home.apply(R"([{"select": {"name": "S", "state": "{{ states('sensor.a') }}", "options": "{{ ['low', 'high', 3] }}",
                 "select_option": )" +
             note("{{ option }}") + "}}]");
  EXPECT_EQ(home.value("select.s"), "low");
  EXPECT_EQ(home.attribute("select.s", "options"), R"(["low","high","3"])");
  home.call("select.select_next", R"({"entity_id": "select.s"})");
  EXPECT_EQ(home.noted(), "high");
}

TEST(TemplateButton, RunsItsStepsWhenPressed) {
  TestTemplates home;
  home.apply(R"([{"button": {"name": "B", "press": )" + note("pressed") + "}}]");
  EXPECT_EQ(home.value("button.b"), "unknown");
  home.call("button.press", R"({"entity_id": "button.b"})");
  EXPECT_EQ(home.noted(), "pressed");
  EXPECT_NE(home.value("button.b"), "unknown");
}

TEST(TemplateCover, IsWhereItsPositionSays) {
  TestTemplates home;
  home.set("sensor.p", "0");
  home.apply(R"([{"cover": {"name": "C", "position": "{{ states('sensor.p') }}", "tilt": 30,
      "set_cover_position": )" +
             note("to {{ position }}") + R"(, "stop_cover": )" + note("stop") + R"(, "set_cover_tilt_position": )" +
             note("tilt {{ tilt }}") + "}}]");
  EXPECT_EQ(home.value("cover.c"), "closed");
  home.set("sensor.p", "40");
  EXPECT_EQ(home.value("cover.c"), "open");
  EXPECT_EQ(home.attribute("cover.c", "current_position"), "40");
  EXPECT_EQ(home.attribute("cover.c", "current_tilt_position"), "30");
  home.call("cover.open_cover", R"({"entity_id": "cover.c"})");
  home.call("cover.close_cover", R"({"entity_id": "cover.c"})");
  home.call("cover.set_cover_position", R"({"entity_id": "cover.c", "position": 70})");
  home.call("cover.stop_cover", R"({"entity_id": "cover.c"})");
  home.call("cover.open_cover_tilt", R"({"entity_id": "cover.c"})");
  home.call("cover.set_cover_tilt_position", R"({"entity_id": "cover.c", "tilt_position": 20})");
  EXPECT_EQ(home.noted(), "to 100 to 0 to 70 stop tilt 100 tilt 20");
}

TEST(TemplateFan, TellsSpeedsAndPresets) {
  TestTemplates home;
  home.set("sensor.p", "50");
  home.apply(R"([{"fan": {"name": "F", "state": "on", "percentage": "{{ states('sensor.p') }}", "speed_count": 4,
      "preset_modes": ["sleep"], "preset_mode": "{{ none }}", "turn_on": )" +
             note("on") + R"(, "turn_off": )" + note("off") + R"(, "set_percentage": )" + note("{{ percentage }}") +
             R"(, "set_preset_mode": )" + note("{{ preset_mode }}") + "}}]");
  EXPECT_EQ(home.attribute("fan.f", "percentage"), "50");
  EXPECT_EQ(home.attribute("fan.f", "percentage_step"), "25.0");
  home.call("fan.turn_on", R"({"entity_id": "fan.f", "percentage": 75})");
  EXPECT_EQ(home.noted(), "on 75");
  home.call("fan.set_percentage", R"({"entity_id": "fan.f", "percentage": 25})");
  home.call("fan.set_preset_mode", R"({"entity_id": "fan.f", "preset_mode": "sleep"})");
  home.call("fan.set_percentage", R"({"entity_id": "fan.f", "percentage": 0})");
  EXPECT_EQ(home.noted(), "25 sleep off");
}

TEST(TemplateLock, TakesTruthForLocked) {
  TestTemplates home;
  home.set("sensor.a", "on");
  home.apply(R"([{"lock": {"name": "L", "state": "{{ is_state('sensor.a', 'on') }}", "code_format": "{{ none }}",
      "lock": )" +
             note("lock") + R"(, "unlock": )" + note("unlock {{ code }}") + "}}]");
  EXPECT_EQ(home.value("lock.l"), "locked");
  home.call("lock.unlock", R"({"entity_id": "lock.l", "code": "12"})");
  EXPECT_EQ(home.noted(), "unlock 12");
}

TEST(TemplateVacuum, DoesWhatItHasStepsFor) {
  TestTemplates home;
  home.apply(
      R"([{"vacuum": {"name": "V", "state": "docked", "battery_level": 80, "fan_speeds": ["low", "high"], "fan_speed": "low",
      "start": )" +
      note("start") + R"(, "set_fan_speed": )" + note("{{ fan_speed }}") + "}}]");
  EXPECT_EQ(home.value("vacuum.v"), "docked");
  EXPECT_EQ(home.attribute("vacuum.v", "battery_level"), "80");
  home.call("vacuum.start", R"({"entity_id": "vacuum.v"})");
  home.call("vacuum.set_fan_speed", R"({"entity_id": "vacuum.v", "fan_speed": "high"})");
  EXPECT_EQ(home.noted(), "start high");
  EXPECT_TRUE(home.call("vacuum.pause", R"({"entity_id": "vacuum.v"})").starts_with("invalid"));
}

TEST(TemplateAlarm, PassesTheCodeOn) {
  TestTemplates home;
  home.apply(R"([{"alarm_control_panel": {"name": "P", "code_format": "number", "arm_away": )" +
             note("away {{ code }}") + R"(, "disarm": []}}])");
  EXPECT_EQ(home.call("alarm_control_panel.alarm_arm_away", R"({"entity_id": "alarm_control_panel.p", "code": "77"})"),
            "alarm_control_panel.p armed_away");
  EXPECT_EQ(home.noted(), "away 77");
}

TEST(TemplateUpdate, ComparesVersions) {
  TestTemplates home;
  home.set("sensor.a", "v1");
  home.apply(
      R"([{"update": {"name": "U", "installed_version": "{{ states('sensor.a') }}", "latest_version": "v2", "title": "Box",
      "install": )" +
      note("install") + "}}]");
  EXPECT_EQ(home.value("update.u"), "on");
  home.call("update.install", R"({"entity_id": "update.u"})");
  EXPECT_EQ(home.noted(), "install");
  home.set("sensor.a", "v2");
  EXPECT_EQ(home.value("update.u"), "off");
}

TEST(TemplateWeather, ForecastsWhatItsTemplateGives) {
  TestTemplates home;
  home.apply(
      R"([{"weather": {"name": "W", "condition_template": "sunny", "temperature_template": 20, "humidity_template": 40,
      "forecast_daily_template": "{{ [{'datetime': '2026-01-01', 'condition': 'rainy', 'temperature': 3}] }}"}}])");
  EXPECT_EQ(home.value("weather.w"), "sunny");
  EXPECT_EQ(home.attribute("weather.w", "temperature"), "20.0");
  const auto call =
      home.automations.home.begin("weather.get_forecasts", R"({"entity_id": "weather.w", "type": "daily"})");
  ASSERT_TRUE(call->outcome && *call->outcome);
  EXPECT_EQ(base::to_json((*call->outcome)->response),
            R"({"weather.w":{"forecast":[{"datetime":"2026-01-01","condition":"rainy","temperature":3}]}})");
}

TEST(TemplateImage, ChangesWithItsAddress) {
  TestTemplates home;
  home.set("sensor.a", "1");
  home.apply(R"([{"image": {"name": "I", "url": "http://cam/{{ states('sensor.a') }}.jpg"}}])");
  const std::string first = home.value("image.i");
  EXPECT_NE(first, "unknown");
  EXPECT_EQ(home.attribute("image.i", "entity_picture"), "\"http://cam/1.jpg\"");
  home.advance(5s);
  home.set("sensor.a", "2");
  EXPECT_NE(home.value("image.i"), first);
}

}  // namespace
}  // namespace hearth::template_entities
