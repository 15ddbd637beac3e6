// SPDX-License-Identifier: Apache-2.0
// Takes JSON texts apart without values: a message with all states of a home has millions of them, and each state is
// read for itself. A text that is no JSON may go unnoticed here; who reads its parts notices. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace hearth::integrations::home_assistant {

// The kind of the value that begins with this character, after blanks.
inline char first_of(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

// Goes through the members of an object, or the elements of an array:
//
//   TextParts parts(text);
//   while (const auto part = parts.next()) use(part->key, part->value);
//   if (parts.broken()) …
//
// Another value has no parts, and is broken.
class TextParts {
 public:
  struct Part {
    std::string_view key;  // of an object; as it is written, with escapes
    std::string_view value;
  };

  // REQUIRES: the text outlives this.
  explicit TextParts(std::string_view text);

  std::optional<Part> next();
  bool broken() const { return broken_; }
  bool is_object() const { return close_ == '}'; }

 private:
  void skip_blanks();
  // To after the value that begins here.
  bool skip_value();
  bool skip_text();
  std::optional<Part> fail();

  std::string_view text_;
  std::size_t at_ = 0;
  char close_ = '\0';
  bool first_ = true, ended_ = false, broken_ = false;
};

// Of a key or a value that is a string: the text itself; empty if it is none.
std::string unquoted(std::string_view text);
// Of a key that next() has given.
std::string key_text(std::string_view key);
// As base::parse_json; null if it is none.
std::optional<json::value> value_of(std::string_view text);
// Likewise; empty unless it is an object.
json::object object_of(std::string_view text);

}  // namespace hearth::integrations::home_assistant
