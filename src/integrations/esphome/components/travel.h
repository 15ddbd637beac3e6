// SPDX-License-Identifier: Apache-2.0
// The common part of covers and valves. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace hearth::integrations::esphome {

// The value of one that moves (1 opens, 2 closes) or rests at a position from 0 to 1.
constexpr std::string_view travel_value(std::uint32_t operation, float position) {
  if (operation == 1) return "opening";
  if (operation == 2) return "closing";
  return position > 0 ? "open" : "closed";
}

}  // namespace hearth::integrations::esphome
