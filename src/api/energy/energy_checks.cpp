// SPDX-License-Identifier: Apache-2.0
#include "api/energy/energy_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/number.h"
#include "core/values/entity_id.h"
#include "core/values/units.h"
#include "energy/meters.h"
#include "energy/units.h"

namespace hearth::api {
namespace {

using energy::Role;

json::value attribute(const json::object& attributes, std::string_view key) {
  const json::value* const value = attributes.if_contains(key);
  return value ? *value : json::value();
}

std::string joined_units(std::string_view before, std::string_view unit) {
  std::string text;
  for (const std::string_view like : core::units_like(unit)) {
    if (!text.empty()) text += ", ";
    text.append(before).append(like);
  }
  return text;
}

// The findings of one entry: each kind once, with all that it is about.
class Findings {
 public:
  Findings(const core::View& home, const CheckedStatistics& known) : home_(home), known_(known) {}

  void check_meter(const std::string& id, Role role) {
    check_statistic(id);
    const auto found = known_.find(id);
    if (found != known_.end() && found->second.backwards) add("entity_goes_backwards", id, {});
    if (found != known_.end() && !energy::shown_unit(role, found->second.unit.value_or("")))
      add(unit_finding(role), id, found->second.unit ? json::value(*found->second.unit) : json::value());
    if (const auto attributes = check_state(id, true)) check_class(id, role, *attributes);
  }

  void check_money(const std::string& id) {
    check_statistic(id);
    if (const auto attributes = check_state(id, false)) check_state_class(id, *attributes);
  }

  void check_price(const std::string& id, Role role) {
    const auto state = home_.find(id);
    if (!state) return add("entity_not_defined", id, {});
    if (!base::parse_number(state->value())) return add("entity_state_non_numeric", id, json::value(state->value()));
    const json::value unit = attribute(state->attributes(), "unit_of_measurement");
    if (!unit.is_string() || !energy::is_price_unit(role, unit.get_string()))
      add(std::string(unit_finding(role)) + "_price", id, unit);
  }

  json::array take() { return std::move(all_); }

 private:
  static std::string_view unit_finding(Role role) {
    return role == Role::water ? "entity_unexpected_unit_water"
           : role == Role::gas ? "entity_unexpected_unit_gas"
                               : "entity_unexpected_unit_energy";
  }

  void check_statistic(const std::string& id) {
    const auto found = known_.find(id);
    if (found == known_.end() || !found->second.total) add("statistics_not_defined", id, {});
    if (found != known_.end() && !found->second.recorded) add("recorder_untracked", id, {});
  }

  // The attributes, if it is an entity with a number.
  std::optional<json::object> check_state(const std::string& id, bool positive) {
    if (!core::EntityId::parse(id)) return {};
    const auto state = home_.find(id);
    if (!state) {
      add("entity_not_defined", id, {});
      return {};
    }
    const std::string_view value = state->value();
    const auto number = base::parse_number(value);
    if (value == "unavailable" || value == "unknown")
      add("entity_unavailable", id, json::value(value));
    else if (!number)
      add("entity_state_non_numeric", id, json::value(value));
    if (!number) return {};
    if (positive && *number < 0) add("entity_negative_state", id, *number);
    return state->attributes();
  }

  void check_class(const std::string& id, Role role, const json::object& attributes) {
    const json::value device_class = attribute(attributes, "device_class");
    const std::string_view name = device_class.is_string() ? std::string_view(device_class.get_string()) : "";
    const bool fits = role == Role::water ? name == "water" : name == "energy" || (role == Role::gas && name == "gas");
    if (!fits) add("entity_unexpected_device_class", id, device_class);
    check_state_class(id, attributes);
  }

  void check_state_class(const std::string& id, const json::object& attributes) {
    const json::value state_class = attribute(attributes, "state_class");
    const std::string_view name = state_class.is_string() ? std::string_view(state_class.get_string()) : "";
    if (name == "measurement" && !attributes.contains("last_reset"))
      add("entity_state_class_measurement_no_last_reset", id, {});
    else if (name != "total" && name != "total_increasing" && name != "measurement")
      add("entity_unexpected_state_class", id, state_class);
  }

  json::value placeholders(std::string_view type) const {
    const std::string currency = home_.config()->currency + "/";
    const std::string energy = joined_units({}, "kWh"), volume = joined_units({}, "m³");
    if (type == "entity_unexpected_unit_energy") return json::object{{"energy_units", energy}};
    if (type == "entity_unexpected_unit_gas") return json::object{{"energy_units", energy}, {"gas_units", volume}};
    if (type == "entity_unexpected_unit_water") return json::object{{"water_units", volume}};
    const std::string by_energy = joined_units(currency, "kWh"), by_volume = joined_units(currency, "m³");
    if (type == "entity_unexpected_unit_energy_price") return json::object{{"price_units", by_energy}};
    if (type == "entity_unexpected_unit_gas_price") return json::object{{"price_units", by_energy + ", " + by_volume}};
    if (type == "entity_unexpected_unit_water_price") return json::object{{"price_units", by_volume}};
    return {};
  }

  void add(std::string_view type, const std::string& id, const json::value& detail) {
    const auto known =
        std::ranges::find_if(all_, [&](const json::value& one) { return one.at("type").as_string() == type; });
    json::array about{json::string(id), detail};
    if (known != all_.end()) {
      known->at("affected_entities").get_array().push_back(std::move(about));
      return;
    }
    json::array entities;
    entities.push_back(std::move(about));
    all_.push_back(json::object{
        {"type", type}, {"affected_entities", std::move(entities)}, {"translation_placeholders", placeholders(type)}});
  }

  const core::View& home_;
  const CheckedStatistics& known_;
  json::array all_;
};

std::size_t length_of(const json::object& preferences, std::string_view list) {
  const json::value* const value = preferences.if_contains(list);
  return value && value->is_array() ? value->get_array().size() : 0;
}

}  // namespace

json::object energy_findings(const core::View& home, const json::object& preferences, const CheckedStatistics& known) {
  const energy::Meters meters = energy::meters_of(preferences);
  json::array sources;
  for (std::size_t i = 0; i < length_of(preferences, "energy_sources"); ++i) {
    Findings findings(home, known);
    for (const energy::Meter& meter : meters.meters) {
      if (meter.source != i) continue;
      findings.check_meter(meter.statistic_id, meter.role);
      if (!meter.price.statistic.empty())
        findings.check_money(meter.price.statistic);
      else if (!meter.price.entity.empty())
        findings.check_price(meter.price.entity, meter.role);
    }
    sources.push_back(findings.take());
  }
  json::object all{{"energy_sources", std::move(sources)}};
  for (const bool water : {false, true}) {
    const std::string_view list = water ? "device_consumption_water" : "device_consumption";
    json::array devices;
    for (std::size_t i = 0; i < length_of(preferences, list); ++i) {
      Findings findings(home, known);
      const json::value& entry = preferences.at(list).at(i);
      const json::value* const id = entry.is_object() ? entry.get_object().if_contains("stat_consumption") : nullptr;
      if (id && id->is_string())
        findings.check_meter(std::string(id->get_string()), water ? Role::water : Role::grid_in);
      devices.push_back(findings.take());
    }
    all[list] = std::move(devices);
  }
  return all;
}

}  // namespace hearth::api
