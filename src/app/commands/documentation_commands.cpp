// SPDX-License-Identifier: Apache-2.0
#include "app/commands/documentation_commands.h"

#include <memory>
#include <ostream>

#include "app/commands/command_tree.h"
#include "app/commands/completions.h"
#include "app/commands/man_page.h"
#include "app/version.h"

namespace hearth::app {

void add_documentation_commands(CLI::App& app, CommandContext& context) {
  CLI::App* const man = app.add_subcommand("man", "Print the man page of this program");
  add_config_option(*man, context);
  man->callback([&] {
    context.command = [&]() -> base::Result<void> {
      context.out << man_page(command_tree(app), version());
      return {};
    };
  });

  CLI::App* const command = app.add_subcommand("completion", "Print a script that completes these commands in a shell");
  add_config_option(*command, context);
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  command->callback([&, shell] {
    context.command = [&, shell]() -> base::Result<void> {
      const auto script = completion(command_tree(app), *shell);
      if (!script) return std::unexpected(script.error());
      context.out << *script;
      return {};
    };
  });
}

}  // namespace hearth::app
