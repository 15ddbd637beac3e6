// SPDX-License-Identifier: Apache-2.0
// The commands `hearth backup` and `hearth restore`. A backup works whether or not the hub runs; a restore creates a
// new home.
#pragma once

#include "app/commands/command_context.h"

namespace hearth::app {

// Both must outlive the parsing and the chosen command.
void add_backup_commands(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
