// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "energy/report.h"

namespace hearth::energy {
namespace {

constexpr std::string_view kFlowNames[] = {"grid_to_home", "sun_to_home",     "battery_to_home", "sun_to_battery",
                                           "sun_to_grid",  "grid_to_battery", "battery_to_grid"};

// Moves as much as there is, from what one gives to what another takes.
double move(double& from, double& to, double most = 1e300) {
  const double moved = std::max(0.0, std::min({from, to, most}));
  from -= moved;
  to -= moved;
  return moved;
}

}  // namespace

std::string_view name_of(Flow flow) {
  return kFlowNames[static_cast<std::size_t>(flow)];
}

std::array<double, kFlows> flows_of(const Hour& hour) {
  double grid = std::max(0.0, hour.grid_in), to_grid = std::max(0.0, hour.grid_out), sun = std::max(0.0, hour.sun);
  double battery = std::max(0.0, hour.battery_out), to_battery = std::max(0.0, hour.battery_in);
  double home = std::max(0.0, grid + sun + battery - to_grid - to_battery);
  std::array<double, kFlows> flows{};
  const auto flow = [&](Flow which) -> double& { return flows[static_cast<std::size_t>(which)]; };
  // More than the home used came from the grid: the battery took it.
  flow(Flow::grid_to_battery) += move(grid, to_battery, grid - home);
  flow(Flow::sun_to_battery) += move(sun, to_battery);
  flow(Flow::sun_to_grid) += move(sun, to_grid);
  flow(Flow::battery_to_grid) += move(battery, to_grid);
  flow(Flow::grid_to_battery) += move(grid, to_battery);
  flow(Flow::sun_to_home) += move(sun, home);
  flow(Flow::battery_to_home) += move(battery, home);
  flow(Flow::grid_to_home) += move(grid, home);
  return flows;
}

}  // namespace hearth::energy
