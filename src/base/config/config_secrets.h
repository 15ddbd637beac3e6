// SPDX-License-Identifier: Apache-2.0
// Masks texts that !secret has brought into a configuration, so that neither errors nor the log show them. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_node.h"

namespace hearth::base {

constexpr std::string_view kMaskedSecret = "********";
// A shorter one might be a part of anything.
constexpr std::size_t kShortSecret = 4;

// All below the node, each once.
std::vector<std::string> secrets_in(const ConfigNode& node);

// An error or the like without them; a short one is masked only where it stands alone.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace hearth::base
