// SPDX-License-Identifier: Apache-2.0
#include "energy/report.h"

#include <algorithm>
#include <cmath>

namespace hearth::energy {
namespace {

constexpr double kLeastUsed = 1e-9;      // less is rounding
constexpr double kLeastExceeded = 0.01;  // meters are not that exact

class ReportMaker {
 public:
  explicit ReportMaker(const ReportInput& input)
      : input_(input), first_(input.slots.first_from(input.bars.start(0))), bar_of_(input.slots.size()) {
    for (std::size_t slot = 0; slot < bar_of_.size(); ++slot) bar_of_[slot] = input.bars.find(input.slots.start(slot));
  }

  Report make() {
    add_meters();
    add_flows();
    add_devices();
    return std::move(report_);
  }

 private:
  Line line() const { return {std::vector<double>(input_.bars.size(), 0.0), 0, 0}; }

  void add(Line& line, std::size_t slot, double value) const {
    if (const auto bar = bar_of_[slot]) {
      line.values[*bar] += value;
      line.total += value;
    } else if (slot < first_ && input_.slots.start(slot) < input_.compared) {
      line.before += value;
    }
  }

  void add_meters() {
    report_.cost = line();
    for (const MeterInput& input : input_.meters) {
      MeterReport& made = report_.meters.emplace_back(MeterReport{line(), {}});
      for (std::size_t slot = 0; slot < input.gained.size(); ++slot) add(made.line, slot, input.gained[slot]);
      if (input.price || input.paid) add_cost(input, made.cost.emplace(Cost{line(), 0, {}}));
    }
  }

  void add_cost(const MeterInput& input, Cost& cost) {
    const double sign = input.meter.role == Role::grid_out ? -1 : 1;
    const std::size_t count = input.paid ? input.paid->size() : input.gained.size();
    for (std::size_t slot = 0; slot < count; ++slot) {
      const double paid = paid_in(input, slot, cost);
      add(cost.line, slot, paid);
      add(report_.cost, slot, sign * paid);
    }
  }

  double paid_in(const MeterInput& input, std::size_t slot, Cost& cost) const {
    const bool counted = input.paid && std::isfinite((*input.paid)[slot]);
    const double paid = counted ? (*input.paid)[slot] : 0;
    if (!input.price) return paid;
    const double gained = input.gained[slot], price = (*input.price)[slot];
    if (std::abs(gained) < kLeastUsed) return paid;
    if (std::isfinite(price)) return counted ? paid : gained * price;
    if (bar_of_[slot]) {
      if (cost.unpriced == 0) cost.unpriced_at = input_.slots.start(slot);
      cost.unpriced += gained;
    }
    return paid;
  }

  void add_flows() {
    report_.used = line();
    report_.flows.fill(line());
    const std::size_t step = std::max<std::size_t>(input_.per_hour, 1);
    // Hours begin with each span: its first one is whole.
    for (std::size_t slot = 0; slot < input_.slots.size();) {
      std::size_t end = std::min(slot + step, input_.slots.size());
      if (slot < first_) end = std::min(end, first_);
      const auto flows = flows_of(hour_of(slot, end));
      for (std::size_t i = 0; i < kFlows; ++i) add(report_.flows[i], slot, flows[i]);
      for (const Flow flow : {Flow::grid_to_home, Flow::sun_to_home, Flow::battery_to_home})
        add(report_.used, slot, flows[static_cast<std::size_t>(flow)]);
      slot = end;
    }
  }

  Hour hour_of(std::size_t slot, std::size_t end) const {
    Hour hour;
    for (const MeterInput& input : input_.meters) {
      double* const sum = place_in(hour, input.meter.role);
      for (std::size_t i = slot; sum && i < std::min(end, input.gained.size()); ++i) *sum += input.gained[i];
    }
    return hour;
  }

  static double* place_in(Hour& hour, Role role) {
    switch (role) {
      case Role::grid_in:
        return &hour.grid_in;
      case Role::grid_out:
        return &hour.grid_out;
      case Role::sun:
        return &hour.sun;
      case Role::battery_out:
        return &hour.battery_out;
      case Role::battery_in:
        return &hour.battery_in;
      case Role::gas:
      case Role::water:
        return nullptr;
    }
    return nullptr;
  }

  // The device that measures this one, too; null if none that is known.
  const DeviceInput* parent_of(const DeviceInput& child) const {
    for (const DeviceInput& other : input_.devices) {
      if (&other != &child && other.device.water == child.device.water &&
          other.device.statistic_id == child.device.included_in)
        return &other;
    }
    return nullptr;
  }

  void add_devices() {
    for (const DeviceInput& input : input_.devices) {
      Line own{input.gained, 0, 0};
      own.values.resize(input_.bars.size());
      double whole = 0;
      for (const double value : own.values) whole += value;
      report_.device_wholes.push_back(whole);
      for (const DeviceInput& child : input_.devices) {
        if (parent_of(child) != &input) continue;
        for (std::size_t bar = 0; bar < std::min(own.values.size(), child.gained.size()); ++bar)
          own.values[bar] = std::max(0.0, own.values[bar] - child.gained[bar]);
      }
      for (const double value : own.values) own.total += value;
      report_.devices.push_back(std::move(own));
    }
    report_.other = rest_of(false, report_.used.values, report_.exceeded, report_.exceeded_at);
    Line water = line();
    for (std::size_t i = 0; i < input_.meters.size(); ++i) {
      if (input_.meters[i].meter.role != Role::water) continue;
      for (std::size_t bar = 0; bar < water.values.size(); ++bar)
        water.values[bar] += report_.meters[i].line.values[bar];
    }
    report_.other_water = rest_of(true, water.values, report_.exceeded_water, report_.exceeded_water_at);
  }

  Line rest_of(bool water, const std::vector<double>& whole, double& exceeded, base::Timestamp& at) const {
    Line rest = line();
    double all = 0;
    for (const double value : whole) all += value;
    for (std::size_t bar = 0; bar < rest.values.size(); ++bar) {
      double left = whole[bar];
      for (std::size_t i = 0; i < input_.devices.size(); ++i) {
        if (input_.devices[i].device.water == water) left -= report_.devices[i].values[bar];
      }
      rest.values[bar] = std::max(0.0, left);
      rest.total += rest.values[bar];
      // Without a meter of the whole there is nothing to exceed.
      if (left >= -kLeastExceeded * std::max(1.0, whole[bar]) || all <= 0) continue;
      if (exceeded == 0) at = input_.bars.start(bar);
      exceeded -= left;
    }
    return rest;
  }

  const ReportInput& input_;
  const std::size_t first_;  // slot of the span
  std::vector<std::optional<std::size_t>> bar_of_;
  Report report_;
};

}  // namespace

Report report_of(const ReportInput& input) {
  return ReportMaker(input).make();
}

}  // namespace hearth::energy
