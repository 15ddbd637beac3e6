// SPDX-License-Identifier: Apache-2.0
// Shared by the commands: their input and output, and the command that the arguments chose.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>

#include "app/connections/integrations.h"
#include "base/clock.h"
#include "base/result.h"

namespace hearth::app {

struct CommandContext {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  const base::Clock& clock;
  // Shows the question to a person and reads the answer without echo.
  std::function<base::Result<std::string>(const std::string& question)> ask_password;

  // Set by parsing: the value of --config, and the chosen command.
  std::string config;
  std::function<base::Result<void>()> command;

  Integrations integrations = all_integrations();
  int failed_code = 1;  // the exit code if the command fails
};

// The option --config of every command.
void add_config_option(CLI::App& command, CommandContext& context);

// Parses the arguments (without the program's name), runs the chosen command, and returns the exit code: 0; after
// exactly one line on context.err, 2 for wrong arguments and failed_code for a command that failed.
int run_command_line(CLI::App& app, CommandContext& context, std::vector<std::string> arguments);

}  // namespace hearth::app
