// SPDX-License-Identifier: Apache-2.0
// The folder that holds a home: its configuration.yaml and its home.db.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::app {

constexpr std::string_view kDatabaseName = "home.db";

// An absolute path: what --config said or, where that is empty, $HEARTH_CONFIG, else ~/.config/hearth. Fails with
// invalid where none of them says anything.
base::Result<std::filesystem::path> config_folder(const std::string& option);

// Makes the folder, for its owner alone, where there is none. Fails with unavailable.
base::Result<void> make_config_folder(const std::filesystem::path& folder);

}  // namespace hearth::app
