// SPDX-License-Identifier: Apache-2.0
// Where the sun is, and when it rises and sets, by NOAA's solar equations (Jean Meeus, Astronomical Algorithms): within
// a minute for the years 1900 to 2100 and latitudes below the polar circles. Any thread.
#pragma once

#include <optional>

#include "base/clock.h"

namespace hearth::domains {

// Dawn and dusk are those of a person who reads outside: the sun is 6° below the horizon.
enum class SunEvent { rise, set, dawn, dusk, noon, midnight };

struct Place {
  double latitude = 0, longitude = 0;  // degrees, north and east positive
  double elevation = 0;                // metres: from above, the horizon is lower

  bool operator==(const Place&) const = default;
};

// The first one after that; null if there is none within a year, as at the poles.
std::optional<base::Timestamp> next_sun_event(SunEvent event, base::Timestamp after, const Place& place);

struct SunPosition {
  double elevation;  // degrees above the horizon, as the air shows it
  double azimuth;    // degrees from north, clockwise
};
SunPosition sun_position(base::Timestamp time, const Place& place);

}  // namespace hearth::domains
