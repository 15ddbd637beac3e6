// SPDX-License-Identifier: Apache-2.0
// `hearth downgrade`: the copies from before upgrades, and the way back to one of them.
#pragma once

#include <filesystem>

#include "app/commands/command_context.h"

namespace hearth::app {

void add_downgrade_command(CLI::App& app, CommandContext& context);

// For commands that write to the databases: upgrades the home as the hub does at its start. Fails with conflict if that
// is needed and a hub of an older version runs; otherwise as upgrade_home.
base::Result<void> upgrade_for_command(const std::filesystem::path& folder, const base::Clock& clock);

}  // namespace hearth::app
