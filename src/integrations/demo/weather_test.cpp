// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/weather.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/text/timestamp.h"

namespace hearth::integrations::demo {
namespace {

TEST(LocalTime, FollowsTheZoneAndItsSummerTime) {
  const auto hour = [](const char* time, const char* zone) {
    return to_local(base::parse_timestamp(time).value(), zone).hour;
  };
  EXPECT_DOUBLE_EQ(hour("2026-01-15T11:30:00Z", "Europe/Berlin"), 12.5);
  EXPECT_DOUBLE_EQ(hour("2026-07-15T11:30:00Z", "Europe/Berlin"), 13.5);
  EXPECT_DOUBLE_EQ(hour("2026-07-15T11:30:00Z", "America/New_York"), 7.5);
  EXPECT_DOUBLE_EQ(hour("2026-07-15T11:30:00Z", "UTC"), 11.5);
  EXPECT_DOUBLE_EQ(hour("2026-07-15T11:30:00Z", "Nowhere/Land"), 11.5);
}

TEST(LocalTime, CountsTheDaysOfTheLocalYear) {
  EXPECT_EQ(to_local(base::parse_timestamp("2026-12-31T23:30:00Z").value(), "UTC").day, 364);
  EXPECT_EQ(to_local(base::parse_timestamp("2026-12-31T23:30:00Z").value(), "Europe/Berlin").day, 0);
}

TEST(Noise, DependsOnSeedChannelAndSlotOnly) {
  const Noise noise(7);
  EXPECT_EQ(noise.in_slot(1, 5), Noise(7).in_slot(1, 5));
  EXPECT_NE(noise.in_slot(1, 5), noise.in_slot(1, 6));
  EXPECT_NE(noise.in_slot(1, 5), noise.in_slot(2, 5));
  EXPECT_NE(noise.in_slot(1, 5), Noise(8).in_slot(1, 5));
  double sum = 0;
  for (int slot = 0; slot < 1'000; ++slot) {
    const double value = noise.in_slot(3, slot);
    ASSERT_TRUE(value >= 0 && value < 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 1'000, 0.5, 0.05);
}

TEST(Noise, MovesSmoothly) {
  const Noise noise(7);
  for (double hours = 0; hours < 100; hours += 0.01) {
    EXPECT_LT(std::fabs(noise.smooth(1, hours + 0.01, 2) - noise.smooth(1, hours, 2)), 0.02);
    EXPECT_LE(std::fabs(noise.smooth(1, hours, 2)), 1);
  }
}

TEST(Weather, HasDaysNightsAndSeasons) {
  const Noise noise(7);
  const auto mean = [&](int day, double hour, double latitude) {
    double sum = 0;
    for (int year = 0; year < 50; ++year)
      sum += weather_at({year * 8766.0 + hour, hour, day}, noise, latitude).temperature;
    return sum / 50;
  };
  EXPECT_GT(mean(196, 15, 50), mean(196, 4, 50) + 5);
  EXPECT_GT(mean(196, 15, 50), mean(14, 15, 50) + 12);
  EXPECT_GT(mean(14, 15, -35), mean(196, 15, -35) + 12);
  EXPECT_LT(weather_at({0, 1, 14}, noise, 50).illuminance, 1);
  EXPECT_GT(weather_at({0, 12.5, 196}, noise, 50).illuminance, 10'000);
}

}  // namespace
}  // namespace hearth::integrations::demo
