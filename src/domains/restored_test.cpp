// SPDX-License-Identifier: Apache-2.0
#include "domains/restored.h"

#include <gtest/gtest.h>

namespace hearth::domains {
namespace {

core::StatePtr state(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
  const base::Timestamp now{};
  return core::State::create(*core::EntityId::parse(id), value, attributes, {now, now}, core::Context::create(now));
}

LightState light(std::string_view value, std::string_view attributes) {
  return restored(LightState{.on = false, .brightness = 10}, *state("light.x", value, attributes));
}

TEST(Restored, LampKeepsItsLight) {
  const auto warm =
      light("on", R"({"brightness":100,"color_mode":"color_temp","color_temp_kelvin":2700,"rgb_color":[1,2,3]})");
  EXPECT_TRUE(warm.on);
  EXPECT_EQ(warm.brightness, 100);
  EXPECT_EQ(std::get<ColorTemperature>(warm.color.value()).kelvin, 2700);
  const auto red = light("on", R"({"brightness":1,"color_mode":"hs","hs_color":[359.5,99],"effect":"rainbow"})");
  EXPECT_EQ(std::get<HsColor>(red.color.value()).hue, 359.5);
  EXPECT_EQ(red.effect, "rainbow");
  const auto white = light("on", R"({"color_mode":"rgbw","rgbw_color":[1,2,3,255]})");
  EXPECT_EQ(std::get<RgbwColor>(white.color.value()).white, 255);
}

TEST(Restored, LampThatWasOffKeepsItsSettings) {
  const auto off = light("off", R"({"brightness":null,"color_mode":null})");
  EXPECT_FALSE(off.on);
  EXPECT_EQ(off.brightness, 10);
}

TEST(Restored, InvalidAttributesAreIgnored) {
  const auto odd = light("on", R"({"brightness":900,"color_mode":"rgb","rgb_color":[1,2],"effect":7})");
  EXPECT_EQ(odd.brightness, 10);
  EXPECT_FALSE(odd.color);
  EXPECT_EQ(odd.effect, "");
}

TEST(Restored, ThermostatKeepsModeTargetAndRoom) {
  const auto room =
      restored(ClimateState{.temperature = 21.0, .preset = "none"},
               *state("climate.x", "heat",
                      R"({"hvac_action":"idle","current_temperature":19.5,"temperature":18.0,"preset_mode":"eco",
                          "hvac_modes":["off","heat"]})"));
  EXPECT_EQ(room.mode, HvacMode::heat);
  EXPECT_EQ(room.action, HvacAction::idle);
  EXPECT_EQ(room.current_temperature, 19.5);
  EXPECT_EQ(room.temperature, 18.0);
  EXPECT_EQ(room.preset, "eco");
}

TEST(Restored, ThermostatIsInNoModeThatItLacks) {
  const auto mode = [](std::string_view value) {
    return restored(ClimateState{.mode = HvacMode::cool},
                    *state("climate.x", value, R"({"hvac_modes":["off","frost guard"]})"))
        .mode;
  };
  EXPECT_EQ(mode("frost guard"), "frost guard");
  EXPECT_EQ(mode("heat"), HvacMode::cool);
  EXPECT_EQ(mode("unavailable"), HvacMode::cool);
}

}  // namespace
}  // namespace hearth::domains
