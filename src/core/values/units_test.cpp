// SPDX-License-Identifier: Apache-2.0
#include "core/values/units.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hearth::core {
namespace {

TEST(Units, ConvertsWithinAQuantity) {
  EXPECT_NEAR(*convert_unit(21.5, "°C", "°F"), 70.7, 1e-9);
  EXPECT_NEAR(*convert_unit(32, "°F", "K"), 273.15, 1e-9);
  EXPECT_NEAR(*convert_unit(1, "kWh", "MJ"), 3.6, 1e-9);
  EXPECT_NEAR(*convert_unit(100, "km/h", "mph"), 62.137119, 1e-6);
  EXPECT_NEAR(*convert_unit(1013.25, "hPa", "inHg"), 29.9212, 1e-3);
  EXPECT_NEAR(*convert_unit(1, "mi", "km"), 1.609344, 1e-9);
  EXPECT_NEAR(*convert_unit(1, "GiB", "MB"), 1073.741824, 1e-6);
  EXPECT_EQ(convert_unit(1, "W", "Wh"), std::nullopt);
  EXPECT_EQ(convert_unit(1, "lux", "lux"), std::nullopt);
}

TEST(Units, ThereAndBackIsTheSame) {
  for (const char* unit : {"°C", "W", "Wh", "m", "m/s", "Pa", "kg", "L", "L/min", "s", "B", "B/s", "mm/d", "A", "V"}) {
    EXPECT_GT(units_like(unit).size(), 1u) << unit;
    for (const auto other : units_like(unit))
      EXPECT_NEAR(*convert_unit(*convert_unit(17, unit, other), other, unit), 17, 1e-6) << unit << other;
  }
  EXPECT_TRUE(units_like("bananas").empty());
}

TEST(Units, KeepsTheDecimalsThatTheTextHas) {
  EXPECT_EQ(convert_unit_of("21.5", "°C", "°F"), "70.7");
  EXPECT_EQ(convert_unit_of("20", "°C", "°F"), "68");
  EXPECT_EQ(convert_unit_of("1234", "W", "kW"), "1.234");
  EXPECT_EQ(convert_unit_of("1.5", "kW", "W"), "1500.0");
  EXPECT_EQ(convert_unit_of("-0.0", "°C", "°F"), "32.0");
  EXPECT_EQ(convert_unit_of("unavailable", "°C", "°F"), std::nullopt);
  EXPECT_EQ(convert_unit_of("21.5 ", "°C", "°F"), std::nullopt);
  EXPECT_EQ(convert_unit_of("nan", "°C", "°F"), std::nullopt);
  EXPECT_EQ(convert_unit_of("1", "°C", "W"), std::nullopt);
}

}  // namespace
}  // namespace hearth::core
