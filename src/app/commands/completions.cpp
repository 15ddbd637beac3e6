// SPDX-License-Identifier: Apache-2.0
#include "app/commands/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hearth::app {
namespace {

// All three scripts find the chosen command first: the longest path that the words before the cursor name.

enum class Paths { none, files, folders };

Paths paths_of(std::string_view value) {
  return value == "FILE" ? Paths::files : value == "DIR" ? Paths::folders : Paths::none;
}

bool takes_files(const CommandEntry& command) {
  return std::ranges::any_of(command.arguments, [](const ArgumentEntry& each) { return each.name == "FILE"; });
}

std::string quoted(std::string_view text, std::string_view quote_inside) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += quote_inside;
    } else {
      result += c;
    }
  }
  return result + "'";
}
std::string quoted_for_sh(std::string_view text) {
  return quoted(text, "'\\''");
}
std::string quoted_for_fish(std::string_view text) {
  std::string escaped;  // within its quotes, a backslash stands for itself only if it is doubled
  for (const char c : text) escaped += c == '\\' ? "\\\\" : std::string(1, c);
  return quoted(escaped, "\\'");
}

// The paths of all commands but the program, each with a space before it, as patterns of `case`.
std::string path_patterns(const CommandEntry& program) {
  std::string patterns;
  for (const CommandEntry* const command : all_commands(program)) {
    if (command->path.empty()) continue;
    patterns += fmt::format("{}' {}'", patterns.empty() ? "" : " | ", command->path);
  }
  return patterns;
}

std::string key_of(const CommandEntry& command) {
  return command.path.empty() ? "''" : fmt::format("' {}'", command.path);
}

// Cases for the word after an option that takes a value: `action` of what the value names.
template <typename Action>
std::string value_cases(const CommandEntry& program, Action action) {
  std::string cases;
  for (const CommandEntry* const command : all_commands(program)) {
    for (const OptionEntry& option : command->options) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names) {
        const std::string path = command->path.empty() ? "" : " " + command->path;
        cases += fmt::format("    ('{} {}') {} ;;\n", path, name, action(paths_of(option.value)));
      }
    }
  }
  return cases;
}

std::string for_bash(const CommandEntry& program) {
  std::string text = fmt::format(
      R"(# Completes hearth in bash; made by `hearth completion bash`.
_hearth() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} chosen='' words='' files='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$chosen ${{COMP_WORDS[i]}}" in
      {}) chosen+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  COMPREPLY=()
  case "$chosen ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}  esac
  case $chosen in
)",
      path_patterns(program), value_cases(program, [](Paths paths) {
        return paths == Paths::none
                   ? std::string("return")
                   : fmt::format("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -{} -- \"$word\"); return",
                                 paths == Paths::files ? 'f' : 'd');
      }));
  for (const CommandEntry* const command : all_commands(program)) {
    std::vector<std::string> words;
    for (const CommandEntry& each : command->commands) words.push_back(each.name());
    for (const OptionEntry& option : command->options)
      words.insert(words.end(), option.names.begin(), option.names.end());
    text += fmt::format("    ({}) words='{}'{} ;;\n", key_of(*command), fmt::join(words, " "),
                        takes_files(*command) ? " files=1" : "");
  }
  return text +
         R"(  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if [[ $files && $word != -* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _hearth hearth
)";
}

std::string for_zsh(const CommandEntry& program) {
  std::string text = fmt::format(
      R"(#compdef hearth
# Completes hearth in zsh; made by `hearth completion zsh`.
_hearth() {{
  local chosen='' files='' i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    case "$chosen ${{words[i]}}" in
      ({}) chosen+=" ${{words[i]}}" ;;
    esac
  done
  case "$chosen ${{words[CURRENT - 1]}}" in
{}  esac
  case $chosen in
)",
      path_patterns(program), value_cases(program, [](Paths paths) {
        return std::string(paths == Paths::none    ? "return"
                           : paths == Paths::files ? "_files; return"
                                                   : "_files -/; return");
      }));
  for (const CommandEntry* const command : all_commands(program)) {
    std::string offered;
    for (const CommandEntry& each : command->commands)
      offered += " " + quoted_for_sh(each.name() + ":" + each.description);
    for (const OptionEntry& option : command->options) {
      for (const std::string& name : option.names) offered += " " + quoted_for_sh(name + ":" + option.description);
    }
    text += fmt::format("    ({}) offered=({}){} ;;\n", key_of(*command), offered.substr(offered.empty() ? 0 : 1),
                        takes_files(*command) ? " files=1" : "");
  }
  return text +
         R"(  esac
  if [[ -n $files && ${words[CURRENT]} != -* ]]; then
    _files
  else
    _describe command offered
  fi
}
if [[ $funcstack[1] == _hearth ]]; then _hearth "$@"; else compdef _hearth hearth; fi
)";
}

std::string for_fish(const CommandEntry& program) {
  std::vector<std::string> paths;
  for (const CommandEntry* const command : all_commands(program)) {
    if (!command->path.empty()) paths.push_back(quoted_for_fish(command->path));
  }
  std::string text = fmt::format(
      R"(# Completes hearth in fish; made by `hearth completion fish`.
function __hearth_at
    set -l chosen
    for word in (commandline -opc)[2..-1]
        set -l longer $chosen $word
        if contains -- "$longer" {}
            set chosen $longer
        end
    end
    test "$chosen" = "$argv[1]"
end
complete -c hearth -f
)",
      fmt::join(paths, " "));
  for (const CommandEntry* const command : all_commands(program)) {
    const std::string start =
        fmt::format("complete -c hearth -n {}", quoted_for_fish(fmt::format("__hearth_at \"{}\"", command->path)));
    for (const CommandEntry& each : command->commands)
      text += fmt::format("{} -a {} -d {}\n", start, each.name(), quoted_for_fish(each.description));
    for (const OptionEntry& option : command->options) {
      text += start;
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) {
        const Paths value = paths_of(option.value);
        text += value == Paths::none    ? " -x"
                : value == Paths::files ? " -r -F"
                                        : " -x -a '(__fish_complete_directories)'";
      }
      text += fmt::format(" -d {}\n", quoted_for_fish(option.description));
    }
    if (takes_files(*command)) text += start + " -F\n";
  }
  return text;
}

}  // namespace

const std::vector<std::string>& completed_shells() {
  static const std::vector<std::string> shells{"bash", "zsh", "fish"};
  return shells;
}

base::Result<std::string> completion(const CommandEntry& program, std::string_view shell) {
  if (shell == "bash") return for_bash(program);
  if (shell == "zsh") return for_zsh(program);
  if (shell == "fish") return for_fish(program);
  return base::fail(base::ErrorCode::invalid, fmt::format("There is no completion for {}; there is one for {}.", shell,
                                                          fmt::join(completed_shells(), ", ")));
}

}  // namespace hearth::app
