// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/processes/command_text.h"

#include <fmt/format.h>

#include <utility>

#include "building_blocks/processes/command.h"
#include "building_blocks/processes/words.h"

namespace hearth::building_blocks {

base::Result<CommandText> CommandText::parse(const base::ConfigNode& node, std::vector<std::string>& warnings) {
  const auto text = node.is_text() ? node.text() : std::unexpected(node.mismatch("a command"));
  if (!text) return std::unexpected(text.error());
  const auto wrong = [&](std::string_view why) { return std::unexpected(node.error(why)); };
  if (text->find_first_not_of(" \t\r\n") == std::string::npos) return wrong("expected a command, found nothing");
  if (text->size() > kMaxBytes) return wrong(fmt::format("the command is longer than {} KiB", kMaxBytes >> 10));
  if (text->contains('\0')) return wrong("the command has a zero byte in it");
  CommandText made;
  if (!has_template(*text)) {
    made.line = *text;
    return made;
  }
  const auto words = split_words(*text);
  if (!words) return wrong(words.error().message);
  if (words->front().is_template)
    return wrong("the program is a template; expected its name, and templates in its arguments only");
  if (const std::string_view found = shell_word(*words); !found.empty()) {
    warnings.push_back(node.error(fmt::format("a command with templates runs without a shell, so {} is an argument of "
                                              "{}; a script of yours may have the rest",
                                              found, words->front().text))
                           .message);
  }
  for (const Word& word : *words) {
    auto argument = TextTemplate::parse(word.text);
    if (!argument) return wrong(fmt::format("the argument {}: {}", word.text, argument.error().message));
    made.arguments.push_back({std::move(*argument), word.quoted});
  }
  return made;
}

base::Result<std::vector<std::string>> CommandText::words(const automation::Renderer& renderer,
                                                          const templates::VariablesView& variables) const {
  if (arguments.empty()) return Command::for_shell(line);
  std::vector<std::string> all;
  for (const Argument& argument : arguments) {
    auto text = argument.text.render(renderer, variables);
    if (!text) return base::fail(text.error().code, fmt::format("word {}: {}", all.size() + 1, text.error().message));
    if (!text->empty() || argument.quoted || !argument.text.is_template()) all.push_back(std::move(*text));
  }
  return all;
}

}  // namespace hearth::building_blocks
