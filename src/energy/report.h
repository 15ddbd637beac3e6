// SPDX-License-Identifier: Apache-2.0
// The energy that a home used, made and paid for in a span of time, and in the span before: by bars of a chart, by
// meter and by device. From what each meter gained in each slot, a quarter of an hour or an hour.
//
// Where electricity went, and whence, is reckoned hour by hour: the sun serves the home first, then battery and grid;
// the battery and the grid serve what is left of it. A price counts for its own slot.
//
// Values only; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "energy/meters.h"
#include "energy/reading.h"
#include "energy/slots.h"

namespace hearth::energy {

struct MeterInput {
  Meter meter;
  std::string unit;                          // that is shown
  bool known = false;                        // has statistics, in a unit that fits
  std::vector<double> gained;                // by slot
  std::optional<std::vector<double>> price;  // of one unit, by slot; NaN: unknown
  std::optional<std::vector<double>> paid;   // by slot, instead of a price; NaN: the price counts
  Oddity resets, backwards;
};

struct DeviceInput {
  Device device;
  std::string unit;
  bool known = false;
  std::vector<double> gained;  // by bar
  Oddity resets, backwards;
};

struct ReportInput {
  Slots slots;               // of both spans
  std::size_t per_hour;      // slots
  base::Timestamp compared;  // up to here the span before counts: as much of it as has passed of the span
  Slots bars;                // of the span
  std::vector<MeterInput> meters;
  std::vector<DeviceInput> devices;
};

// By bar, together, and in the span before.
struct Line {
  std::vector<double> values;
  double total = 0, before = 0;
};

struct Cost {
  Line line;
  double unpriced = 0;  // of that much the price is unknown
  base::Timestamp unpriced_at;
};

struct MeterReport {
  Line line;
  std::optional<Cost> cost;  // of what goes to the grid: what comes in for it
};

enum class Flow {
  grid_to_home,
  sun_to_home,
  battery_to_home,
  sun_to_battery,
  sun_to_grid,
  grid_to_battery,
  battery_to_grid
};
constexpr std::size_t kFlows = 7;
std::string_view name_of(Flow flow);

struct Report {
  std::vector<MeterReport> meters;  // as in the input
  std::array<Line, kFlows> flows;
  Line used;                                // electricity in the home
  std::vector<Line> devices;                // as in the input, without what devices that are included in them use
  std::vector<double> device_wholes;        // with that
  Line other, other_water;                  // what no device explains
  Line cost;                                // of all meters, less what comes in
  double exceeded = 0, exceeded_water = 0;  // how much devices have used beyond the whole
  base::Timestamp exceeded_at, exceeded_water_at;
};

Report report_of(const ReportInput& input);

// One hour of a home.
struct Hour {
  double grid_in = 0, grid_out = 0, sun = 0, battery_out = 0, battery_in = 0;
};
std::array<double, kFlows> flows_of(const Hour& hour);

}  // namespace hearth::energy
