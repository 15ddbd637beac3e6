// SPDX-License-Identifier: Apache-2.0
// Reads and checks parts of automations that clients send by themselves. Any thread.
#pragma once

#include <string>
#include <vector>

#include "automation/config/action.h"
#include "automation/config/condition.h"

namespace hearth::automation {

// Both fail with invalid. `key`: the name that clients give to the steps.
base::Result<std::vector<Condition>> read_conditions_of(const json::value& conditions);
base::Result<Block> read_steps_of(const json::value& steps, const std::string& key);

// Returns all that is wrong, in one text; empty if nothing is.
std::string check_triggers(const json::value& triggers);
std::string check_conditions(const json::value& conditions);
std::string check_actions(const json::value& actions);

}  // namespace hearth::automation
