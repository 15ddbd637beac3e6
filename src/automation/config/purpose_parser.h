// SPDX-License-Identifier: Apache-2.0
// Reads triggers and conditions by purpose: `target` and `options`. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "automation/config/parsing.h"

namespace hearth::automation {

void parse_purpose(ConfigReader& in, const ConfigNode& node, const Purpose& purpose, Trigger& trigger);
void parse_purpose(ConfigReader& in, const ConfigNode& node, const Purpose& purpose, Condition& condition);

// Names the nearest kind or purpose. Known are the kinds, or the purposes of the domain that the name begins with.
std::string unknown_kind(std::string_view what, std::string_view name, std::span<const std::string_view> kinds,
                         std::span<const std::string_view> purposes);

}  // namespace hearth::automation
