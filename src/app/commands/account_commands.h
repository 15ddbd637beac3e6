// SPDX-License-Identifier: Apache-2.0
// The commands `hearth user …` and `hearth token …`. They change home.db whether or not the hub runs; a running hub
// sees the change within a second.
#pragma once

#include "app/commands/command_context.h"

namespace hearth::app {

// Both must outlive the parsing and the chosen command.
void add_account_commands(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
