// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "automation/parsing.h"
#include "derived/platforms.h"
#include "derived/thermostat_unit.h"

namespace hearth::derived {
namespace {

constexpr double kColdest = -100, kHottest = 1'000;

std::string read_entity(base::ConfigReader& in, const base::ConfigNode& node, std::string_view key) {
  const auto ids = automation::read_entity_ids(in, node, key);
  if (ids.size() > 1) automation::note(in, *in.find(key), in.find(key)->mismatch("one entity"));
  return ids.empty() ? std::string() : ids.front();
}

void read_grid(base::ConfigReader& in, std::string_view key, double& value) {
  in.parsed(key, value, "one of 0.1, 0.5, 1", [](std::string_view text) -> std::optional<double> {
    const auto number = number_of(text);
    return number && (*number == 0.1 || *number == 0.5 || *number == 1) ? number : std::nullopt;
  });
}

}  // namespace

void parse_generic_thermostat(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan) {
  ThermostatUnit::Options options;
  options.heater = read_entity(in, node, "heater");
  options.sensor = read_entity(in, node, "target_sensor");
  in.boolean("ac_mode", options.cools);
  in.number("min_temp", options.min, kColdest, kHottest);
  in.number("max_temp", options.max, kColdest, kHottest);
  if (options.min >= options.max)
    automation::note(in, in.find("max_temp") ? *in.find("max_temp") : *in.find("min_temp"),
                     fmt::format("max_temp is {} and not more than min_temp, {}", options.max, options.min));
  const auto read_target = [&](std::string_view key) -> std::optional<double> {
    const base::ConfigNode* const given = in.find(key);
    if (!given || given->is_empty() || options.min >= options.max) return {};
    double value = options.min;
    in.number(key, value, options.min, options.max);
    return value;
  };
  options.target = read_target("target_temp");
  in.number("cold_tolerance", options.cold_tolerance, 0, 100);
  in.number("hot_tolerance", options.hot_tolerance, 0, 100);
  options.min_cycle = read_span(in, "min_cycle_duration", base::Duration(0), base::Duration(0));
  options.keep_alive = read_span(in, "keep_alive", base::Duration(0), std::chrono::seconds(1));
  const std::string own = options.cools ? domains::HvacMode::cool : domains::HvacMode::heat;
  in.option<std::string>("initial_hvac_mode", options.initial_mode,
                         {{own, own}, {domains::HvacMode::off, domains::HvacMode::off}});
  for (const char* const name : {"away", "comfort", "eco", "home", "sleep", "activity"})
    if (const auto temperature = read_target(fmt::format("{}_temp", name)))
      options.presets.emplace_back(name, *temperature);
  read_grid(in, "precision", options.precision);
  options.step = options.precision;
  read_grid(in, "target_temp_step", options.step);
  plan.unit = [options](std::shared_ptr<const Plan> own_plan, const Surroundings& surroundings) {
    return std::make_unique<ThermostatUnit>(std::move(own_plan), surroundings, options);
  };
}

}  // namespace hearth::derived
