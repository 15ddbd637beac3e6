// SPDX-License-Identifier: Apache-2.0
#include "energy/meters.h"

#include <gtest/gtest.h>

#include "energy/units.h"

namespace hearth::energy {
namespace {

std::string meters_in(std::string_view preferences) {
  std::string text;
  const json::value parsed = base::parse_json(preferences).value();
  for (const Meter& meter : meters_of(parsed.get_object()).meters) {
    text += std::string(name_of(meter.role)) + ' ' + meter.statistic_id;
    if (meter.price.number) text += " at " + std::to_string(*meter.price.number).substr(0, 4);
    if (!meter.price.entity.empty()) text += " as " + meter.price.entity;
    if (!meter.price.statistic.empty()) text += " paid " + meter.price.statistic;
    text += '\n';
  }
  return text;
}

TEST(EnergyMeters, BothFormsOfAGridAreRead) {
  EXPECT_EQ("grid_in sensor.day at 0.32\ngrid_in sensor.night paid sensor.bill\ngrid_out sensor.back as sensor.price\n",
            meters_in(R"({"energy_sources": [{"type": "grid",
      "flow_from": [{"stat_energy_from": "sensor.day", "number_energy_price": 0.32, "entity_energy_price": null},
                    {"stat_energy_from": "sensor.night", "stat_cost": "sensor.bill"}],
      "flow_to": [{"stat_energy_to": "sensor.back", "entity_energy_price": "sensor.price"}]}]})"));
  EXPECT_EQ("grid_in sensor.day at 0.32\ngrid_out sensor.back at 0.08\n",
            meters_in(R"({"energy_sources": [{"type": "grid", "stat_energy_from": "sensor.day", "stat_energy_to":
      "sensor.back", "number_energy_price": 0.32, "number_energy_price_export": 0.08}]})"));
}

TEST(EnergyMeters, ABatteryIsTwoMeters) {
  EXPECT_EQ("battery_out sensor.out\nbattery_in sensor.in\nsun sensor.roof\n",
            meters_in(R"({"energy_sources": [{"type": "battery", "stat_energy_from": "sensor.out",
      "stat_energy_to": "sensor.in"}, {"type": "solar", "stat_energy_from": "sensor.roof"}]})"));
}

TEST(EnergyMeters, WhatCannotBeUnderstoodIsLeftOut) {
  EXPECT_EQ("gas sensor.gas\n",
            meters_in(R"({"energy_sources": [{"type": "wind", "stat_energy_from": "sensor.mill"}, {"type": 4}, 7,
      {"type": "grid", "flow_from": [3, {}], "flow_to": "no"}, {"type": "solar", "stat_energy_from": 1},
      {"type": "gas", "stat_energy_from": "sensor.gas"}, {"type": "gas", "stat_energy_from": "sensor.gas"}]})"));
  EXPECT_EQ("", meters_in(R"({"energy_sources": 3, "device_consumption": {}})"));
}

TEST(EnergyUnits, PricesAreOfTheUnitThatIsShown) {
  EXPECT_DOUBLE_EQ(1, price_factor(Role::grid_in, "Wh", ""));
  EXPECT_DOUBLE_EQ(0.001, price_factor(Role::grid_in, "kWh", "EUR/MWh"));
  EXPECT_DOUBLE_EQ(0.01, price_factor(Role::grid_in, "kWh", "ct/kWh"));
  EXPECT_DOUBLE_EQ(1, price_factor(Role::grid_in, "kWh", "EUR"));
  EXPECT_DOUBLE_EQ(1'000, price_factor(Role::water, "L", "EUR/L"));
  EXPECT_DOUBLE_EQ(1, price_factor(Role::water, "L", ""));
  EXPECT_NEAR(1 / 0.028316846592, price_factor(Role::gas, "ft³", ""), 1e-6);
  EXPECT_DOUBLE_EQ(1, price_factor(Role::gas, "kWh", "EUR/kWh"));
}

TEST(EnergyUnits, GasIsCountedByVolumeOrEnergy) {
  EXPECT_EQ("m³", shown_unit(Role::gas, "L")->unit);
  EXPECT_DOUBLE_EQ(0.001, shown_unit(Role::gas, "L")->factor);
  EXPECT_EQ("kWh", shown_unit(Role::gas, "MWh")->unit);
  EXPECT_FALSE(shown_unit(Role::grid_in, "W"));
  EXPECT_FALSE(shown_unit(Role::water, "kWh"));
}

}  // namespace
}  // namespace hearth::energy
