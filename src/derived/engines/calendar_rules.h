// SPDX-License-Identifier: Apache-2.0
// Days and instants of a year that follow from the sun and the moon. Any thread.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace hearth::derived {

enum class Quarter { march, june, september, december };

// The equinox or solstice, within a minute for the years 1950 to 2100: Jean Meeus, Astronomical Algorithms, chapter 27.
base::Timestamp quarter_of(int year, Quarter quarter);

// Days since 1970-01-01 of Easter Sunday in the Gregorian calendar: Meeus, chapter 8.
std::int64_t easter_of(int year);

}  // namespace hearth::derived
