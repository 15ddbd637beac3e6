// SPDX-License-Identifier: Apache-2.0
// hearth tls self-signed.
#pragma once

#include <CLI/CLI.hpp>

#include "app/commands/command_context.h"

namespace hearth::app {

void add_tls_commands(CLI::App& app, CommandContext& context);

}  // namespace hearth::app
