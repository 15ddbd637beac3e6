// SPDX-License-Identifier: Apache-2.0
#include "domains/light/light_request.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/services/service_description.h"
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

const LightCapabilities kSwitched{};
const LightCapabilities kDimmed{.modes = {ColorMode::brightness}};
const LightCapabilities kWhite{.modes = {ColorMode::color_temp}, .kelvin = {2200, 6500}};
const LightCapabilities kEveryFeature{
    .modes = {ColorMode::color_temp, ColorMode::hs}, .effects = {"colorloop"}, .flash = true, .transition = true};
const LightCapabilities kRgb{.modes = {ColorMode::rgb, ColorMode::white}};
const LightCapabilities kXy{.modes = {ColorMode::xy}};
const LightCapabilities kRgbw{.modes = {ColorMode::rgbw}};
const LightCapabilities kRgbww{.modes = {ColorMode::rgbww}, .kelvin = {2000, 6500}};

struct Text {
  std::string operator()(const HsColor& c) const { return " hs " + base::to_json(to_json_array(c)); }
  std::string operator()(const XyColor& c) const { return " xy " + base::to_json(to_json_array(c)); }
  std::string operator()(const RgbColor& c) const { return " rgb " + base::to_json(to_json_array(c)); }
  std::string operator()(const RgbwColor& c) const { return " rgbw " + base::to_json(to_json_array(c)); }
  std::string operator()(const RgbwwColor& c) const { return " rgbww " + base::to_json(to_json_array(c)); }
  std::string operator()(const ColorTemperature& c) const { return fmt::format(" {} K", c.kelvin); }
  std::string operator()(const WhiteChannel&) const { return " white"; }
};

// The command for a lamp at the brightness (0: off).
std::string command(const LightCapabilities& lamp, std::string_view data, int brightness = 0) {
  core::ServiceDescription description;
  for (const Input& input : kLight.find_action("turn_on")->fields) description.fields.push_back(input.field);
  const auto valid = core::validate(description, base::parse_json(data).value().as_object());
  if (!valid) return valid.error().message;
  const auto request = parse_light_request(*valid);
  if (!request) return request.error().message;
  const LightState state{.on = brightness > 0, .brightness = brightness > 0 ? brightness : 200};
  const auto resolved = resolve(*request, "light.hall", lamp, state);
  if (!resolved) return resolved.error().message;
  if (!*resolved) return "off";
  const LightCommand& c = **resolved;
  std::string text = "on";
  if (c.brightness) text += fmt::format(" at {}", *c.brightness);
  if (c.color) text += std::visit(Text{}, *c.color);
  if (c.effect) text += " effect [" + *c.effect + "]";
  if (c.flash) text += *c.flash == Flash::brief ? " flash" : " long flash";
  if (c.transition) text += fmt::format(" in {} us", c.transition->count());
  return text;
}

TEST(LightRequest, TakesBrightness) {
  EXPECT_EQ(command(kDimmed, R"({})"), "on");
  EXPECT_EQ(command(kDimmed, R"({"brightness": 120})"), "on at 120");
  EXPECT_EQ(command(kDimmed, R"({"brightness": "101"})"), "on at 101");
  EXPECT_EQ(command(kDimmed, R"({"brightness": 0})"), "off");
  EXPECT_EQ(command(kDimmed, R"({"brightness_pct": 47})"), "on at 120");
  EXPECT_EQ(command(kDimmed, R"({"brightness_pct": 100})"), "on at 255");
  EXPECT_EQ(command(kDimmed, R"({"brightness_pct": 0})"), "off");
}

TEST(LightRequest, StepsFromThePresentBrightness) {
  EXPECT_EQ(command(kDimmed, R"({"brightness_step": -25})", 100), "on at 75");
  EXPECT_EQ(command(kDimmed, R"({"brightness_step": -25})", 20), "off");
  EXPECT_EQ(command(kDimmed, R"({"brightness_step": 25})", 250), "on at 255");
  EXPECT_EQ(command(kDimmed, R"({"brightness_step_pct": 10})", 100), "on at 126");
  EXPECT_EQ(command(kDimmed, R"({"brightness_step_pct": 10})", 0), "on at 26");
  EXPECT_EQ(command(kDimmed, R"({"brightness_step": -25})", 0), "off");
}

