// SPDX-License-Identifier: Apache-2.0
// A regular expression that a whole text must match, as the pattern of an input of a form. PCRE2's syntax, which has
// all that browsers know, within a limit of steps. Any thread.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"

namespace hearth::base {

class Pattern {
 public:
  // Fails with invalid; the message says where it is wrong.
  static Result<Pattern> parse(std::string_view text);

  // False also if the limit is reached, or the text is not UTF-8.
  bool matches(std::string_view text) const;

 private:
  struct Code;
  explicit Pattern(std::shared_ptr<const Code> code) : code_(std::move(code)) {}

  std::shared_ptr<const Code> code_;
};

}  // namespace hearth::base
