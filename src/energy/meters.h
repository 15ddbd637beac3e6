// SPDX-License-Identifier: Apache-2.0
// The meters of a home, as its preferences of energy name them: both forms of a grid, the one with flows and the flat
// one. What cannot be understood is left out.
//
// Values only; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace hearth::energy {

enum class Role { grid_in, grid_out, sun, battery_out, battery_in, gas, water };

// grid_in …
std::string_view name_of(Role role);
// Gas may be counted in kWh, too, but is no electricity.
bool is_electricity(Role role);

// One of them counts: the statistic, which has the money itself, before the entity, before the number.
struct Price {
  std::optional<double> number;  // of a kWh, of a m³ of water, of a unit of the gas meter
  std::string entity;
  std::string statistic;

  bool none() const { return !number && entity.empty() && statistic.empty(); }
};

struct Meter {
  Role role;
  std::string statistic_id;
  Price price;
  std::size_t source = 0;  // its place in energy_sources
};

struct Device {
  std::string statistic_id;
  std::string name;         // empty: its own
  std::string included_in;  // the statistic of another device that measures this one, too; or empty
  bool water = false;
};

struct Meters {
  std::vector<Meter> meters;
  std::vector<Device> devices;
};

Meters meters_of(const json::object& preferences);

}  // namespace hearth::energy
