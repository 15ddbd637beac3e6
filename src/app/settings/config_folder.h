// SPDX-License-Identifier: Apache-2.0
// The home's folder, with configuration.yaml and home.db.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::app {

constexpr std::string_view kDatabaseName = "home.db";

// An absolute path: the value of --config, otherwise $HEARTH_CONFIG, otherwise ~/.config/hearth. Fails with invalid if
// none of them is set.
base::Result<std::filesystem::path> config_folder(const std::string& option);

// Creates the folder, accessible to its owner only, if it does not exist. Fails with unavailable.
base::Result<void> make_config_folder(const std::filesystem::path& folder);

}  // namespace hearth::app
