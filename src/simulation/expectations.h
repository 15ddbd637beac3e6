// SPDX-License-Identifier: Apache-2.0
// Compares the events of a simulation with the expected ones. Any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/states/state.h"
#include "simulation/scenario.h"
#include "simulation/timeline.h"

namespace hearth::simulation {

using FirstStates = std::map<std::string, core::StatePtr, std::less<>>;

// A sentence for each difference.
std::vector<std::string> failures_of(const Scenario& scenario, const std::vector<Happening>& happened,
                                     const FirstStates& first);

// True if the values are the same, where a number may also be a text, and a list of one item that item.
bool is_like(const json::value& wanted, const json::value& found);

}  // namespace hearth::simulation
