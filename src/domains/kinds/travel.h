// SPDX-License-Identifier: Apache-2.0
// Shared by covers and valves, whose movements take a while. Bus thread only.
#pragma once

#include "domains/entities/thing.h"

namespace hearth::domains {

constexpr Arrival kTravelArrivals[] = {{"opening", "open"}, {"closing", "closed"}};

// toggle: a moving one stops if it can, otherwise reverses; a closed one opens, any other closes.
struct Travel {
  std::string_view open, close, stop;  // services

  std::string_view toggled(const Thing& thing) const {
    const std::string_view value = thing.reported();
    const bool moves = value == "opening" || value == "closing";
    if (moves && !thing.lacks("stop")) return stop;
    return value == "closed" || value == "closing" ? open : close;
  }
};

}  // namespace hearth::domains
