// SPDX-License-Identifier: Apache-2.0
#include "template_entities/test_template_entities.h"

namespace hearth::template_entities {
namespace {

std::string step(std::string_view text) {
  return automation::note_step(text);
}

TEST(TemplateLight, ShowsWhatItsTemplatesGive) {
  TestTemplates home;
  home.set("sensor.on", "on");
  home.set("sensor.level", "100");
  home.apply(R"([{"light": {"name": "L", "state": "{{ states('sensor.on') }}", "level": "{{ states('sensor.level') }}",
      "rgb": "{{ (255, 0, 0) }}", "effect_list": ["rain", "sun"], "effect": "sun", "turn_on": [], "turn_off": [],
      "set_rgb": [], "set_effect": []}}])");
  EXPECT_EQ(home.value("light.l"), "on");
  EXPECT_EQ(home.attribute("light.l", "brightness"), "100");
  EXPECT_EQ(home.attribute("light.l", "rgb_color"), "[255,0,0]");
  EXPECT_EQ(home.attribute("light.l", "effect"), "\"sun\"");
  home.set("sensor.level", "7");
  EXPECT_EQ(home.attribute("light.l", "brightness"), "7");
  home.set("sensor.on", "off");
  EXPECT_EQ(home.value("light.l"), "off");
  home.set("sensor.on", "nonsense");
  EXPECT_EQ(home.value("light.l"), "unknown");
}

TEST(TemplateLight, RunsTheStepsThatACallMeans) {
  TestTemplates home;
  home.apply(R"([{"light": {"name": "L", "state": "on", "turn_on": )" + step("on {{ brightness | default('-') }}") +
             R"(, "turn_off": )" + step("off") + R"(, "set_level": )" + step("level {{ brightness }}") +
             R"(, "set_temperature": )" + step("white {{ color_temp }}") + R"(, "set_hs": )" +
             step("hs {{ hs }} {{ h }}") + R"(, "set_effect": )" + step("effect {{ effect }}") +
             R"(, "effect_list": ["rain"], "supports_transition": true}}])");
  home.call("light.turn_on", R"({"entity_id": "light.l"})");
  home.call("light.turn_on", R"({"entity_id": "light.l", "brightness": 50})");
  home.call("light.turn_on", R"({"entity_id": "light.l", "color_temp_kelvin": 4000})");
  home.call("light.turn_on", R"({"entity_id": "light.l", "hs_color": [30, 60]})");
  home.call("light.turn_on", R"({"entity_id": "light.l", "effect": "rain"})");
  home.call("light.turn_off", R"({"entity_id": "light.l"})");
  EXPECT_EQ(home.noted(), "on - level 50 white 250 hs (30.0, 60.0) 30.0 effect rain off");
}

TEST(TemplateLight, WithoutTemplatesIsWhatWasAskedFor) {
  TestTemplates home;
  home.apply(R"([{"light": {"name": "L", "turn_on": [], "turn_off": [], "set_level": []}}])");
  EXPECT_EQ(home.value("light.l"), "off");
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": "light.l", "brightness": 50})"), "light.l on");
  EXPECT_EQ(home.attribute("light.l", "brightness"), "50");
}

}  // namespace
}  // namespace hearth::template_entities
