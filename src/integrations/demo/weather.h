// SPDX-License-Identifier: Apache-2.0
// The weather and other daily changes as functions of time and seed: the same moment always has the same
// weather. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace hearth::integrations::demo {

struct LocalTime {
  double hours = 0;  // since 1970, in local time
  double hour = 0;   // of the day, 0–24
  int day = 0;       // of the year, 0–365
};

// The time of the zone, by its IANA name; UTC if there is no such zone.
LocalTime to_local(base::Timestamp time, const std::string& zone);

// Random numbers that depend only on seed, channel and time.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : seed_(seed) {}

  // From 0 to 1; a new one for each slot.
  double in_slot(std::uint64_t channel, std::int64_t slot) const;
  // From -1 to 1, moving smoothly from one value to the next in `period` hours.
  double smooth(std::uint64_t channel, double hours, double period) const;

 private:
  std::uint64_t seed_;
};

struct Weather {
  double temperature;   // °C
  double humidity;      // %
  double illuminance;   // lux
  double clouds;        // %
  double rain;          // mm per hour; snow if it freezes
  double wind;          // km/h
  double wind_bearing;  // degrees, 0 from the north
  double pressure;      // hPa
};

// The local time of the same zone `hours` later, or earlier if negative.
LocalTime later(const LocalTime& time, double hours);

Weather weather_at(const LocalTime& time, const Noise& noise, double latitude);

}  // namespace hearth::integrations::demo
