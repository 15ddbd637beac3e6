// SPDX-License-Identifier: Apache-2.0
// Reads true and false from texts, in any case of letters. Any thread.
#pragma once

#include <optional>
#include <string_view>

namespace hearth::base {

// As files have it: true, yes, on; false, no, off. Null for any other text.
std::optional<bool> parse_yaml_boolean(std::string_view text);
// As clients, devices and templates have it: also enable and 1, disable and 0.
std::optional<bool> parse_boolean(std::string_view text);

}  // namespace hearth::base
