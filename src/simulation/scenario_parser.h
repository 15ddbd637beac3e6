// SPDX-License-Identifier: Apache-2.0
// Reads scenarios. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "base/config/config_node.h"
#include "base/result.h"
#include "simulation/scenario.h"

namespace hearth::simulation {

constexpr std::size_t kMaxScenarios = 1'000, kMaxSteps = 10'000;
constexpr base::Duration kLongestScenario = std::chrono::days(3'660);

// One scenario, or a list of them. `home` gives the place and the time zone of those that have none. Fails with
// invalid; a line for each error, as base::ConfigReader has them.
base::Result<std::vector<Scenario>> parse_scenarios(const base::ConfigNode& file, const core::HubConfig& home,
                                                    base::Timestamp now);

}  // namespace hearth::simulation
