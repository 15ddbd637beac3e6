// SPDX-License-Identifier: Apache-2.0
// The commands `hearth user …` and `hearth token …`. They work on home.db whether or not the hub runs; it sees the
// change within a second.
#pragma once

#include "app/command_context.h"

namespace hearth::app {

// Both must outlive the parsing and the command that it chooses.
void add_account_commands(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
