// SPDX-License-Identifier: Apache-2.0
// generic_thermostat: when it turns its heater on and off, what it keeps, and what it does without its sensor.
#include "derived/test_derived.h"
#include "domains/entities/kinds.h"

namespace hearth::derived {
namespace {

using namespace std::chrono_literals;

// A switch that obeys at once, and notes what it was told.
class Heater final : public domains::ThingDevice {
 public:
  void act(const domains::Action& action, const json::object&) override {
    const bool on = action.service == "turn_on";
    told += on ? "on " : "off ";
    contexts.push_back(thing->command_context());
    thing->report({.value = on});
  }

  domains::Thing* thing = nullptr;
  std::string told;
  std::vector<core::Context> contexts;
};

class Heated {
 public:
  explicit Heated(std::string_view keys = "") : keys_(keys) {
    auto made = std::make_unique<domains::Thing>(domains::kSwitch, domains::test_entity("boiler"), domains::Abilities{},
                                                 &heater);
    heater.thing = made.get();
    made->report({.value = false});
    home.automations.home.add(std::move(made));
    measured("20");
  }
  void apply() {
    home.apply("climate", fmt::format(R"([{{"platform": "generic_thermostat", "name": "Room", "heater": "switch.boiler",
                                         "target_sensor": "sensor.room"{}}}])",
                                      keys_));
    EXPECT_EQ(home.errors(), "");
  }
  void measured(std::string_view value) { home.set("sensor.room", value, R"({"unit_of_measurement": "°C"})"); }
  std::string told() { return std::exchange(heater.told, ""); }
  std::string shown(std::string_view name) { return home.attribute("climate.room", name); }
  void mode(std::string_view mode) {
    home.call("climate.set_hvac_mode", fmt::format(R"({{"entity_id": "climate.room", "hvac_mode": "{}"}})", mode));
  }
  void target(double temperature) {
    home.call("climate.set_temperature",
              fmt::format(R"({{"entity_id": "climate.room", "temperature": {}}})", temperature));
  }

  Heater heater;
  TestDerived home;

 private:
  const std::string keys_;
};

TEST(ThermostatTest, HeatsFromBelowTheToleranceUntilAboveTheOther) {
  Heated room(R"(, "target_temp": 21, "cold_tolerance": 0.5, "hot_tolerance": 0.2, "initial_hvac_mode": "heat")");
  room.apply();
  EXPECT_EQ(room.told(), "on ");
  EXPECT_EQ(room.home.value("climate.room"), "heat");
  EXPECT_EQ(room.shown("hvac_action"), "\"heating\"");
  EXPECT_EQ(room.shown("current_temperature"), "20.0");
  room.measured("21.1");
  EXPECT_EQ(room.told(), "");
  room.measured("21.2");
  EXPECT_EQ(room.told(), "off ");
  EXPECT_EQ(room.shown("hvac_action"), "\"idle\"");
  room.measured("20.6");
  EXPECT_EQ(room.told(), "");
  room.measured("20.5");
  EXPECT_EQ(room.told(), "on ");
  // The call has the sensor's report as its cause.
  EXPECT_EQ(room.heater.contexts.back().parent_id,
            room.home.automations.home.hub.states.find("sensor.room")->context().id);
}

TEST(ThermostatTest, IsOffAtFirstAndObeysItsCommands) {
  Heated room;
  room.apply();
  EXPECT_EQ(room.home.value("climate.room"), "off");
  EXPECT_EQ(room.shown("temperature"), "7.0");
  room.target(25);
  EXPECT_EQ(room.told(), "");
  room.mode("heat");
  EXPECT_EQ(room.told(), "on ");
  EXPECT_EQ(room.heater.contexts.back().user_id, "user");
  room.mode("off");
  EXPECT_EQ(room.told(), "off ");
  EXPECT_EQ(room.shown("hvac_action"), "\"off\"");
  room.measured("1");
  EXPECT_EQ(room.told(), "");
}

TEST(ThermostatTest, CoolsInsteadInAcMode) {
  Heated room(R"(, "ac_mode": true, "target_temp": 18, "initial_hvac_mode": "cool")");
  room.apply();
  EXPECT_EQ(room.told(), "on ");
  EXPECT_EQ(room.shown("hvac_action"), "\"cooling\"");
  EXPECT_EQ(room.shown("hvac_modes"), R"(["cool","off"])");
  room.measured("17.7");
  EXPECT_EQ(room.told(), "off ");
}

