// SPDX-License-Identifier: Apache-2.0
// `customize`, `customize_domain` and `customize_glob` of the section home. Any thread.
#pragma once

#include <string_view>

#include "app/files/finding.h"
#include "base/config/config_node.h"
#include "core/values/customizations.h"

namespace hearth::app {

bool is_customization(std::string_view key);

// `home`: null if there is no such section. Wrong entries are left out, with a finding each.
core::Customizations read_customizations(const base::ConfigNode* home, Findings& findings);

}  // namespace hearth::app
