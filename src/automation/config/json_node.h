// SPDX-License-Identifier: Apache-2.0
// Makes configuration nodes of JSON that clients send. Any thread.
#pragma once

#include <string>

#include "base/config/config_node.h"
#include "base/json/json.h"

namespace hearth::automation {

// A value that a client sends, as if it had been read from a file: its texts are in quotes, all else is not. Errors
// name the key within it.
base::ConfigNode node_of_json(const json::value& value, const std::string& key);
// As if it stood at that place.
base::ConfigNode node_of_json(const json::value& value, base::ConfigNode::Place place);

}  // namespace hearth::automation
