// SPDX-License-Identifier: Apache-2.0
// Splits a command with templates into words, so that what the templates give cannot become another word. Blanks,
// quotes and backslashes count as in a shell, except in templates, which belong to the word that they stand in, with
// all between {% if %} and {% endif %}. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::building_blocks {

struct Word {
  std::string text;  // without the quotes around it
  bool is_template = false;
  bool quoted = false;  // stays an argument even if it is empty

  bool operator==(const Word&) const = default;
};

bool has_template(std::string_view text);

// Fails with invalid if a quote or a template is not closed.
base::Result<std::vector<Word>> split_words(std::string_view command);

// The first word that only a shell would understand: |, >, &&, $(…); empty if there is none.
std::string_view shell_word(const std::vector<Word>& words);

}  // namespace hearth::building_blocks
