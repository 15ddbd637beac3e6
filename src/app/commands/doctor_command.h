// SPDX-License-Identifier: Apache-2.0
// `hearth doctor`: how the home and its machine are, and what to do.
#pragma once

#include "app/commands/command_context.h"

namespace hearth::app {

void add_doctor_command(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
