// SPDX-License-Identifier: Apache-2.0
#include "energy/report_text.h"

#include <cmath>

namespace hearth::energy {
namespace {

constexpr double kDigits = 1e6;

// Digits beyond these are noise of sums.
json::value figure(double value) {
  const double rounded = std::round(value * kDigits) / kDigits;
  return rounded == 0 ? 0.0 : rounded;
}

json::value milliseconds(base::Timestamp time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

json::array figures(const std::vector<double>& values) {
  json::array all;
  all.reserve(values.size());
  for (const double value : values) all.push_back(figure(value));
  return all;
}

json::object line_json(const Line& line) {
  return {{"values", figures(line.values)}, {"total", figure(line.total)}, {"before", figure(line.before)}};
}

json::value share(double part, double whole) {
  return whole > 0 ? figure(part / whole) : json::value();
}

class ReportWriter {
 public:
  ReportWriter(const ReportInput& input, const Report& report, const ReportNames& names)
      : input_(input), report_(report), names_(names) {}

  json::object write() {
    json::object all{{"start", milliseconds(input_.bars.start(0))},
                     {"end", milliseconds(input_.bars.end())},
                     {"before", json::object{{"start", milliseconds(input_.slots.start(0))},
                                             {"end", milliseconds(input_.compared)}}},
                     {"period", names_.period},
                     {"currency", names_.currency}};
    json::array bars;
    for (std::size_t bar = 0; bar < input_.bars.size(); ++bar) bars.push_back(milliseconds(input_.bars.start(bar)));
    all["bars"] = std::move(bars);
    all["meters"] = meters();
    all["used"] = line_json(report_.used);
    json::object flows;
    for (std::size_t i = 0; i < kFlows; ++i) flows[name_of(static_cast<Flow>(i))] = line_json(report_.flows[i]);
    all["flows"] = std::move(flows);
    all["self_sufficiency"] = self_sufficiency();
    all["self_consumption"] = self_consumption();
    all["cost"] = line_json(report_.cost);
    all["devices"] = devices(false);
    all["other"] = rest_json(report_.other);
    all["water_devices"] = devices(true);
    all["other_water"] = rest_json(report_.other_water);
    exceeded("devices_exceed", report_.exceeded, report_.exceeded_at);
    exceeded("water_devices_exceed", report_.exceeded_water, report_.exceeded_water_at);
    all["notes"] = std::move(notes_);
    return all;
  }

 private:
  static json::object rest_json(const Line& rest) {
    return {{"values", figures(rest.values)}, {"total", figure(rest.total)}};
  }

  const Line& flow(Flow which) const { return report_.flows[static_cast<std::size_t>(which)]; }

  // The part of what the home used that did not come from the grid.
  json::object self_sufficiency() const {
    const Line &used = report_.used, &bought = flow(Flow::grid_to_home);
    return {{"total", share(used.total - bought.total, used.total)},
            {"before", share(used.before - bought.before, used.before)}};
  }

  // The part of the sun's electricity that was not sold.
  json::object self_consumption() const {
    const auto part = [&](double Line::* of) {
      const double kept = flow(Flow::sun_to_home).*of + flow(Flow::sun_to_battery).*of;
      return share(kept, kept + flow(Flow::sun_to_grid).*of);
    };
    return {{"total", part(&Line::total)}, {"before", part(&Line::before)}};
  }

  json::value name(const std::string& id) const {
    const auto found = names_.names.find(id);
    return found == names_.names.end() ? json::value() : json::value(found->second);
  }

  json::array meters() {
    json::array all;
    for (std::size_t i = 0; i < input_.meters.size(); ++i) {
      const MeterInput& input = input_.meters[i];
      const MeterReport& made = report_.meters[i];
      const std::string& id = input.meter.statistic_id;
      json::object meter{{"role", name_of(input.meter.role)}, {"statistic_id", id}, {"name", name(id)}};
      meter["unit"] = input.unit;
      for (auto& [key, value] : line_json(made.line)) meter[key] = std::move(value);
      meter["cost"] = made.cost ? json::value(line_json(made.cost->line)) : json::value();
      all.push_back(std::move(meter));
      oddities(id, input.known, input.resets, input.backwards);
      if (made.cost && std::abs(made.cost->unpriced) > 0)
        note("price_unknown", id, {made.cost->unpriced_at}, made.cost->unpriced);
    }
    return all;
  }

  json::array devices(bool water) {
    json::array all;
    for (std::size_t i = 0; i < input_.devices.size(); ++i) {
      const DeviceInput& input = input_.devices[i];
      if (input.device.water != water) continue;
      const std::string& id = input.device.statistic_id;
      json::object device{
          {"statistic_id", id},
          {"name", input.device.name.empty() ? name(id) : json::value(input.device.name)},
          {"included_in", input.device.included_in.empty() ? json::value() : json::value(input.device.included_in)},
          {"unit", input.unit},
          {"values", figures(report_.devices[i].values)},
          {"total", figure(report_.devices[i].total)},
          {"whole", figure(report_.device_wholes[i])}};
      all.push_back(std::move(device));
      oddities(id, input.known, input.resets, input.backwards);
    }
    return all;
  }

  void note(std::string_view kind, const std::string& id, std::optional<base::Timestamp> at, double amount) {
    notes_.push_back(json::object{{"kind", kind},
                                  {"statistic_id", id.empty() ? json::value() : json::value(id)},
                                  {"at", at ? milliseconds(*at) : json::value()},
                                  {"amount", figure(amount)}});
  }

  void oddities(const std::string& id, bool known, const Oddity& resets, const Oddity& backwards) {
    if (!known) note("no_statistics", id, {}, 0);
    if (resets.count > 0) note("meter_reset", id, resets.at, static_cast<double>(resets.count));
    if (backwards.count > 0) note("meter_backwards", id, backwards.at, backwards.amount);
  }

  void exceeded(std::string_view kind, double amount, base::Timestamp at) {
    if (amount > 0) note(kind, {}, at, amount);
  }

  const ReportInput& input_;
  const Report& report_;
  const ReportNames& names_;
  json::array notes_;
};

}  // namespace

json::object report_json(const ReportInput& input, const Report& report, const ReportNames& names) {
  return ReportWriter(input, report, names).write();
}

}  // namespace hearth::energy
