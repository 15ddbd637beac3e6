// SPDX-License-Identifier: Apache-2.0
// For tests: scenarios as JSON, as if read from files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "automation/config/json_node.h"
#include "domains/entities/local_time.h"
#include "simulation/scenario_parser.h"
#include "simulation/simulation.h"

namespace hearth::simulation {

inline base::Result<std::vector<Scenario>> parse_scenario(std::string_view text) {
  const base::ConfigNode node = automation::node_of_json(base::parse_json(text).value(), "test");
  core::HubConfig home;
  home.time_zone = "Europe/Berlin";
  auto scenarios =
      parse_scenarios(node, home, base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)));
  if (!scenarios) return scenarios;
  for (Scenario& scenario : *scenarios) {
    if (scenario.automations) scenario.sections.automations.push_back(*scenario.automations);
    if (!scenario.config) continue;
    for (const auto& entry : scenario.config->entries()) {
      if (entry.key == "script")
        scenario.sections.scripts.push_back(entry.value);
      else if (entry.key == "template")
        scenario.sections.templates.push_back(entry.value);
      else if (entry.key == "sensor")
        scenario.sections.platforms.emplace_back(entry.key, entry.value);
      else if (automation::kDerivedPlatforms.contains(entry.key))
        scenario.sections.derived.emplace_back(entry.key, entry.value);
      else
        scenario.sections.helpers.emplace_back(entry.key, entry.value);
    }
  }
  return scenarios;
}

inline Outcome run_scenario(std::string_view text) {
  auto scenarios = parse_scenario(text);
  if (!scenarios) {
    ADD_FAILURE() << scenarios.error().message;
    return {};
  }
  return simulate(scenarios->front(), nullptr);
}

// The failures, a line each.
inline std::string failures_of_run(std::string_view text) {
  std::string lines;
  for (const std::string& failure : run_scenario(text).failures) lines += failure + "\n";
  return lines;
}

}  // namespace hearth::simulation
