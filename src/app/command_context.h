// SPDX-License-Identifier: Apache-2.0
// What the commands of the command line share: where they read and write, and which of them the arguments chose.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>

#include "app/integrations.h"
#include "base/clock.h"
#include "base/result.h"

namespace hearth::app {

struct CommandContext {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  const base::Clock& clock;
  // Asks a person, without echo; the question is shown.
  std::function<base::Result<std::string>(const std::string& question)> ask_password;

  // Set by parsing: what --config said, and what the chosen command does.
  std::string config;
  std::function<base::Result<void>()> command;

  Integrations integrations = all_integrations();
};

// The option --config, which every command takes.
void add_config_option(CLI::App& command, CommandContext& context);

// Parses the arguments (without the program's name), runs the chosen command, and returns the exit code: 0, or after
// exactly one line on context.err 2 for wrong arguments and 1 for a command that failed.
int run_command_line(CLI::App& app, CommandContext& context, std::vector<std::string> arguments);

}  // namespace hearth::app
