// SPDX-License-Identifier: Apache-2.0
// Reads states that are written as yes, no, on, off, true or false without quotes: YAML reads them as booleans, the hub
// as the states `on` and `off`, with a warning. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/config_node.h"

namespace hearth::automation {

// `on` or `off` if the node is such a text; null if it says what it means.
std::optional<std::string> unquoted_state(const base::ConfigNode& node);
// A line for it; null if there is nothing to say.
std::optional<std::string> unquoted_warning(const base::ConfigNode& node);
// Of all triggers and conditions of an automation or a script.
void warn_of_unquoted_states(const base::ConfigNode& item, std::vector<std::string>& warnings);

}  // namespace hearth::automation
