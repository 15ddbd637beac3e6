// SPDX-License-Identifier: Apache-2.0
// Splits a template's text into tokens: text that is printed as it is, and the code between {{ }} and {% %}. Any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::templates {

enum class TokenKind {
  data,         // printed as it is
  print_begin,  // {{
  print_end,
  block_begin,  // {%
  block_end,
  name,
  text,  // its text has been unescaped
  integer,
  number,
  sign,  // an operator or bracket
  end,
};

struct Token {
  TokenKind kind;
  std::string text;
  int line;  // from 1
};

// Fails with syntax.
std::vector<Token> read_tokens(std::string_view source);

}  // namespace hearth::templates
