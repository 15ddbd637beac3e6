// SPDX-License-Identifier: Apache-2.0
#include "domains/climate/climate.h"

#include <limits>

#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// Obeys at once.
class Thermostat final : public ClimateDevice {
 public:
  void set(const ClimateCommand& command) override { climate->report(apply(*climate->state(), command)); }

  Climate* climate = nullptr;
};

const ClimateCapabilities kRadiator{.temperature_step = 0.5, .presets = {"none", "eco"}};
const ClimateCapabilities kConditioner{.modes = {HvacMode::off, HvacMode::heat_cool, HvacMode::cool},
                                       .min_temperature = 16,
                                       .max_temperature = 30,
                                       .temperature_step = 0.1,
                                       .target_range = true,
                                       .fan_modes = {"auto", "high"},
                                       .swing_modes = {"off", "vertical"},
                                       .swing_horizontal_modes = {"off", "on"},
                                       .target_humidity = true};

class ClimateServices : public testing::Test {
 protected:
  ClimateServices() {
    radiator.climate = &home.add(std::make_unique<Climate>(test_entity("radiator"), kRadiator, radiator));
    conditioner.climate = &home.add(std::make_unique<Climate>(test_entity("conditioner"), kConditioner, conditioner));
    radiator.climate->report({.mode = HvacMode::heat,
                              .action = HvacAction::idle,
                              .current_temperature = 20.2,
                              .temperature = 20.0,
                              .preset = "none"});
    conditioner.climate->report({.mode = HvacMode::off, .temperature = 24.0});
    home.hub.bus.run_pending();
  }

  std::string set(std::string_view entity, std::string_view fields) {
    return home.call("climate.set_temperature",
                     "{\"entity_id\": \"climate." + std::string(entity) + "\", " + std::string(fields) + "}");
  }

  Thermostat radiator, conditioner;
  TestHome home;
};

TEST_F(ClimateServices, SetTheTargetOnTheNearestStep) {
  EXPECT_EQ(set("radiator", R"("temperature": 21.3)"), "climate.radiator heat");
  EXPECT_EQ(home.attribute("climate.radiator", "temperature"), "21.5");
  set("radiator", R"("temperature": "19")");
  EXPECT_EQ(home.attribute("climate.radiator", "temperature"), "19.0");
  set("conditioner", R"("temperature": 21.14)");
  EXPECT_EQ(home.attribute("climate.conditioner", "temperature"), "21.1");
}

TEST_F(ClimateServices, SetTargetAndModeTogether) {
  EXPECT_EQ(set("conditioner", R"("temperature": 22, "hvac_mode": "cool")"), "climate.conditioner cool");
  EXPECT_EQ(set("conditioner", R"("target_temp_low": 20, "target_temp_high": 24, "hvac_mode": "heat_cool")"),
            "climate.conditioner heat_cool");
  EXPECT_EQ(home.attribute("climate.conditioner", "target_temp_low"), "20.0");
  EXPECT_EQ(home.attribute("climate.conditioner", "target_temp_high"), "24.0");
}

TEST_F(ClimateServices, RefuseImpossibleTemperatures) {
  EXPECT_EQ(set("radiator", R"("temperature": 36)"), "invalid: temperature: climate.radiator takes 7 to 35, got 36");
  EXPECT_EQ(set("radiator", R"("temperature": 6.9)"), "invalid: temperature: climate.radiator takes 7 to 35, got 6.9");
  EXPECT_EQ(set("radiator", R"("hvac_mode": "heat")"),
            "invalid: temperature: expected either temperature, or target_temp_low and target_temp_high");
  EXPECT_EQ(set("conditioner", R"("target_temp_low": 20)"),
            "invalid: temperature: expected either temperature, or target_temp_low and target_temp_high");
  EXPECT_EQ(set("conditioner", R"("target_temp_low": 25, "target_temp_high": 24)"),
            "invalid: target_temp_low: expected at most target_temp_high");
  EXPECT_EQ(set("radiator", R"("target_temp_low": 20, "target_temp_high": 24)"),
            "invalid: climate.radiator cannot hold a temperature between two.");
  EXPECT_EQ(set("radiator", R"("temperature": 20, "hvac_mode": "cool")"),
            "invalid: climate.radiator cannot run in the hvac_mode cool; it has off, heat.");
  EXPECT_EQ(home.call("climate.set_temperature", R"({"entity_id": "all", "temperature": 12})"),
            "invalid: temperature: climate.conditioner takes 16 to 30, got 12");
  EXPECT_EQ(home.attribute("climate.radiator", "temperature"), "20.0");
}

