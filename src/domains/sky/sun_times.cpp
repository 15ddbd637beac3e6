// SPDX-License-Identifier: Apache-2.0
#include "domains/sky/sun_times.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hearth::domains {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kMinutesADay = 1'440;
// Of the sun's upper edge at the horizon, with the air's refraction; and of its centre at dawn.
constexpr double kZenith = 90.833, kDawnZenith = 96;
constexpr auto kEpoch = std::chrono::sys_days(std::chrono::year(2000) / 1 / 1);
constexpr double kPolarRadius = 6'356'900;  // metres

double sine(double degrees) {
  return std::sin(degrees * kDegree);
}
double cosine(double degrees) {
  return std::cos(degrees * kDegree);
}

struct Sun {
  double declination;       // degrees
  double equation_of_time;  // minutes
};

Sun sun_at(double days_since_2000) {
  const double t = days_since_2000 / 36'525;
  const double longitude = std::fmod(280.46646 + t * (36'000.76983 + t * 0.0003032), 360);
  const double anomaly = 357.52911 + t * (35'999.05029 - 0.0001537 * t);
  const double eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t);
  const double centre = sine(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) +
                        sine(2 * anomaly) * (0.019993 - 0.000101 * t) + sine(3 * anomaly) * 0.000289;
  const double node = 125.04 - 1'934.136 * t;
  const double apparent = longitude + centre - 0.00569 - 0.00478 * sine(node);
  const double mean_obliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60;
  const double obliquity = mean_obliquity + 0.00256 * cosine(node);
  const double y = std::pow(std::tan(obliquity / 2 * kDegree), 2);
  const double e = eccentricity;
  const double equation = y * sine(2 * longitude) - 2 * e * sine(anomaly) +
                          4 * e * y * sine(anomaly) * cosine(2 * longitude) - 0.5 * y * y * sine(4 * longitude) -
                          1.25 * e * e * sine(2 * anomaly);
  return {std::asin(sine(obliquity) * sine(apparent)) / kDegree, 4 * equation / kDegree};
}

// Minutes since 0 h UTC of the day, which is counted since noon of 2000-01-01; null if there is none.
std::optional<double> minutes_of(SunEvent event, double day, const Place& place) {
  const double dip = std::acos(kPolarRadius / (kPolarRadius + std::max(0.0, place.elevation))) / 2 / kDegree;
  double minutes = kMinutesADay / 2 - 4 * place.longitude;
  // The sun moves while it goes from noon to the horizon.
  for (int round = 0; round < 3; ++round) {
    const Sun sun = sun_at(day - 0.5 + minutes / kMinutesADay);
    const double noon = kMinutesADay / 2 - 4 * place.longitude - sun.equation_of_time;
    if (event == SunEvent::noon || event == SunEvent::midnight) {
      minutes = event == SunEvent::noon ? noon : noon - kMinutesADay / 2;
      continue;
    }
    const bool is_dawn = event == SunEvent::dawn || event == SunEvent::dusk;
    const double angle =
        (cosine((is_dawn ? kDawnZenith : kZenith) + dip) - sine(place.latitude) * sine(sun.declination)) /
        (cosine(place.latitude) * cosine(sun.declination));
    if (!(std::abs(angle) <= 1)) return {};
    const double half_day = std::acos(angle) / kDegree * 4;
    const bool is_morning = event == SunEvent::rise || event == SunEvent::dawn;
    minutes = is_morning ? noon - half_day : noon + half_day;
  }
  return minutes;
}

// How much higher the air shows the sun, in degrees (NOAA).
double refraction(double elevation) {
  if (elevation > 85) return 0;
  const double tangent = std::tan(elevation * kDegree);
  double seconds = 0;
  if (elevation > 5)
    seconds = 58.1 / tangent - 0.07 / std::pow(tangent, 3) + 0.000086 / std::pow(tangent, 5);
  else if (elevation > -0.575)
    seconds = 1'735 + elevation * (-518.2 + elevation * (103.4 + elevation * (-12.79 + elevation * 0.711)));
  else
    seconds = -20.772 / tangent;
  return seconds / 3'600;
}

}  // namespace

std::optional<base::Timestamp> next_sun_event(SunEvent event, base::Timestamp after, const Place& place) {
  const auto first = std::chrono::floor<std::chrono::days>(after) - std::chrono::days(2);
  for (int i = 0; i < 370; ++i) {
    const auto day = first + std::chrono::days(i);
    const auto minutes = minutes_of(event, static_cast<double>((day - kEpoch).count()), place);
    if (!minutes) continue;
    const base::Timestamp time =
        day + std::chrono::duration_cast<base::Duration>(std::chrono::duration<double, std::ratio<60>>(*minutes));
    if (time > after) return time;
  }
  return {};
}

SunPosition sun_position(base::Timestamp time, const Place& place) {
  const double days = std::chrono::duration<double, std::ratio<86'400>>(time - kEpoch).count();
  const Sun sun = sun_at(days - 0.5);
  const double minutes = (days - std::floor(days)) * kMinutesADay;
  const double angle = (minutes + sun.equation_of_time + 4 * place.longitude) / 4 - 180;
  const double up =
      sine(place.latitude) * sine(sun.declination) + cosine(place.latitude) * cosine(sun.declination) * cosine(angle);
  const double east = -cosine(sun.declination) * sine(angle);
  const double north =
      cosine(place.latitude) * sine(sun.declination) - sine(place.latitude) * cosine(sun.declination) * cosine(angle);
  const double elevation = std::asin(std::clamp(up, -1.0, 1.0)) / kDegree;
  const double azimuth = std::atan2(east, north) / kDegree;
  return {elevation + refraction(elevation), azimuth < 0 ? azimuth + 360 : azimuth};
}

}  // namespace hearth::domains
