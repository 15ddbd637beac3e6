// SPDX-License-Identifier: Apache-2.0
// `hearth import-ha SOURCE`: makes a home of another hub's folder or backup.
#pragma once

#include "app/commands/command_context.h"

namespace hearth::app {

void add_import_command(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
