// SPDX-License-Identifier: Apache-2.0
// Converts between a device's range of numbers and percent. Any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hearth::integrations::mqtt {

// Either end may be the greater one.
struct Scale {
  double at_0, at_100;  // the device's numbers

  // Whole percents, within 0 to 100. REQUIRES: the ends differ.
  std::int64_t percent(double number) const {
    return std::clamp<std::int64_t>(std::lround((number - at_0) * 100 / (at_100 - at_0)), 0, 100);
  }
  // A whole number.
  double number(double percent) const { return std::round(at_0 + percent * (at_100 - at_0) / 100); }
};

}  // namespace hearth::integrations::mqtt
