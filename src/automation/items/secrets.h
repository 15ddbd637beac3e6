// SPDX-License-Identifier: Apache-2.0
// Masks secrets (!secret in a file), so that none is shown: not in traces, errors, timelines or explanations. Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "automation/items/item_parser.h"
#include "base/config/config_secrets.h"
#include "base/json/json.h"

namespace hearth::automation {

// Masks each text that is, or contains, one of the secrets, and each number that is one; a short secret, which might be
// a part of anything, only if it is the whole text.
void mask_secrets(json::value& value, const std::vector<std::string>& secrets);
void mask_secrets(json::object& object, const std::vector<std::string>& secrets);

using base::without_secrets;

// Of all its items, each once.
std::vector<std::string> secrets_of(const Configuration& configuration);

}  // namespace hearth::automation
