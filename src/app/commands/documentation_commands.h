// SPDX-License-Identifier: Apache-2.0
// The commands `hearth man` and `hearth completion`, which print what they are made from: all commands of the program.
#pragma once

#include "app/commands/command_context.h"

namespace hearth::app {

// Both must outlive the parsing and the chosen command. Commands that are added later are described, too.
void add_documentation_commands(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
