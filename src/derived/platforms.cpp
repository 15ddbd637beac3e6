// SPDX-License-Identifier: Apache-2.0
#include "derived/platforms.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/parsing.h"

namespace hearth::derived {
namespace {

constexpr Platform kPlatforms[] = {
    {"average", "sensor", "Average", &parse_average},
    {"bayesian", "binary_sensor", "Bayesian Binary Sensor", &parse_bayesian},
    {"derivative", "sensor", "{} derivative", &parse_derivative},
    {"filter", "sensor", "{} filter", &parse_filter},
    {"generic_thermostat", "climate", "Generic Thermostat", &parse_generic_thermostat},
    {"history_stats", "sensor", "unnamed statistics", &parse_history_stats},
    {"integration", "sensor", "{} integral", &parse_integration, "", "unit_time"},
    {"min_max", "sensor", "", &parse_min_max},
    {"random", "sensor binary_sensor", "", &parse_random},
    {"season", "sensor", "Season", &parse_season},
    {"statistics", "sensor", "Stats", &parse_statistics},
    {"switch_as_x", "", "{}", &parse_switch_as_x, "", "entity_id"},
    {"threshold", "binary_sensor", "Threshold", &parse_threshold},
    {"time_date", "sensor", "time_date", &parse_time_date},
    {"tod", "binary_sensor", "Times of the Day", &parse_tod},
    {"trend", "binary_sensor", "Trend", &parse_trend, "sensors"},
    {"utility_meter", "", "", &parse_utility_meter, "", "cycle cron delta_values"},
    {"workday", "binary_sensor", "Workday Sensor", &parse_workday},
};

}  // namespace

std::span<const Platform> platforms() {
  return kPlatforms;
}

const Platform* find_platform(std::string_view name) {
  const auto found = std::ranges::find(kPlatforms, name, &Platform::name);
  return found == std::end(kPlatforms) ? nullptr : &*found;
}

std::string read_source(Keys& in, std::string_view key, Plan& plan, core::Words domains) {
  std::string source = in.entity(key, domains, "one entity such as sensor.power");
  plan.sources.clear();
  if (!source.empty()) plan.sources.push_back(source);
  return source;
}

double read_unit_prefix(Keys& in, std::string& prefix) {
  constexpr std::pair<std::string_view, double> known[] = {{"none", 1}, {"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3},
                                                           {"k", 1e3},  {"M", 1e6},  {"G", 1e9},  {"T", 1e12}};
  std::vector<std::string_view> names;
  for (const auto& [name, factor] : known) names.push_back(name);
  in.describe_choice("unit_prefix", names, "none");
  const base::ConfigNode* const node = in.find("unit_prefix");
  if (!node || node->is_empty()) return 1;
  const auto text = node->text();
  for (const auto& [name, factor] : known) {
    if (!text || *text != name) continue;
    if (factor != 1) prefix = name;
    return factor;
  }
  automation::note(in, *node, node->mismatch("one of none, n, µ, m, k, M, G, T"));
  return 1;
}

double read_unit_time(Keys& in, std::string& unit) {
  double seconds = 3'600;
  unit = "h";
  in.option<double>("unit_time", seconds, {{"s", 1}, {"min", 60}, {"h", 3'600}, {"d", 86'400}});
  for (const auto& [name, length] : {std::pair("s", 1.0), std::pair("min", 60.0), std::pair("d", 86'400.0)})
    if (seconds == length) unit = name;
  return seconds;
}

}  // namespace hearth::derived
