// SPDX-License-Identifier: Apache-2.0
// Names of users and tokens there, within the bounds that names have here. Any thread.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace hearth::import_ha {

// Cut to the length that names may have; `otherwise` if it cannot be a name.
std::string fitting_name(std::string_view wanted, std::string_view otherwise);

// The name, or with a number after `between`: not one of the taken ones, which are folded (auth::fold_case).
std::string free_account_name(const std::string& name, std::string_view between, const std::set<std::string>& taken);

}  // namespace hearth::import_ha