TEST(LightRequest, ConvertsToAModeTheLampHas) {
  EXPECT_EQ(command(kEveryFeature, R"({"hs_color": [300, 70]})"), "on hs [300.0,70.0]");
  EXPECT_EQ(command(kEveryFeature, R"({"rgb_color": [255, 100, 100]})"), "on hs [0.0,60.784]");
  EXPECT_EQ(command(kEveryFeature, R"({"color_name": "red"})"), "on hs [0.0,100.0]");
  EXPECT_EQ(command(kEveryFeature, R"({"rgbw_color": [255, 0, 0, 165]})"), "on hs [0.0,60.714]");
  EXPECT_EQ(command(kXy, R"({"rgb_color": [255, 100, 100]})"), "on xy [0.58,0.309]");
  EXPECT_EQ(command(kRgb, R"({"hs_color": [300, 70]})"), "on rgb [255,77,255]");
  EXPECT_EQ(command(kRgb, R"({"xy_color": [0.52, 0.43]})"), "on rgb [255,188,56]");
  EXPECT_EQ(command(kRgbw, R"({"rgb_color": [255, 100, 100]})"), "on rgbw [255,0,0,165]");
  EXPECT_EQ(command(kRgbww, R"({"rgbww_color": [1, 2, 3, 4, 5]})"), "on rgbww [1,2,3,4,5]");
}

TEST(LightRequest, TakesWhiteTemperaturesInAllForms) {
  EXPECT_EQ(command(kEveryFeature, R"({"color_temp_kelvin": 4000})"), "on 4000 K");
  EXPECT_EQ(command(kEveryFeature, R"({"kelvin": 4000})"), "on 4000 K");
  EXPECT_EQ(command(kEveryFeature, R"({"color_temp": 250})"), "on 4000 K");
  EXPECT_EQ(command(kWhite, R"({"color_temp_kelvin": 1500})"), "on 2200 K");
  EXPECT_EQ(command(kRgb, R"({"color_temp_kelvin": 4000})"), "on rgb [255,206,166]");
  EXPECT_EQ(command(kRgbww, R"({"color_temp_kelvin": 2000})"), "on rgbww [0,0,0,0,255]");
}

TEST(LightRequest, FallsBackToTheNearestWhite) {
  EXPECT_EQ(command(kWhite, R"({"xy_color": [0.4448, 0.4066]})"), "on 2893 K");
  EXPECT_EQ(command(kWhite, R"({"color_name": "blue"})"), "on 6500 K");
}

TEST(LightRequest, MakesWhiteFromTheLampsChannels) {
  EXPECT_EQ(command(kRgb, R"({"white": 200})"), "on at 200 white");
  EXPECT_EQ(command(kRgbw, R"({"white": 200})"), "on at 200 rgbw [0,0,0,255]");
  EXPECT_EQ(command(kXy, R"({"white": 200})"), "on at 200 xy [0.323,0.329]");
  EXPECT_EQ(command(kWhite, R"({"white": 200})"), "on at 200");
  EXPECT_EQ(command(kDimmed, R"({"white": 200})"), "on at 200");
  EXPECT_EQ(command(kRgb, R"({"white": 0})"), "off");
}

TEST(LightRequest, TakesProfilesEffectsFlashAndTransition) {
  EXPECT_EQ(command(kXy, R"({"profile": "relax"})"), "on at 144 xy [0.512,0.415]");
  EXPECT_EQ(command(kXy, R"({"profile": "relax", "brightness": 10})"), "on at 10 xy [0.512,0.415]");
  EXPECT_EQ(command(kEveryFeature, R"({"effect": "colorloop"})"), "on effect [colorloop]");
  EXPECT_EQ(command(kEveryFeature, R"({"effect": "off"})"), "on effect []");
  EXPECT_EQ(command(kEveryFeature, R"({"flash": "short"})"), "on flash");
  EXPECT_EQ(command(kEveryFeature, R"({"flash": "long", "transition": 1.5})"), "on long flash in 1500000 us");
  EXPECT_EQ(command(kSwitched, R"({"transition": 2})"), "on in 2000000 us");
}

