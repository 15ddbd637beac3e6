// SPDX-License-Identifier: Apache-2.0
// Regular expressions with Python's syntax, by PCRE2, within the limits of the rendering. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::templates {

class Regex {
 public:
  struct Group {
    std::size_t first = 0, last = 0;
    bool matched = false;
  };
  using Match = std::vector<Group>;  // the whole match first

  // Compiled once for a thread, as long as it is used. Fails with value.
  static std::shared_ptr<const Regex> of(std::string_view pattern, bool ignore_case);

  // The first match from the beginning; only there if anchored. Fails with limit, and with value if the text is not
  // UTF-8.
  std::optional<Match> match(std::string_view text, bool anchored) const {
    return match_from(text, 0, anchored ? kAnchored : 0);
  }
  // Every match, none overlapping.
  std::vector<Match> all(std::string_view text) const;
  // With \1, \g<1> and \g<name> in the replacement. `most` 0 means all.
  std::string replaced(std::string_view text, std::string_view replacement, std::int64_t most) const;
  std::size_t groups() const { return groups_; }

 private:
  struct Code;
  static const std::uint32_t kAnchored;
  std::optional<Match> match_from(std::string_view text, std::size_t start, std::uint32_t options) const;
  Regex(std::string_view pattern, bool ignore_case);
  std::string expanded(std::string_view replacement, std::string_view text, const Match& match) const;

  std::shared_ptr<Code> code_;
  std::size_t groups_ = 0;
};

}  // namespace hearth::templates
