// SPDX-License-Identifier: Apache-2.0
#include "energy/meters.h"

#include <algorithm>
#include <iterator>

namespace hearth::energy {
namespace {

constexpr std::string_view kNames[] = {"grid_in", "grid_out", "sun", "battery_out", "battery_in", "gas", "water"};

std::string text_of(const json::object& fields, std::string_view key) {
  const json::value* const value = fields.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

const json::array& list_of(const json::object& fields, std::string_view key) {
  static const json::array none;
  const json::value* const value = fields.if_contains(key);
  return value && value->is_array() ? value->get_array() : none;
}

// `money`: the key of the statistic; `suffix`: of the keys of the price.
Price price_of(const json::object& fields, std::string_view money, const std::string& suffix = {}) {
  Price price;
  price.statistic = text_of(fields, money);
  price.entity = text_of(fields, "entity_energy_price" + suffix);
  const json::value* const number = fields.if_contains("number_energy_price" + suffix);
  if (number && number->is_number()) price.number = number->to_number<double>();
  return price;
}

class SourceReader {
 public:
  SourceReader(Meters& all, std::size_t source) : all_(all), source_(source) {}

  void read(const json::object& fields) {
    const std::string type = text_of(fields, "type");
    if (type == "grid") return read_grid(fields);
    if (type == "solar") return add(Role::sun, fields, "stat_energy_from", {});
    if (type == "gas") return add(Role::gas, fields, "stat_energy_from", price_of(fields, "stat_cost"));
    if (type == "water") return add(Role::water, fields, "stat_energy_from", price_of(fields, "stat_cost"));
    if (type != "battery") return;
    add(Role::battery_out, fields, "stat_energy_from", {});
    add(Role::battery_in, fields, "stat_energy_to", {});
  }

 private:
  void read_grid(const json::object& fields) {
    for (const json::value& flow : list_of(fields, "flow_from")) {
      if (flow.is_object())
        add(Role::grid_in, flow.get_object(), "stat_energy_from", price_of(flow.get_object(), "stat_cost"));
    }
    for (const json::value& flow : list_of(fields, "flow_to")) {
      if (flow.is_object())
        add(Role::grid_out, flow.get_object(), "stat_energy_to", price_of(flow.get_object(), "stat_compensation"));
    }
    add(Role::grid_in, fields, "stat_energy_from", price_of(fields, "stat_cost"));
    add(Role::grid_out, fields, "stat_energy_to", price_of(fields, "stat_compensation", "_export"));
  }

  // A meter counts once in each role.
  void add(Role role, const json::object& fields, std::string_view key, Price price) {
    std::string id = text_of(fields, key);
    const auto same = [&](const Meter& meter) { return meter.role == role && meter.statistic_id == id; };
    if (id.empty() || std::ranges::any_of(all_.meters, same)) return;
    all_.meters.push_back({role, std::move(id), std::move(price), source_});
  }

  Meters& all_;
  const std::size_t source_;
};

}  // namespace

std::string_view name_of(Role role) {
  return kNames[static_cast<std::size_t>(role)];
}

bool is_electricity(Role role) {
  return role != Role::gas && role != Role::water;
}

Meters meters_of(const json::object& preferences) {
  Meters all;
  const json::array& sources = list_of(preferences, "energy_sources");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].is_object()) SourceReader(all, i).read(sources[i].get_object());
  }
  for (const bool water : {false, true}) {
    for (const json::value& each : list_of(preferences, water ? "device_consumption_water" : "device_consumption")) {
      if (!each.is_object()) continue;
      const json::object& fields = each.get_object();
      std::string id = text_of(fields, "stat_consumption");
      const auto same = [&](const Device& known) { return known.water == water && known.statistic_id == id; };
      if (id.empty() || std::ranges::any_of(all.devices, same)) continue;
      all.devices.push_back({std::move(id), text_of(fields, "name"), text_of(fields, "included_in_stat"), water});
    }
  }
  return all;
}

}  // namespace hearth::energy
