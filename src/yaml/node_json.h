// SPDX-License-Identifier: Apache-2.0
// Converts a configuration node to JSON and back, with its places and how texts were written. Any thread.
#pragma once

#include <optional>

#include "base/config/config_node.h"
#include "base/json/json.h"

namespace hearth::yaml {

// {text, plain, secret}, {list} or {map}, each with file, line and key. A broken node is an empty one.
json::object json_of(const base::ConfigNode& node);
// Null if it is no such value.
std::optional<base::ConfigNode> node_of(const json::value& value);

}  // namespace hearth::yaml