constexpr std::string_view kHeats = R"(, "target_temp": 21, "initial_hvac_mode": "heat")";

TEST(ThermostatTest, TurnsTheHeaterOffWithoutItsSensor) {
  Heated room(kHeats);
  room.apply();
  EXPECT_EQ(room.told(), "on ");
  room.home.set("sensor.room", "unavailable");
  EXPECT_EQ(room.told(), "off ");
  EXPECT_EQ(room.shown("current_temperature"), "null");
  room.measured("19");
  EXPECT_EQ(room.told(), "on ");
}

TEST(ThermostatTest, TurnsTheHeaterOffIfTheSensorIsSilentForAQuarterOfAnHour) {
  Heated room(kHeats);
  room.apply();
  EXPECT_EQ(room.told(), "on ");
  room.home.advance(10min, 1min);
  // The same value again counts.
  room.measured("20");
  room.home.advance(14min, 1min);
  EXPECT_EQ(room.told(), "");
  room.home.advance(2min, 1min);
  EXPECT_EQ(room.told(), "off ");
  room.measured("20");
  EXPECT_EQ(room.told(), "on ");
}

TEST(ThermostatTest, LeavesTheHeaterAsItIsForACycle) {
  Heated room(fmt::format(R"({}, "min_cycle_duration": "00:05:00")", kHeats));
  room.apply();
  EXPECT_EQ(room.told(), "");
  room.home.advance(5min);
  EXPECT_EQ(room.told(), "on ");
  room.home.advance(4min);
  room.measured("25");
  EXPECT_EQ(room.told(), "");
  room.home.advance(1min);
  EXPECT_EQ(room.told(), "off ");
  // A person's word counts at once, and so does the end of the sensor.
  room.target(30);
  EXPECT_EQ(room.told(), "on ");
  room.home.set("sensor.room", "unavailable");
  EXPECT_EQ(room.told(), "off ");
}

TEST(ThermostatTest, SaysAgainWhatItSaidToKeepTheHeaterAlive) {
  Heated room(fmt::format(R"({}, "keep_alive": {{"minutes": 3}})", kHeats));
  room.apply();
  EXPECT_EQ(room.told().empty(), false);
  room.home.advance(7min);
  EXPECT_EQ(room.told(), "on on ");
}

TEST(ThermostatTest, HasPresetsAndComesBackFromThem) {
  Heated room(fmt::format(R"({}, "away_temp": 15, "eco_temp": 18)", kHeats));
  room.apply();
  EXPECT_EQ(room.told(), "on ");
  EXPECT_EQ(room.shown("preset_modes"), R"(["none","away","eco"])");
  const auto preset = [&](std::string_view name) {
    room.home.call("climate.set_preset_mode",
                   fmt::format(R"({{"entity_id": "climate.room", "preset_mode": "{}"}})", name));
  };
  room.target(23);
  preset("away");
  EXPECT_EQ(room.shown("temperature"), "15.0");
  EXPECT_EQ(room.told(), "off ");
  // Over a restart, too.
  room.home.sensors.stop();
  room.apply();
  EXPECT_EQ(room.shown("preset_mode"), "\"away\"");
  EXPECT_EQ(room.shown("temperature"), "15.0");
  preset("none");
  EXPECT_EQ(room.shown("temperature"), "23.0");
  preset("eco");
  room.target(20);
  EXPECT_EQ(room.shown("preset_mode"), "\"none\"");
}

TEST(ThermostatTest, IsAfterARestartAsItWas) {
  Heated room;
  room.apply();
  room.target(21.5);
  room.mode("heat");
  EXPECT_EQ(room.told(), "on ");
  room.home.sensors.stop();
  room.apply();
  EXPECT_EQ(room.home.value("climate.room"), "heat");
  EXPECT_EQ(room.shown("temperature"), "21.5");
  room.measured("22");
  EXPECT_EQ(room.told(), "off ");
}

TEST(ThermostatTest, SaysWhatIsWrong) {
  TestDerived home;
  home.apply("climate",
             R"([{"platform": "generic_thermostat", "heater": "switch.a", "target_temp": 50, "precision": 2}])");
  EXPECT_EQ(home.errors(),
            "f.yaml:1: target_sensor is missing\n"
            "f.yaml:1: target_temp: expected a number from 7 to 35, found \"50\"\n"
            "f.yaml:1: precision: expected one of 0.1, 0.5, 1, found \"2\"\n");
  EXPECT_EQ(home.value("climate.generic_thermostat"), "unavailable");
}

}  // namespace
}  // namespace hearth::derived
