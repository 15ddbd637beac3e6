// SPDX-License-Identifier: Apache-2.0
// The commands as plain values, read from the parser that runs them: for the man page and the completions of shells.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hearth::app {

struct OptionEntry {
  std::vector<std::string> names;  // with their dashes, short ones first
  std::string value;               // the name of its value, such as FILE; empty: it takes none
  std::string description;
  bool required = false;
};

struct ArgumentEntry {
  std::string name;
  std::string description;
  bool required = false;
  bool repeated = false;
};

struct CommandEntry {
  std::string path;  // below the program, such as `user add`; empty: the program itself
  std::string description;
  std::vector<OptionEntry> options;
  std::vector<ArgumentEntry> arguments;
  std::vector<CommandEntry> commands;

  std::string name() const { return path.substr(path.find_last_of(' ') + 1); }
};

// Hidden options and commands are left out.
CommandEntry command_tree(const CLI::App& app);

// The command and all below it, each before those that belong to it.
std::vector<const CommandEntry*> all_commands(const CommandEntry& root);

}  // namespace hearth::app
