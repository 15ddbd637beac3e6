// SPDX-License-Identifier: Apache-2.0
// Handles one item of a list or mapping in a configuration file by itself: its keys, and its errors as lines. Any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/config/config_node.h"

namespace hearth::automation {

constexpr std::size_t kMaxItemBytes = 1 << 20;  // of one item as JSON

// The node with keys that count from the item, as errors name them: triggers[0].platform.
base::ConfigNode rerooted(const base::ConfigNode& node, const base::ConfigNode::Place& root);
// Adds the errors of what could not be read within the node.
void collect_broken(const base::ConfigNode& node, std::string& errors);
// Adds the lines that are not there yet.
std::string with_lines(std::string text, std::string_view more);
// automations.yaml:14
std::string place_of(const base::ConfigNode& node);

}  // namespace hearth::automation
