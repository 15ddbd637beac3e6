// SPDX-License-Identifier: Apache-2.0
// The commands `hearth audit …`, which read the audit log whether or not the hub runs, and the rows of the commands
// that change a home.
#pragma once

#include <filesystem>
#include <string>

#include "app/commands/command_context.h"

namespace hearth::app {

// Both must outlive the parsing and the chosen command.
void add_audit_commands(CLI::App& app, CommandContext& context);

// Records a command before it changes the home in the folder: `user add ben`. Fails with unavailable if it cannot be
// recorded and has to be (audit: required).
base::Result<void> record_command(const CommandContext& context, const std::filesystem::path& folder,
                                  std::string command);

}  // namespace hearth::app