TEST_F(ClimateServices, TurnOnInTheLastMode) {
  EXPECT_EQ(home.call("climate.turn_on", R"({"entity_id": "climate.conditioner"})"), "climate.conditioner heat_cool");
  home.call("climate.set_hvac_mode", R"({"entity_id": "climate.conditioner", "hvac_mode": "cool"})");
  EXPECT_EQ(home.call("climate.turn_off", R"({"entity_id": "climate.conditioner"})"), "climate.conditioner off");
  EXPECT_EQ(home.call("climate.turn_on", R"({"entity_id": "climate.conditioner"})"), "climate.conditioner cool");
  EXPECT_EQ(home.call("climate.toggle", R"({"entity_id": "climate.conditioner"})"), "climate.conditioner off");
}

TEST_F(ClimateServices, ChooseAmongTheDevicesModes) {
  EXPECT_EQ(home.call("climate.set_preset_mode", R"({"entity_id": "climate.radiator", "preset_mode": "eco"})"),
            "climate.radiator heat");
  EXPECT_EQ(home.attribute("climate.radiator", "preset_mode"), "\"eco\"");
  EXPECT_EQ(home.call("climate.set_preset_mode", R"({"entity_id": "climate.radiator", "preset_mode": "away"})"),
            R"(invalid: climate.radiator cannot change its preset to "away"; it has none, eco.)");
  EXPECT_EQ(home.call("climate.set_fan_mode", R"({"entity_id": "climate.radiator", "fan_mode": "high"})"),
            "invalid: climate.radiator cannot change its fan mode.");
  home.call("climate.set_fan_mode", R"({"entity_id": "climate.conditioner", "fan_mode": "high"})");
  EXPECT_EQ(home.attribute("climate.conditioner", "fan_mode"), "\"high\"");
  home.call("climate.set_swing_mode", R"({"entity_id": "climate.conditioner", "swing_mode": "vertical"})");
  EXPECT_EQ(home.attribute("climate.conditioner", "swing_mode"), "\"vertical\"");
  home.call("climate.set_swing_horizontal_mode",
            R"({"entity_id": "climate.conditioner", "swing_horizontal_mode": "on"})");
  EXPECT_EQ(home.attribute("climate.conditioner", "swing_horizontal_mode"), "\"on\"");
}

TEST_F(ClimateServices, SetTheHumidity) {
  home.call("climate.set_humidity", R"({"entity_id": "climate.conditioner", "humidity": 55})");
  EXPECT_EQ(home.attribute("climate.conditioner", "humidity"), "55");
  EXPECT_EQ(home.call("climate.set_humidity", R"({"entity_id": "climate.conditioner", "humidity": 20})"),
            "invalid: humidity: climate.conditioner takes 30 to 99, got 20");
  EXPECT_EQ(home.call("climate.set_humidity", R"({"entity_id": "climate.radiator", "humidity": 50})"),
            "invalid: climate.radiator cannot hold a humidity.");
}

TEST_F(ClimateServices, ShowWhatTheDeviceCanAndDoes) {
  EXPECT_EQ(home.hub.states.find("climate.radiator")->attributes_json(),
            R"({"hvac_modes":["off","heat"],"min_temp":7.0,"max_temp":35.0,"target_temp_step":0.5,)"
            R"("preset_modes":["none","eco"],"supported_features":401,"current_temperature":20.2,"temperature":20.0,)"
            R"("hvac_action":"idle","preset_mode":"none","friendly_name":"radiator"})");
}

TEST_F(ClimateServices, ShowNothingForNanAndInfinity) {
  const double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  radiator.climate->report({.mode = HvacMode::heat, .current_temperature = none, .temperature = endless});
  EXPECT_EQ(home.attribute("climate.radiator", "current_temperature"), "null");
  EXPECT_EQ(home.attribute("climate.radiator", "temperature"), "null");

  Thermostat broken;
  broken.climate = &home.add(std::make_unique<Climate>(
      test_entity("broken"), ClimateCapabilities{.min_temperature = none, .max_temperature = endless}, broken));
  broken.climate->report({.mode = HvacMode::heat, .temperature = 20});
  EXPECT_TRUE(set("broken", R"("temperature": 21)").starts_with("invalid: ")) << set("broken", R"("temperature": 21)");
  EXPECT_EQ(home.attribute("climate.broken", "temperature"), "20.0");

  Thermostat stepless;
  stepless.climate = &home.add(
      std::make_unique<Climate>(test_entity("stepless"), ClimateCapabilities{.temperature_step = none}, stepless));
  stepless.climate->report({.mode = HvacMode::heat, .temperature = 20});
  set("stepless", R"("temperature": 21.25)");
  EXPECT_EQ(home.attribute("climate.stepless", "temperature"), "21.25");
}

}  // namespace
}  // namespace hearth::domains
