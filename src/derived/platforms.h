// SPDX-License-Identifier: Apache-2.0
// The platforms whose sensors are made of other entities: how the configuration of each is read. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/config_reader.h"
#include "core/words.h"
#include "derived/plan.h"

namespace hearth::derived {

struct Platform {
  std::string_view name;
  core::Words domains;         // whose lists of platforms have it; empty: it has a key of its own
  std::string_view made_from;  // the name of one that has none: {} stands for its source; empty: parse gives it
  // Reads its keys besides platform, name, unique_id, scan_interval; notes errors in the reader.
  void (*parse)(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
  std::string_view keyed = {};  // the key of its sensors by object id; empty: the platform is one sensor
};

std::span<const Platform> platforms();
// Null if there is none.
const Platform* find_platform(std::string_view name);

// Of each platform.
void parse_min_max(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_threshold(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_integration(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_derivative(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_statistics(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_filter(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_utility_meter(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);

void parse_history_stats(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_tod(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_trend(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_bayesian(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_generic_thermostat(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_switch_as_x(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_workday(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_season(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_random(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_time_date(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);
void parse_average(base::ConfigReader& in, const base::ConfigNode& node, Plan& plan);

// What several of them read.
// The entity of the key, which must be there; it becomes the plan's only source.
std::string read_source(base::ConfigReader& in, const base::ConfigNode& node, std::string_view key, Plan& plan);
// Seconds, as text or number, or any other form of a duration; at least `min`.
base::Duration read_span(base::ConfigReader& in, std::string_view key, base::Duration otherwise, base::Duration min);
// Of `unit_prefix`: 1, 1000 for k and so on; `prefix` is how it is written.
double read_unit_prefix(base::ConfigReader& in, std::string& prefix);
// Of `unit_time`: s, min, h or d, in seconds.
double read_unit_time(base::ConfigReader& in, std::string& unit);

}  // namespace hearth::derived
