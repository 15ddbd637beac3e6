// SPDX-License-Identifier: Apache-2.0
#include "domains/scenes/desired_state.h"

#include <gtest/gtest.h>

#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

core::StatePtr entity_state(std::string_view id, std::string_view value, const json::object& attributes = {}) {
  return core::State::create(*core::EntityId::parse(id), value, base::to_json(attributes), {}, {});
}

// "turn_on{"brightness":80} …", or the error.
std::string calls(std::string_view id, const json::value& wanted, std::string_view now = "unknown",
                  const json::object& attributes = {}, std::optional<double> transition = {}) {
  const auto desired = DesiredState::parse(id, wanted);
  if (!desired) return desired.error().message;
  const auto made = calls_for(*desired, *entity_state(id, now, attributes), transition);
  if (!made) return made.error().message;
  std::string text;
  for (const DesiredCall& call : *made)
    text += (text.empty() ? "" : " ") + std::string(call.service) + base::to_json(call.data);
  return text;
}

TEST(DesiredState, TurnsOnAndOff) {
  EXPECT_EQ(calls("light.a", "on"), "turn_on{}");
  EXPECT_EQ(calls("light.a", true, "off"), "turn_on{}");
  EXPECT_EQ(calls("light.a", {{"state", "off"}, {"brightness", 80}}, "on"), "turn_off{}");
  EXPECT_EQ(calls("switch.a", "off", "on"), "turn_off{}");
  EXPECT_EQ(calls("lock.a", "locked", "unlocked"), "lock{}");
  EXPECT_EQ(calls("siren.a", "on", "off"), "turn_on{}");
}

TEST(DesiredState, ChangesNothingThatIsAsDesired) {
  EXPECT_EQ(calls("light.a", "on", "on"), "");
  EXPECT_EQ(calls("light.a", {{"state", "on"}, {"brightness", 80}}, "on", {{"brightness", 80}}), "");
  EXPECT_EQ(calls("light.a", {{"state", "on"}, {"brightness", 80}}, "on", {{"brightness", 81}}),
            R"(turn_on{"brightness":80})");
}

TEST(DesiredState, ComparesOnlyWhatCallsWouldChange) {
  const json::object warm{{"temperature", 21.0}, {"current_temperature", 19.5}, {"fan_mode", "auto"}};
  EXPECT_EQ(calls("climate.a", {{"state", "heat"}, {"temperature", 21}}, "heat", warm), "");
  EXPECT_EQ(calls("climate.a", {{"state", "heat"}, {"temperature", "21"}, {"current_temperature", 3}}, "heat", warm),
            "");
  EXPECT_EQ(calls("climate.a", {{"state", "heat"}, {"temperature", 22}}, "heat", warm),
            R"(set_temperature{"temperature":22,"hvac_mode":"heat"})");
  EXPECT_EQ(calls("number.a", "21", "21.0"), "");
  EXPECT_EQ(calls("light.a", {{"state", "on"}, {"friendly_name", "A"}, {"transition", 2}}, "on"), "");
  EXPECT_EQ(calls("light.a", {{"state", "off"}, {"brightness", 80}}, "off"), "");
  EXPECT_EQ(calls("light.a", {{"state", "on"}, {"brightness_pct", 50}}, "on", {{"brightness", 9}}),
            R"(turn_on{"brightness_pct":50})");
  EXPECT_EQ(calls("fan.a", {{"state", "on"}, {"percentage", 40}}, "on", {{"supported_features", 48}}), "");
  EXPECT_EQ(calls("fan.a", {{"state", "on"}, {"percentage", 40}}, "on", {{"supported_features", 49}}),
            R"(turn_on{"percentage":40})");
  EXPECT_EQ(calls("lock.a", "jammed", "jammed"), "");
}

TEST(DesiredState, ComparesTheColourInTheDesiredMode) {
  const json::object wanted{
      {"state", "on"}, {"color_mode", "hs"}, {"hs_color", {30, 70}}, {"rgb_color", {1, 2, 3}}, {"effect", nullptr}};
  const json::object red{{"color_mode", "hs"}, {"hs_color", {30.0, 70.0}}, {"rgb_color", {9, 9, 9}}};
  EXPECT_EQ(calls("light.a", wanted, "on", red), "");
  EXPECT_EQ(calls("light.a", wanted, "on", {{"color_mode", "color_temp"}, {"hs_color", {30, 70}}}),
            R"(turn_on{"hs_color":[30,70]})");
}

TEST(DesiredState, KnowsTheOldNamesOfAWhite) {
  const json::object old{{"state", "on"}, {"color_mode", "color_temp"}, {"color_temp", 250}, {"hs_color", {30, 70}}};
  EXPECT_EQ(calls("light.a", old), R"(turn_on{"color_temp_kelvin":4000})");
  EXPECT_EQ(calls("light.a", old, "on", {{"color_mode", "color_temp"}, {"color_temp_kelvin", 4000}}), "");
  EXPECT_EQ(calls("light.a", {{"state", "on"}, {"kelvin", 4000}}, "on", {{"color_temp_kelvin", 4000}}), "");
  EXPECT_EQ(calls("light.a", {{"state", "on"}, {"color_temp", 370}, {"color_temp_kelvin", 2700}}),
            R"(turn_on{"color_temp_kelvin":2700})");
}

