// SPDX-License-Identifier: Apache-2.0
// The platforms of derived sensors: how the configuration of each is read. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "core/values/words.h"
#include "derived/keys.h"
#include "derived/plan.h"

namespace hearth::derived {

struct Platform {
  std::string_view name;
  core::Words domains;         // whose lists of platforms have it; empty: it has a key of its own
  std::string_view made_from;  // the name of one that has none: {} stands for its source; empty: parse gives it
  // Reads its keys besides platform, name, unique_id, scan_interval; notes errors in the reader, also of no keys at
  // all.
  void (*parse)(Keys& in, Plan& plan);
  std::string_view keyed = {};  // the key of its sensors by object id; empty: the platform is one sensor
  core::Words meaning = {};     // the keys, besides its sources, without which what it has counted means nothing
};

std::span<const Platform> platforms();
// Null if there is none.
const Platform* find_platform(std::string_view name);

// Of each platform.
void parse_min_max(Keys& in, Plan& plan);
void parse_threshold(Keys& in, Plan& plan);
void parse_integration(Keys& in, Plan& plan);
void parse_derivative(Keys& in, Plan& plan);
void parse_statistics(Keys& in, Plan& plan);
void parse_filter(Keys& in, Plan& plan);
void parse_utility_meter(Keys& in, Plan& plan);

void parse_history_stats(Keys& in, Plan& plan);
void parse_tod(Keys& in, Plan& plan);
void parse_trend(Keys& in, Plan& plan);
void parse_bayesian(Keys& in, Plan& plan);
void parse_generic_thermostat(Keys& in, Plan& plan);
void parse_switch_as_x(Keys& in, Plan& plan);
void parse_workday(Keys& in, Plan& plan);
void parse_season(Keys& in, Plan& plan);
void parse_random(Keys& in, Plan& plan);
void parse_time_date(Keys& in, Plan& plan);
void parse_average(Keys& in, Plan& plan);

// Keys that several of them read.
// The entity of the key, which must be there; it becomes the plan's only source.
std::string read_source(Keys& in, std::string_view key, Plan& plan, core::Words domains);
// Of `unit_prefix`: 1, 1000 for k and so on; `prefix` is how it is written.
double read_unit_prefix(Keys& in, std::string& prefix);
// Of `unit_time`: s, min, h or d, in seconds.
double read_unit_time(Keys& in, std::string& unit);

}  // namespace hearth::derived
