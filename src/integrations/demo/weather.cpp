// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/weather.h"

#include <date/tz.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hearth::integrations::demo {
namespace {

enum Channel : std::uint64_t { kFronts = 1, kGusts, kClouds, kMist, kRain, kWind, kWindFrom, kPressure };

// 1 at its peak, -1 at the opposite point of the cycle.
double round_trip(double at, double peak, double length) {
  return std::cos(2 * std::numbers::pi * (at - peak) / length);
}

std::chrono::microseconds offset_of(base::Timestamp time, const std::string& zone) {
  try {
    return date::locate_zone(zone)->get_info(time).offset;
  } catch (const std::runtime_error&) {
    return std::chrono::microseconds(0);
  }
}

}  // namespace

LocalTime to_local(base::Timestamp time, const std::string& zone) {
  using namespace std::chrono;
  const base::Timestamp local = time + offset_of(time, zone);
  const sys_days day = floor<days>(local);
  const year_month_day date(day);
  using Hours = duration<double, hours::period>;
  return {Hours(local.time_since_epoch()).count(), Hours(local - day).count(),
          static_cast<int>((day - sys_days(date.year() / January / 1)).count())};
}

double Noise::in_slot(std::uint64_t channel, std::int64_t slot) const {
  // SplitMix64's finaliser (Steele, Lea, Flood 2014) over the three numbers.
  std::uint64_t x = seed_;
  for (const std::uint64_t part : {channel, static_cast<std::uint64_t>(slot)}) {
    x += part * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
  }
  return static_cast<double>(x >> 11) * 0x1p-53;
}

double Noise::smooth(std::uint64_t channel, double hours, double period) const {
  const double at = hours / period, slot = std::floor(at);
  const double way = (1 - std::cos(std::numbers::pi * (at - slot))) / 2;
  const double from = in_slot(channel, static_cast<std::int64_t>(slot));
  const double to = in_slot(channel, static_cast<std::int64_t>(slot) + 1);
  return 2 * (from + (to - from) * way) - 1;
}

LocalTime later(const LocalTime& time, double hours) {
  const double since_midnight = time.hour + hours, days = std::floor(since_midnight / 24);
  return {time.hours + hours, since_midnight - 24 * days, (time.day + static_cast<int>(days) + 366) % 366};
}

Weather weather_at(const LocalTime& time, const Noise& noise, double latitude) {
  // 1 in midsummer; the south has its summer in January.
  const double summer = round_trip(time.day, 196, 365.25) * (latitude < 0 ? -1 : 1);
  const double afternoon = round_trip(time.hour, 15, 24);
  const double temperature = 10 + 9 * summer + (3.5 + 1.5 * summer) * afternoon +
                             3 * noise.smooth(kFronts, time.hours, 9) + 0.3 * noise.smooth(kGusts, time.hours, 0.4);
  const double humidity = 70 - 14 * afternoon - 5 * summer + 10 * noise.smooth(kMist, time.hours, 5);
  const double clouds = (1 + noise.smooth(kClouds, time.hours, 1.5)) / 2;
  // The sine of the sun's height, negative at night.
  const double sun = 0.15 + 0.25 * summer + 0.6 * round_trip(time.hour, 12.5, 24);
  const double twilight = 8 * std::exp(std::min(sun, 0.0) * 40);
  const double illuminance = 90'000 * std::pow(std::max(sun, 0.0), 1.3) * (1 - 0.8 * clouds) + twilight;
  const double rain = std::max(0.0, 6 * (noise.smooth(kRain, time.hours, 7) - 0.45) * clouds);
  const double wind = 14 + 12 * noise.smooth(kWind, time.hours, 6);
  const double from = 180 * (1 + noise.smooth(kWindFrom, time.hours, 30));
  const double pressure = 1013 + 18 * noise.smooth(kPressure, time.hours, 40);
  return {temperature, std::clamp(humidity, 20.0, 100.0), illuminance, 100 * clouds, rain, wind, from, pressure};
}

}  // namespace hearth::integrations::demo
