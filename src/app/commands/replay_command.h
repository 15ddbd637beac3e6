// SPDX-License-Identifier: Apache-2.0
// The command `hearth automation replay`: recorded history through the configuration's automations. Reads the
// configuration folder and writes nothing, whether or not the hub runs.
#pragma once

#include "app/commands/command_context.h"

namespace hearth::app {

// Both must outlive the parsing and the chosen command.
void add_replay_command(CLI::App& group, CommandContext& context);

}  // namespace hearth::app
