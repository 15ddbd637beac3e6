// SPDX-License-Identifier: Apache-2.0
// What covers and valves have in common: they are on their way for a while. Bus thread only.
#pragma once

#include "domains/thing.h"

namespace hearth::domains {

constexpr Arrival kTravelArrivals[] = {{"opening", "open"}, {"closing", "closed"}};

// toggle: what is on its way stops if it can, and otherwise turns back; what is closed opens, all else closes.
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
