// SPDX-License-Identifier: Apache-2.0
// energy/*: which meters the home has, as people set it on the pages. The pages make the charts, from statistics.
#include <fmt/format.h>

#include <algorithm>

#include "api/energy/preferences.h"
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/hub.h"
#include "energy/cost_sensors.h"

namespace hearth::api {
namespace {

constexpr std::string_view kEnergy = core::kEnergy, kPreferences = "preferences";
constexpr std::string_view kLists[] = {"energy_sources", "device_consumption", "device_consumption_water"};

std::string preferences_text(const json::object& fields) {
  json::object whole;
  for (const std::string_view list : kLists) {
    const json::value* const value = fields.if_contains(list);
    whole[list] = value ? *value : json::value(json::array());
  }
  return base::to_json(whole);
}

// Fails with not_found.
CommandResult get_energy_preferences(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto registry = call.home.registry();
  const core::Item* const item = find_energy_preferences(call.home, registry);
  if (item) return preferences_text(item->fields);
  return std::unexpected(CommandError(command_error::kNotFound, "No preferences are set."));
}

CommandResult save_energy_preferences(const CommandCall& call) {
  core::Registry& registry = call.home.administered().registry;
  const auto data = registry.snapshot();
  const core::Item* const former = data->find_item(kEnergy, kPreferences);
  json::object fields = former ? former->fields : json::object();
  MessageReader in(call.message);
  std::string_view wrong;
  for (const std::string_view list : kLists) {
    if (!in.has(list)) continue;
    const json::value& value = call.message.at(list);
    const auto is_object = [](const json::value& each) { return each.is_object(); };
    if (value.is_array() && std::ranges::all_of(value.get_array(), is_object))
      fields[list] = value;
    else if (wrong.empty())
      wrong = list;
  }
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!wrong.empty()) {
    return std::unexpected(
        CommandError(command_error::kInvalidFormat, fmt::format("{}: expected a list of objects.", wrong)));
  }
  const std::string collection(kEnergy), id(kPreferences);
  const auto saved = former ? registry.update_item(collection, id, fields, std::nullopt, call.context())
                            : registry.create_item(collection, id, fields, call.context());
  if (!saved) return std::unexpected(saved.error());
  return preferences_text(fields);
}

// The sensors that count costs, by the statistic of the meter.
CommandResult energy_info(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::object sensors;
  if (call.parts.costs) {
    const auto costs = call.parts.costs->entities_now();
    for (const auto& [meter, entity_id] : *costs) {
      if (call.home.reads(meter.second) && call.home.reads(entity_id)) sensors[meter.second] = entity_id;
    }
  }
  return base::to_json(json::object{{"cost_sensors", std::move(sensors)}, {"solar_forecast_domains", json::array()}});
}

}  // namespace

constexpr Command kEnergyCommandRows[] = {
    {"energy/get_prefs", Access::user, get_energy_preferences, Durable::no},
    {"energy/save_prefs", Access::admin, save_energy_preferences, Durable::registry},
    {"energy/info", Access::user, energy_info, Durable::no},
    {"energy/solar_forecast", Access::user, "{}", Durable::no},
};
constexpr Commands kEnergyCommands = kEnergyCommandRows;

}  // namespace hearth::api
