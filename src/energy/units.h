// SPDX-License-Identifier: Apache-2.0
// Units of meters and of their prices. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "energy/meters.h"

namespace hearth::energy {

struct Shown {
  std::string unit;  // kWh or m³
  double factor;     // of the meter's unit, in this one
};

// Null if such a meter does not count in that unit. An empty unit is taken for the usual one.
std::optional<Shown> shown_unit(Role role, const std::string& unit);
std::optional<Shown> shown_unit_of_device(const Device& device, const std::string& unit);

// A price's number times this is the price of one shown unit, in the home's currency. `price_unit`, as in EUR/MWh or
// ct/kWh, is that of the entity; empty for a number of the preferences, and taken for such if it is of no known unit.
double price_factor(Role role, const std::string& meter_unit, std::string_view price_unit);

// True if it is one of money by a unit that such a meter can count.
bool is_price_unit(Role role, std::string_view price_unit);

}  // namespace hearth::energy