TEST(DesiredState, GivesALampOneColour) {
  const json::object colourful{{"state", "on"},         {"color_mode", "hs"},        {"brightness", 80},
                               {"hs_color", {300, 70}}, {"rgb_color", {1, 2, 3}},    {"xy_color", {0.1, 0.2}},
                               {"effect", nullptr},     {"color_temp_kelvin", 4000}, {"friendly_name", "A"}};
  EXPECT_EQ(calls("light.a", colourful), R"(turn_on{"brightness":80,"hs_color":[300,70]})");
  json::object white = colourful;
  white["color_mode"] = "color_temp";
  EXPECT_EQ(calls("light.a", white), R"(turn_on{"brightness":80,"color_temp_kelvin":4000})");
  EXPECT_EQ(calls("light.a", white, "off", {}, 2.5),
            R"(turn_on{"transition":2.5,"brightness":80,"color_temp_kelvin":4000})");
}

TEST(DesiredState, SetsHelpersToTheMomentThatTheValueIs) {
  EXPECT_EQ(calls("input_datetime.d", "2026-01-02 03:04:05"), R"(set_datetime{"datetime":"2026-01-02 03:04:05"})");
  EXPECT_EQ(calls("input_datetime.d", "2026-01-02"), R"(set_datetime{"date":"2026-01-02"})");
  EXPECT_EQ(calls("input_datetime.d", "03:04:05"), R"(set_datetime{"time":"03:04:05"})");
  EXPECT_EQ(calls("input_datetime.d", "03:04:05", "03:04:05"), "");
  EXPECT_EQ(calls("input_datetime.d", "soon"), "input_datetime.d: no service of input_datetime brings about soon");
}

TEST(DesiredState, OfAGroupIsOneForEachMember) {
  const auto find = [](std::string_view id) -> core::StatePtr {
    if (id == "group.all") return entity_state(id, "off", {{"entity_id", {"group.lamps", "switch.pump", "group.all"}}});
    if (id == "group.lamps") return entity_state(id, "off", {{"entity_id", {"light.a", "sensor.x", "light.b"}}});
    return nullptr;
  };
  std::string text;
  for (const DesiredState& each : spread(*DesiredState::parse("group.all", {{"state", "on"}, {"brightness", 9}}), find))
    text += each.entity_id + base::to_json(each.to_json()) + " ";
  EXPECT_EQ(text, R"(light.a{"state":"on","brightness":9} light.b{"state":"on","brightness":9} )"
                  R"(switch.pump{"state":"on","brightness":9} )");
}

TEST(DesiredState, SetsValuesThatAServiceTakes) {
  EXPECT_EQ(calls("number.a", "42"), R"(set_value{"value":"42"})");
  EXPECT_EQ(calls("select.a", "eco"), R"(select_option{"option":"eco"})");
  EXPECT_EQ(calls("climate.a", {{"state", "heat"}, {"temperature", 21.5}, {"fan_mode", "auto"}}),
            R"(set_temperature{"temperature":21.5,"hvac_mode":"heat"} set_fan_mode{"fan_mode":"auto"})");
}

TEST(DesiredState, MovesToAPositionAtOnce) {
  EXPECT_EQ(calls("cover.a", "open", "closed"), "open_cover{}");
  EXPECT_EQ(calls("cover.a", {{"state", "open"}, {"current_position", 60}, {"current_tilt_position", 20}}, "closed"),
            R"(set_cover_position{"position":60} set_cover_tilt_position{"tilt_position":20})");
  EXPECT_EQ(calls("valve.a", {{"state", "open"}, {"current_position", 60}}), R"(set_valve_position{"position":60})");
  EXPECT_EQ(calls("fan.a", {{"state", "on"}, {"percentage", 40}, {"preset_mode", nullptr}, {"oscillating", true}}),
            R"(turn_on{"percentage":40} oscillate{"oscillating":true})");
}

TEST(DesiredState, NamesWhatCannotBe) {
  EXPECT_EQ(calls("sensor.a", "5"), "sensor.a: no service can change an entity of its domain");
  EXPECT_EQ(calls("nothing.a", "5"), "nothing.a: no service can change an entity of its domain");
  EXPECT_EQ(calls("light", "on"), "light: not an entity id");
  EXPECT_TRUE(calls("light.a", "bright").starts_with("light.a: state: expected"));
  EXPECT_TRUE(calls("light.a", "unavailable").starts_with("light.a: state: expected"));
  EXPECT_TRUE(calls("light.a", nullptr).starts_with("light.a: state: expected"));
  EXPECT_EQ(calls("light.a", {{"brightness", 5}}), "light.a: expected a state, or an object with `state`");
  EXPECT_EQ(calls("lock.a", "jammed"), "lock.a: no service of lock brings about jammed");
}

TEST(DesiredState, KeepsOfAStateWhatCanBeSet) {
  const auto lamp = entity_state("light.a", "on",
                                 {{"brightness", 80},
                                  {"friendly_name", "A"},
                                  {"supported_features", 40},
                                  {"color_mode", "brightness"},
                                  {"effect", nullptr}});
  EXPECT_EQ(base::to_json(DesiredState::of(*lamp)->to_json()),
            R"({"state":"on","brightness":80,"color_mode":"brightness"})");
  EXPECT_FALSE(DesiredState::of(*entity_state("sensor.a", "5")));
  EXPECT_FALSE(DesiredState::of(*entity_state("light.a", "unavailable")));
}

// An entity can be brought back to what its services made of it: every kind with services that set something.
TEST(DesiredState, ReachesEveryValueThatAServiceHas) {
  for (const Kind* const kind : kKinds) {
    for (const Action& action : kind->actions) {
      if (action.value.empty()) continue;
      const std::string id = std::string(kind->domain) + ".a";
      json::object wanted{{"state", action.value}};
      for (const Input& input : action.fields) {
        if (input.field.required)
          wanted[input.sets.empty() ? input.field.name : input.sets] = input.field.example.to_json();
      }
      EXPECT_NE(calls(id, wanted).find('{'), std::string::npos) << id << ' ' << action.value << calls(id, wanted);
    }
  }
}

}  // namespace
}  // namespace hearth::domains
