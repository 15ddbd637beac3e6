// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/processes/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/values/words.h"

namespace hearth::building_blocks {
namespace {

using base::ErrorCode;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr core::Words kBlocks{"autoescape block call filter for if macro raw with"};
constexpr core::Words kShellWords{"& && ; < << > >> 1> 2> 2>&1 | ||"};

bool is_blank(char c) {
  return kBlanks.contains(c);
}

// The end of the template that begins here: {{ … }}, {% … %} or {# … #}. Null if it has none.
std::optional<std::size_t> template_end(std::string_view text, std::size_t at) {
  const std::string_view closing = text[at + 1] == '{' ? "}}" : text[at + 1] == '%' ? "%}" : "#}";
  char quote = 0;
  for (std::size_t next = at + 2; next < text.size(); ++next) {
    const char c = text[next];
    if (quote != 0) {
      if (c == '\\')
        ++next;
      else if (c == quote)
        quote = 0;
    } else if (text.substr(next).starts_with(closing)) {
      return next + closing.size();
    } else if (closing != "#}" && (c == '"' || c == '\'')) {
      quote = c;
    }
  }
  return {};
}

// How much deeper in blocks the text after this tag is: `{% if a %}`.
int change_of_depth(std::string_view tag) {
  if (!tag.starts_with("{%")) return 0;
  tag.remove_prefix(2);
  while (!tag.empty() && (is_blank(tag.front()) || tag.front() == '-' || tag.front() == '+')) tag.remove_prefix(1);
  const std::string_view name = tag.substr(0, std::min(tag.size(), tag.find_first_of(" \t\r\n-%")));
  if (name.starts_with("end")) return -1;
  return kBlocks.contains(name) || (name == "set" && !tag.contains('=')) ? 1 : 0;
}

bool begins_template(std::string_view text, std::size_t at) {
  return text[at] == '{' && at + 1 < text.size() && std::string_view("{%#").contains(text[at + 1]);
}

}  // namespace

bool has_template(std::string_view text) {
  return text.contains("{{") || text.contains("{%") || text.contains("{#");
}

base::Result<std::vector<Word>> split_words(std::string_view command) {
  std::vector<Word> words;
  Word word;
  bool begun = false;
  char quote = 0;
  int depth = 0;
  for (std::size_t at = 0; at < command.size();) {
    const char c = command[at];
    if (begins_template(command, at)) {
      const auto end = template_end(command, at);
      if (!end)
        return base::fail(ErrorCode::invalid, fmt::format("the template {} is never closed", command.substr(at, 2)));
      const std::string_view tag = command.substr(at, *end - at);
      depth = std::max(0, depth + change_of_depth(tag));
      word.text += tag;
      word.is_template = begun = true;
      at = *end;
      continue;
    }
    ++at;
    if (depth > 0) {
      word.text += c;
    } else if (quote == '\'') {
      if (c == quote)
        quote = 0;
      else
        word.text += c;
    } else if (c == '\\' && at < command.size() && (quote == 0 || command[at] == '"' || command[at] == '\\')) {
      word.text += command[at++];
      begun = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word.text += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      word.quoted = begun = true;
    } else if (!is_blank(c)) {
      word.text += c;
      begun = true;
    } else if (begun) {
      words.push_back(std::exchange(word, {}));
      begun = false;
    }
  }
  if (quote != 0) return base::fail(ErrorCode::invalid, fmt::format("the quote {} is never closed", quote));
  if (begun) words.push_back(std::move(word));
  return words;
}

std::string_view shell_word(const std::vector<Word>& words) {
  const auto found = std::ranges::find_if(words, [](const Word& word) {
    return !word.quoted && !word.is_template && (kShellWords.contains(word.text) || word.text.starts_with("$("));
  });
  return found == words.end() ? std::string_view() : found->text;
}

}  // namespace hearth::building_blocks
