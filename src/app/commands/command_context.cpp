// SPDX-License-Identifier: Apache-2.0
#include "app/commands/command_context.h"

#include <algorithm>
#include <ostream>

namespace hearth::app {
namespace {

// Prints one line, whatever arguments the message quotes.
void print_failure(std::ostream& err, std::string message) {
  std::ranges::replace_if(message, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  err << "hearth: " << message << '\n';
}

}  // namespace

void add_config_option(CLI::App& command, CommandContext& context) {
  command
      .add_option("--config", context.config,
                  "The configuration folder (default $HEARTH_CONFIG, else ~/.config/hearth)")
      ->type_name("DIR");
}

int run_command_line(CLI::App& app, CommandContext& context, std::vector<std::string> arguments) {
  std::ranges::reverse(arguments);  // the order that CLI11 needs
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& asked) {
    return app.exit(asked, context.out, context.err);
  } catch (const CLI::ParseError& wrong) {
    print_failure(context.err, wrong.what());
    return 2;
  }
  if (!context.command) {
    context.err << app.help();
    return 2;
  }
  const auto done = context.command();
  if (done) return 0;
  print_failure(context.err, done.error().message);
  return context.failed_code;
}

}  // namespace hearth::app
