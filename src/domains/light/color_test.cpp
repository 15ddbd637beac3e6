// SPDX-License-Identifier: Apache-2.0
#include "domains/light/color.h"

#include <gtest/gtest.h>

namespace hearth::domains {
namespace {

constexpr KelvinRange kRange;

std::string rgb(const LightColor& color) {
  return base::to_json(to_json_array(to_rgb(color, kRange)));
}
std::string hs(const LightColor& color) {
  return base::to_json(to_json_array(to_hs(color, kRange)));
}
std::string xy(const LightColor& color) {
  return base::to_json(to_json_array(to_xy(color, kRange)));
}
int kelvin(const LightColor& color) {
  return to_temperature(color, kRange).kelvin;
}

TEST(Color, ConvertsHueAndSaturation) {
  EXPECT_EQ(rgb(HsColor{300, 70}), "[255,77,255]");
  EXPECT_EQ(rgb(HsColor{0, 100}), "[255,0,0]");
  EXPECT_EQ(rgb(HsColor{360, 100}), "[255,0,0]");
  EXPECT_EQ(rgb(HsColor{210, 50}), "[128,191,255]");
  EXPECT_EQ(rgb(HsColor{60, 20}), "[255,255,204]");
  EXPECT_EQ(xy(HsColor{300, 70}), "[0.379,0.172]");
}

TEST(Color, ConvertsRedGreenAndBlue) {
  EXPECT_EQ(hs(RgbColor{255, 100, 100}), "[0.0,60.784]");
  EXPECT_EQ(hs(RgbColor{1, 2, 3}), "[210.0,66.667]");
  EXPECT_EQ(hs(RgbColor{255, 255, 255}), "[0.0,0.0]");
  EXPECT_EQ(hs(RgbColor{0, 0, 0}), "[0.0,0.0]");
  EXPECT_EQ(xy(RgbColor{255, 100, 100}), "[0.58,0.309]");
  EXPECT_EQ(xy(RgbColor{255, 255, 255}), "[0.323,0.329]");
  EXPECT_EQ(xy(RgbColor{0, 0, 0}), "[0.0,0.0]");
}

TEST(Color, ConvertsXy) {
  EXPECT_EQ(rgb(XyColor{0.52, 0.43}), "[255,188,56]");
  EXPECT_EQ(rgb(XyColor{0.3, 0.3}), "[225,229,255]");
  EXPECT_EQ(rgb(XyColor{0.3, 0}), "[181,0,255]");  // outside all colours, but valid
}

TEST(Color, ConvertsWhiteTemperatures) {
  EXPECT_EQ(rgb(ColorTemperature{2700}), "[255,167,87]");
  EXPECT_EQ(rgb(ColorTemperature{4000}), "[255,206,166]");
  EXPECT_EQ(hs(ColorTemperature{4000}), "[26.812,34.87]");
  EXPECT_EQ(xy(ColorTemperature{2700}), "[0.525,0.388]");
}

TEST(Color, FindsTheNearestWhite) {
  EXPECT_EQ(kelvin(XyColor{0.5119, 0.4147}), 2137);
  EXPECT_EQ(kelvin(RgbColor{255, 255, 255}), 5963);
  EXPECT_EQ(kelvin(RgbColor{255, 0, 0}), 2000);
  EXPECT_EQ(kelvin(RgbColor{0, 0, 255}), 6535);
  EXPECT_EQ(kelvin(HsColor{300, 70}), 6535);
  EXPECT_EQ(kelvin(ColorTemperature{9000}), 6535);
}

TEST(Color, UsesWhiteChannelsAsMuchAsPossible) {
  const auto rgbw = [](RgbColor c) {
    return base::to_json(to_json_array(std::get<RgbwColor>(convert(c, ColorMode::rgbw, kRange))));
  };
  EXPECT_EQ(rgbw({255, 100, 100}), "[255,0,0,165]");
  EXPECT_EQ(rgbw({255, 255, 255}), "[0,0,0,255]");
  EXPECT_EQ(rgbw({10, 20, 30}), "[0,15,30,15]");
  EXPECT_EQ(rgb(RgbwColor{255, 0, 0, 165}), "[255,100,100]");
  const auto rgbww = [](const LightColor& c) {
    return base::to_json(to_json_array(std::get<RgbwwColor>(convert(c, ColorMode::rgbww, kRange))));
  };
  EXPECT_EQ(rgbww(ColorTemperature{2000}), "[0,0,0,0,255]");
  EXPECT_EQ(rgbww(ColorTemperature{6535}), "[0,0,0,255,0]");
  EXPECT_EQ(rgbww(RgbColor{255, 255, 255}), "[0,76,141,255,255]");
}

TEST(Color, KnowsCssNames) {
  EXPECT_EQ(rgb(*parse_color_name("red")), "[255,0,0]");
  EXPECT_EQ(rgb(*parse_color_name("Dark Sea Green")), "[143,188,143]");
  EXPECT_EQ(rgb(*parse_color_name("aliceblue")), "[240,248,255]");
  EXPECT_EQ(rgb(*parse_color_name("yellowgreen")), "[154,205,50]");
  EXPECT_FALSE(parse_color_name("infrared"));
  EXPECT_FALSE(parse_color_name("zzz"));
}

}  // namespace
}  // namespace hearth::domains
