// SPDX-License-Identifier: Apache-2.0
// The numbers of a statistic, each with its time, and the characteristics computed from them. Values; any thread.
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace hearth::derived {

struct Sample {
  base::Timestamp at;
  double value;  // of something that is on or off: 1 or 0
};
using Samples = std::deque<Sample>;

struct Characteristic {
  std::string_view name;
  // Null if there are too few samples. A time is in seconds since 1970.
  std::optional<double> (*of)(const Samples& samples, int percentile);
  bool numbers = true, binary = false;  // of which sources
  enum class Unit { source, none, squared, per_sample, per_second, time } unit = Unit::source;
};

// Null if there is none of that name.
const Characteristic* find_characteristic(std::string_view name);
std::vector<std::string_view> characteristic_names();

}  // namespace hearth::derived
