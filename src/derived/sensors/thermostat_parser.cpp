// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "automation/config/parsing.h"
#include "base/text/number.h"
#include "derived/platforms.h"
#include "derived/units/thermostat_unit.h"

namespace hearth::derived {
namespace {

constexpr double kColdest = -100, kHottest = 1'000;
constexpr std::string_view kUnit = "°C";

void read_grid(Keys& in, std::string_view key, double& value) {
  in.parsed(key, value, "one of 0.1, 0.5, 1", [](std::string_view text) -> std::optional<double> {
    const auto number = base::parse_number(text);
    return number && (*number == 0.1 || *number == 0.5 || *number == 1) ? number : std::nullopt;
  });
  in.describe_choice(key, {"0.1", "0.5", "1"}, "0.1");
}

}  // namespace

void parse_generic_thermostat(Keys& in, Plan& plan) {
  ThermostatUnit::Options options;
  options.heater = in.entity("heater", "switch input_boolean light fan");
  options.sensor = in.entity("target_sensor", kNumbers);
  in.boolean("ac_mode", options.cools);
  in.number("min_temp", options.min, kColdest, kHottest, kUnit);
  in.number("max_temp", options.max, kColdest, kHottest, kUnit);
  if (options.min >= options.max)
    automation::note(in, in.find("max_temp") ? *in.find("max_temp") : *in.find("min_temp"),
                     fmt::format("max_temp is {} and not more than min_temp, {}", options.max, options.min));
  const auto read_target = [&](std::string_view key) -> std::optional<double> {
    in.describe_number(key, core::field::Number{.unit = kUnit});
    const base::ConfigNode* const given = in.find(key);
    if (!given || given->is_empty() || options.min >= options.max) return {};
    double value = options.min;
    in.ConfigReader::number(key, value, options.min, options.max);
    return value;
  };
  options.target = read_target("target_temp");
  in.number("cold_tolerance", options.cold_tolerance, 0, 100, kUnit);
  in.number("hot_tolerance", options.hot_tolerance, 0, 100, kUnit);
  options.min_cycle = in.span("min_cycle_duration", base::Duration(0), base::Duration(0));
  options.keep_alive = in.span("keep_alive", base::Duration(0), std::chrono::seconds(1));
  const std::string own = options.cools ? domains::HvacMode::cool : domains::HvacMode::heat;
  in.option<std::string>("initial_hvac_mode", options.initial_mode,
                         {{own, own}, {domains::HvacMode::off, domains::HvacMode::off}});
  in.describe_choice("initial_hvac_mode", {domains::HvacMode::heat, domains::HvacMode::cool, domains::HvacMode::off},
                     "");
  for (const char* const name : {"away", "comfort", "eco", "home", "sleep", "activity"})
    if (const auto temperature = read_target(fmt::format("{}_temp", name)))
      options.presets.emplace_back(name, *temperature);
  read_grid(in, "precision", options.precision);
  options.step = options.precision;
  read_grid(in, "target_temp_step", options.step);
  plan.unit = [options](std::shared_ptr<const Plan> own_plan, const Environment& environment) {
    return std::make_unique<ThermostatUnit>(std::move(own_plan), environment, options);
  };
}

}  // namespace hearth::derived
