// SPDX-License-Identifier: Apache-2.0
#include "app/commands/command_tree.h"

namespace hearth::app {
namespace {

// The kind of a value is a plain word in this program; CLI11 adds bounds, as in `N:INT in [1 - 65535]`.
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.empty() ? "VALUE" : type.substr(0, type.find_first_of(": "));
}

OptionEntry option_entry(const CLI::Option& option) {
  OptionEntry entry{
      .names = {}, .value = {}, .description = option.get_description(), .required = option.get_required()};
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) entry.value = value_name(option);
  return entry;
}

CommandEntry command_entry(const CLI::App& app, std::string path) {
  CommandEntry entry;
  entry.path = std::move(path);
  entry.description = app.get_description();
  for (const CLI::Option* const option : app.get_options([](const CLI::Option*) { return true; })) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) {
      entry.arguments.push_back({option->get_name(true), option->get_description(), option->get_required(),
                                 option->get_items_expected_max() > 1});
    } else {
      entry.options.push_back(option_entry(*option));
    }
  }
  for (const CLI::App* const each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_name().empty() || each->get_group().empty()) continue;
    entry.commands.push_back(
        command_entry(*each, entry.path.empty() ? each->get_name() : entry.path + " " + each->get_name()));
  }
  return entry;
}

void append_all(const CommandEntry& entry, std::vector<const CommandEntry*>& all) {
  all.push_back(&entry);
  for (const CommandEntry& each : entry.commands) append_all(each, all);
}

}  // namespace

CommandEntry command_tree(const CLI::App& app) {
  return command_entry(app, "");
}

std::vector<const CommandEntry*> all_commands(const CommandEntry& root) {
  std::vector<const CommandEntry*> all;
  append_all(root, all);
  return all;
}

}  // namespace hearth::app
