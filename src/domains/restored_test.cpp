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

TEST(Restored, LampShinesAsItShowed) {
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

TEST(Restored, LampThatWasOffKeepsWhatItWouldShineLike) {
  const auto off = light("off", R"({"brightness":null,"color_mode":null})");
  EXPECT_FALSE(off.on);
  EXPECT_EQ(off.brightness, 10);
}

TEST(Restored, OddAttributesTellNothing) {
  const auto odd = light("on", R"({"brightness":900,"color_mode":"rgb","rgb_color":[1,2],"effect":7})");
  EXPECT_EQ(odd.brightness, 10);
  EXPECT_FALSE(odd.color);
  EXPECT_EQ(odd.effect, "");
  EXPECT_FALSE(restored(true, *state("switch.x", "off")));
  EXPECT_TRUE(restored(true, *state("switch.x", "perhaps")));
}

TEST(Restored, CoverStandsWhereItWas) {
  const auto way = restored(CoverState{.position = 100}, *state("cover.x", "closing", R"({"current_position":40})"));
  EXPECT_EQ(way.position, 40);
  EXPECT_EQ(way.motion, CoverState::Motion::still);
  EXPECT_EQ(restored(CoverState{.position = 100}, *state("cover.x", "closed")).position, 0);
  EXPECT_EQ(restored({.tilt_position = 1}, *state("cover.x", "open", R"({"current_tilt_position":55})")).tilt_position,
            55);
}

TEST(Restored, FanTurnsAsItDid) {
  const auto fan = restored(
      FanState{.percentage = 33},
      *state("fan.x", "on", R"({"percentage":66,"preset_mode":"sleep","oscillating":true,"direction":"reverse"})"));
  EXPECT_TRUE(fan.on);
  EXPECT_EQ(fan.percentage, 66);
  EXPECT_EQ(fan.preset, "sleep");
  EXPECT_TRUE(fan.oscillating);
  EXPECT_EQ(fan.direction, FanDirection::reverse);
  EXPECT_EQ(restored(FanState{.percentage = 33}, *state("fan.x", "off", R"({"percentage":0})")).percentage, 33);
}

TEST(Restored, SensorShowsWhatItMeasured) {
  EXPECT_EQ(restored(1.0, *state("sensor.x", "21.5")), 21.5);
  EXPECT_EQ(restored(1.0, *state("sensor.x", "21.5 °C")), 1.0);
  EXPECT_EQ(restored(1.0, *state("sensor.x", "inf")), 1.0);
}

TEST(Restored, LockHasFinishedItsTurn) {
  EXPECT_EQ(restored(LockState::locked, *state("lock.x", "unlocking")), LockState::unlocked);
  EXPECT_EQ(restored(LockState::unlocked, *state("lock.x", "locked")), LockState::locked);
  EXPECT_EQ(restored(LockState::locked, *state("lock.x", "opening")), LockState::open);
  EXPECT_EQ(restored(LockState::locked, *state("lock.x", "who knows")), LockState::locked);
}

TEST(Restored, ThermostatKeepsModeTargetAndRoom) {
  const auto room =
      restored(ClimateState{.temperature = 21.0, .preset = "none"},
               *state("climate.x", "heat",
                      R"({"hvac_action":"idle","current_temperature":19.5,"temperature":18.0,"preset_mode":"eco"})"));
  EXPECT_EQ(room.mode, HvacMode::heat);
  EXPECT_EQ(room.action, HvacAction::idle);
  EXPECT_EQ(room.current_temperature, 19.5);
  EXPECT_EQ(room.temperature, 18.0);
  EXPECT_EQ(room.preset, "eco");
}

}  // namespace
}  // namespace hearth::domains