TEST(LightRequest, LeavesOutWhatTheLampCannotDo) {
  EXPECT_EQ(command(kSwitched, R"({"color_temp_kelvin": 4000})"), "on");
  EXPECT_EQ(command(kDimmed, R"({"rgb_color": [1, 2, 3], "brightness": 20})"), "on at 20");
  EXPECT_EQ(command(kSwitched, R"({"brightness": 20})"), "on");
  EXPECT_EQ(command(kSwitched, R"({"brightness_step": -20})", 255), "on");
  EXPECT_EQ(command(kSwitched, R"({"brightness_step": -20})", 0), "off");
  EXPECT_EQ(command(kSwitched, R"({"white": 20})"), "on");
  EXPECT_EQ(command(kDimmed, R"({"flash": "short", "brightness": 20})"), "on at 20");
  EXPECT_EQ(command(kDimmed, R"({"effect": "rainbow", "brightness": 20})"), "on at 20");
  EXPECT_EQ(command(kSwitched, R"({"brightness": 0})"), "off");
}

TEST(LightRequest, NamesTheLampThatLacksTheEffect) {
  EXPECT_EQ(command(kEveryFeature, R"({"effect": "rainbow"})"),
            R"(light.hall cannot show the effect "rainbow"; it has colorloop.)");
}

TEST(LightRequest, TakesTheNearerEndOfARange) {
  EXPECT_EQ(command(kDimmed, R"({"brightness": 300})"), "on at 255");
  EXPECT_EQ(command(kDimmed, R"({"brightness": -5})"), "off");
  EXPECT_EQ(command(kDimmed, R"({"brightness": 128.7})"), "on at 129");
  EXPECT_EQ(command(kDimmed, R"({"brightness_step": 999})", 10), "on at 255");
  EXPECT_EQ(command(kDimmed, R"({"brightness_step_pct": -400})", 10), "off");
  EXPECT_EQ(command(kDimmed, R"({"transition": 400})"), "on in 300000000 us");
  EXPECT_EQ(command(kWhite, R"({"color_temp_kelvin": 90000})"), "on 6500 K");
  EXPECT_EQ(command(kWhite, R"({"kelvin": 3000.5})"), "on 3001 K");
  EXPECT_EQ(command(kWhite, R"({"color_temp": 100})"), "on 6500 K");
  EXPECT_EQ(command(kWhite, R"({"color_temp": 1000})"), "on 2200 K");
}

TEST(LightRequest, TakesOneColourAndOneBrightness) {
  EXPECT_EQ(command(kEveryFeature, R"({"rgb_color": [1, 2, 3], "hs_color": [1, 2]})"),
            "rgb_color, hs_color: only one colour per call");
  EXPECT_EQ(command(kEveryFeature, R"({"white": 20, "color_temp": 200})"),
            "color_temp, white: only one colour per call");
  EXPECT_EQ(command(kEveryFeature, R"({"profile": "relax", "kelvin": 2000})"),
            "kelvin, profile: only one colour per call");
  EXPECT_EQ(command(kEveryFeature, R"({"brightness": 1, "brightness_pct": 1})"),
            "brightness, brightness_pct: only one brightness per call");
}

TEST(LightRequest, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(command(kEveryFeature, R"({"brightness": "bright"})"),
            R"(brightness: expected a whole number from 0 to 255, got "bright")");
  EXPECT_EQ(command(kEveryFeature, R"({"brightness_pct": 101})"),
            "brightness_pct: expected a number from 0 to 100, got 101");
  EXPECT_EQ(command(kEveryFeature, R"({"color_name": "infrared"})"),
            R"(color_name: expected a CSS colour name, got "infrared")");
}

}  // namespace
}  // namespace hearth::domains
