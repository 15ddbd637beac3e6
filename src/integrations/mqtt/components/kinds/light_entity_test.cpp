// SPDX-License-Identifier: Apache-2.0
// The messages that lamps send, and their reading of states.
#include "integrations/mqtt/components/test_component.h"

namespace hearth::integrations::mqtt {
namespace {

TEST_F(ComponentTest, JsonLightSendsWhatChanges) {
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","brightness":true,"brightness_scale":254,
                       "supported_color_modes":["xy","color_temp"],"effect":true,"effect_list":["blink"])");
  receive("s", R"({"state":"OFF"})");
  EXPECT_EQ(sent("light.turn_on"), R"(c={"state":"ON"})");
  EXPECT_EQ(sent("light.turn_on", R"("brightness":128)"), R"(c={"state":"ON","brightness":127})");
  EXPECT_EQ(sent("light.turn_on", R"("brightness":255,"transition":2)"),
            R"(c={"state":"ON","transition":2,"brightness":254})");
  EXPECT_EQ(sent("light.turn_on", R"("color_temp_kelvin":4000)"), R"(c={"state":"ON","color_temp":250})");
  EXPECT_EQ(sent("light.turn_on", R"("xy_color":[0.3,0.4])"), R"(c={"state":"ON","color":{"x":0.3,"y":0.4}})");
  EXPECT_EQ(sent("light.turn_on", R"("effect":"blink")"), R"(c={"state":"ON","effect":"blink"})");
  EXPECT_EQ(sent("light.turn_on", R"("flash":"short")"), R"(c={"state":"ON","flash":2})");
  EXPECT_EQ(sent("light.turn_off", R"("transition":0.5)"), R"(c={"state":"OFF","transition":0.5})");
}

TEST_F(ComponentTest, JsonLightReadsItsState) {
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","brightness":true,"brightness_scale":254,
                       "supported_color_modes":["xy","color_temp"])");
  EXPECT_EQ(value("light.it"), "unknown");
  receive("s",
          R"({"state":"ON","brightness":127,"color_mode":"color_temp","color_temp":370,"color":{"x":0.1,"y":0.2}})");
  EXPECT_EQ(value("light.it"), "on");
  EXPECT_EQ(attribute("light.it", "brightness"), "128");
  EXPECT_EQ(attribute("light.it", "color_mode"), R"("color_temp")");
  EXPECT_EQ(attribute("light.it", "color_temp_kelvin"), "2703");
  receive("s", R"({"color_mode":"xy","color":{"x":0.3,"y":0.4}})");
  EXPECT_EQ(attribute("light.it", "xy_color"), "[0.3,0.4]");
  receive("s", R"({"brightness":254})");
  EXPECT_EQ(attribute("light.it", "brightness"), "255");
  receive("s", R"({"state":null})");
  EXPECT_EQ(value("light.it"), "unknown");
}

TEST_F(ComponentTest, JsonLightWithoutBrightnessHasItInItsChannels) {
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","supported_color_modes":["rgb"])");
  receive("s", R"({"state":"OFF"})");
  EXPECT_EQ(sent("light.turn_on", R"("rgb_color":[255,128,0],"brightness":128)"),
            R"(c={"state":"ON","color":{"r":128,"g":64,"b":0}})");
  EXPECT_EQ(sent("light.turn_on", R"("rgb_color":[255,128,0])"), R"(c={"state":"ON","color":{"r":255,"g":128,"b":0}})");
  receive("s", R"({"state":"ON","color":{"r":200,"g":100,"b":0}})");
  EXPECT_EQ(sent("light.turn_on", R"("brightness":51)"), R"(c={"state":"ON","color":{"r":40,"g":20,"b":0}})");
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","supported_color_modes":["rgbw"])");
  EXPECT_EQ(sent("light.turn_on", R"("rgbw_color":[255,0,0,10],"brightness":128)"),
            R"(c={"state":"ON","color":{"r":128,"g":0,"b":0,"w":5}})");
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","supported_color_modes":["rgbww"])");
  EXPECT_EQ(sent("light.turn_on", R"("rgbww_color":[255,0,0,10,100],"brightness":51)"),
            R"(c={"state":"ON","color":{"r":51,"g":0,"b":0,"c":2,"w":20}})");
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","supported_color_modes":["hs"])");
  EXPECT_EQ(sent("light.turn_on", R"("hs_color":[10,20],"brightness":51)"),
            R"(c={"state":"ON","color":{"h":10,"s":20}})");
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","supported_color_modes":["brightness"])");
  EXPECT_EQ(sent("light.turn_on", R"("brightness":51)"), R"(c={"state":"ON","brightness":51})");
}

