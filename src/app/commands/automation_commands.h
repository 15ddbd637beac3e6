// SPDX-License-Identifier: Apache-2.0
// The commands `hearth automation …`, which try automations out in a simulated home. They read the configuration folder
// and write nothing, whether or not the hub runs.
#pragma once

#include "app/commands/command_context.h"

namespace hearth::app {

// Both must outlive the parsing and the chosen command.
void add_automation_commands(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
