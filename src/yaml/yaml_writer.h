// SPDX-License-Identifier: Apache-2.0
// Writes JSON as YAML that means the same when a configuration is read. Texts that YAML would read as something else
// are quoted; marked ones (yaml/unresolved_yaml.h) become the tags that they name. Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/json/json.h"

namespace hearth::yaml {

// In lines of its own, with a line break at its end.
std::string yaml_of(const json::value& value, std::size_t indentation = 0);
// In brackets, without a line break.
std::string flow_yaml_of(const json::value& value);

}  // namespace hearth::yaml