TEST_F(ComponentTest, LightIsInItsOnlyColorModeAndInNoneOfSeveralThatItHasNotSaid) {
  describe("light", R"("schema":"json","command_topic":"c","state_topic":"s","supported_color_modes":["rgb"])");
  receive("s", R"({"state":"ON","brightness":63})");
  EXPECT_EQ(attribute("light.it", "color_mode") + attribute("light.it", "brightness"), R"("rgb"63)");
  describe("light",
           R"("schema":"json","command_topic":"c","state_topic":"s","supported_color_modes":["rgb","color_temp"])");
  receive("s", R"({"state":"ON","brightness":64})");
  EXPECT_EQ(attribute("light.it", "color_mode") + attribute("light.it", "brightness"), R"("unknown"64)");
  describe("light", R"("command_topic":"c","state_topic":"s","hs_command_topic":"h")");
  receive("s", "ON");
  EXPECT_EQ(attribute("light.it", "color_mode"), R"("hs")");
  describe("light", R"("command_topic":"c","state_topic":"s","brightness_command_topic":"b")");
  receive("s", "OFF");
  receive("s", "ON");
  EXPECT_EQ(attribute("light.it", "color_mode"), R"("brightness")");
}

TEST_F(ComponentTest, BasicLightThatBrightnessSwitchesOnGetsOneWithEachColor) {
  describe("light",
           R"("command_topic":"c","state_topic":"s","brightness_command_topic":"b","brightness_state_topic":"bs",
      "on_command_type":"brightness","color_temp_command_topic":"ct","hs_command_topic":"h","white_command_topic":"w",
      "effect_command_topic":"e","effect_list":["slow"])");
  receive("s", "OFF");
  EXPECT_EQ(sent("light.turn_on", R"("color_temp_kelvin":4000)"), "b=255 ct=250");
  EXPECT_EQ(sent("light.turn_on", R"("hs_color":[300,70])"), "h=300,70 b=255");
  EXPECT_EQ(sent("light.turn_on"), "b=255");
  receive("bs", "100");
  EXPECT_EQ(sent("light.turn_on", R"("hs_color":[300,70])"), "h=300,70 b=100");
  EXPECT_EQ(sent("light.turn_on", R"("hs_color":[300,70],"brightness":7)"), "h=300,70 b=7");
  EXPECT_EQ(sent("light.turn_on", R"("effect":"slow")"), "b=100 e=slow");
  EXPECT_EQ(sent("light.turn_on", R"("white":50)"), "w=50");
  describe("light", R"("command_topic":"c","state_topic":"s","rgb_command_topic":"r","rgb_state_topic":"rs",
      "on_command_type":"brightness")");
  receive("s", "OFF");
  EXPECT_EQ(sent("light.turn_on"), "r=255,255,255");
  EXPECT_EQ(sent("light.turn_on", R"("brightness":51)"), "r=51,51,51");
  receive("rs", "100,50,0");
  EXPECT_EQ(sent("light.turn_on", R"("rgb_color":[0,0,255])"), "r=0,0,100");
}

TEST_F(ComponentTest, BasicLightHasATopicForEachProperty) {
  describe("light",
           R"("command_topic":"c","state_topic":"s","brightness_command_topic":"b","brightness_state_topic":"bs",
                       "brightness_scale":100,"hs_command_topic":"h","hs_state_topic":"hs","color_temp_command_topic":"ct",
                       "effect_command_topic":"e","effect_list":["slow"],"payload_on":"1","payload_off":"0")");
  receive("s", "1");
  receive("bs", "50");
  EXPECT_EQ(attribute("light.it", "brightness"), "128");
  EXPECT_EQ(sent("light.turn_on", R"("brightness":255)"), "b=100 c=1");
  EXPECT_EQ(sent("light.turn_on", R"("hs_color":[300,70.5])"), "h=300,70.5 c=1");
  EXPECT_EQ(sent("light.turn_on", R"("color_temp_kelvin":4000)"), "ct=250 c=1");
  EXPECT_EQ(sent("light.turn_on", R"("effect":"slow")"), "e=slow c=1");
  EXPECT_EQ(sent("light.turn_off"), "c=0");
  receive("hs", "120,50");
  EXPECT_EQ(attribute("light.it", "hs_color"), "[120.0,50.0]");
}

TEST_F(ComponentTest, TemplateLightMakesItsCommands) {
  describe("light", R"("schema":"template","command_topic":"c","state_topic":"s",
      "command_on_template":"on,{{ brightness|d }},{{ red|d }}-{{ green|d }}-{{ blue|d }}","command_off_template":"off",
      "state_template":"{{ value.split(',')[0] }}","brightness_template":"{{ value.split(',')[1] }}",
      "red_template":"{{ value.split(',')[2].split('-')[0] }}","green_template":"{{ value.split(',')[2].split('-')[1] }}",
      "blue_template":"{{ value.split(',')[2].split('-')[2] }}")");
  receive("s", "on,100,255-0-0");
  EXPECT_EQ(value("light.it"), "on");
  EXPECT_EQ(attribute("light.it", "brightness"), "100");
  EXPECT_EQ(attribute("light.it", "rgb_color"), "[255,0,0]");
  EXPECT_EQ(sent("light.turn_on", R"("brightness":50)"), "c=on,50,--");
  EXPECT_EQ(sent("light.turn_on", R"("rgb_color":[0,255,0])"), "c=on,,0-255-0");
  EXPECT_EQ(sent("light.turn_off"), "c=off");
}

}  // namespace
}  // namespace hearth::integrations::mqtt
