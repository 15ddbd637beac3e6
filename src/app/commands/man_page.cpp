// SPDX-License-Identifier: Apache-2.0
#include "app/commands/man_page.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::app {
namespace {

constexpr std::string_view kAbout =
    R"(.SH DESCRIPTION
Hearth holds the state of every light, lock and sensor of a home, receives every change, and serves them over one HTTP
port, with pages for a browser. Without a command it prints its help.
.PP
.B hearth serve
runs the hub. All other commands work whether or not the hub runs, except
.BR "hearth restore" ,
which fills a new or empty folder.
)";

constexpr std::string_view kAfter =
    R"(.SH ENVIRONMENT
.TP
.B HEARTH_CONFIG
The configuration folder, unless
.B \-\-config
names one.
.TP
.B HEARTH_CODE_FOR_ALL
.B true
stands for
.BR "hearth serve \-\-code\-for\-all" .
.SH FILES
Everything that a home stores is in the configuration folder:
.TP
.I configuration.yaml
The settings, written with commented defaults at the first start.
.TP
.I home.db
Users, tokens, the registry, last states and what people have made.
.TP
.I history.db
The history.
.PP
The Debian package runs the hub as the service
.B hearth
with the user
.B hearth
and the folder
.IR /var/lib/hearth .
Commands for that home run as this user:
.PP
.EX
sudo \-u hearth hearth user list \-\-config /var/lib/hearth
.EE
.SH EXIT STATUS
0 on success, 1 if the command failed, 2 for wrong arguments. A failure writes one line to standard error.
.SH SEE ALSO
The documents in
.IR /usr/share/doc/hearth ;
.BR systemctl (1),
.BR journalctl (1)
)";

// The text as roff shows it literally.
std::string literal(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) {
      escaped += "\\&";
      escaped += c;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", literal(text));
}
std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", literal(text));
}

std::string synopsis(const CommandEntry& command) {
  std::string line = bold("hearth " + command.path);
  for (const OptionEntry& option : command.options) {
    if (option.required) line += fmt::format(" {} {}", bold(option.names.back()), italic(option.value));
  }
  line += " [\\fIoptions\\fR]";
  for (const ArgumentEntry& argument : command.arguments) {
    const std::string name = italic(argument.name) + (argument.repeated ? "..." : "");
    line += argument.required ? " " + name : fmt::format(" [{}]", name);
  }
  return line;
}

std::string entry(std::string_view term, std::string_view description) {
  return fmt::format(".TP\n{}\n{}\n", term, literal(description));
}

std::string term(const OptionEntry& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
  return option.value.empty() ? text : text + " " + italic(option.value);
}

// The commands that are run; the others are groups of them.
std::vector<const CommandEntry*> run_commands(const CommandEntry& program) {
  auto commands = all_commands(program);
  std::erase_if(commands, [](const CommandEntry* each) { return each->path.empty() || !each->commands.empty(); });
  return commands;
}

bool has(const CommandEntry& command, const OptionEntry& option) {
  return std::ranges::find(command.options, option.names, &OptionEntry::names) != command.options.end();
}

}  // namespace

std::string man_page(const CommandEntry& program, std::string_view version) {
  std::string page = fmt::format(".TH HEARTH 1 \"\" \"Hearth {}\" \"User commands\"\n", literal(version));
  page += ".SH NAME\nhearth \\- home automation hub\n.SH SYNOPSIS\n.B hearth\n.I command\n.RI [ options ]\n";
  page += kAbout;
  page += ".SH COMMANDS\n";
  const auto commands = run_commands(program);
  const auto is_common = [&](const OptionEntry& option) {
    return std::ranges::all_of(commands, [&](const CommandEntry* each) { return has(*each, option); });
  };
  for (const CommandEntry* const command : commands) {
    page += fmt::format(".SS {}\n{}\n.PP\n{}.\n", literal(command->path), synopsis(*command),
                        literal(command->description));
    for (const ArgumentEntry& argument : command->arguments) page += entry(italic(argument.name), argument.description);
    for (const OptionEntry& option : command->options) {
      if (!is_common(option)) page += entry(term(option), option.description);
    }
  }
  page += ".SH OPTIONS\nAfter any command:\n";
  for (const OptionEntry& option : commands.at(0)->options) {
    if (is_common(option)) page += entry(term(option), option.description);
  }
  page += kAfter;
  return page;
}

}  // namespace hearth::app
