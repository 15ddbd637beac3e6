// SPDX-License-Identifier: Apache-2.0
// Triggers, conditions and steps of a device that name a domain which this hub does not have, such as zha: only the hub
// whose device it is knows what they mean. Any thread.
#pragma once

#include <optional>
#include <string_view>

#include "automation/config/parsing.h"

namespace hearth::automation {

// Takes all keys of the node if it is such a form. `key`: under which that hub reads that it is a device's; empty:
// none.
std::optional<DelegatedForm> delegated_form(ConfigReader& in, const ConfigNode& node, std::string_view key);

}  // namespace hearth::automation
