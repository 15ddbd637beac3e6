// SPDX-License-Identifier: Apache-2.0
// A pattern for entity ids: `*` any text, `?` any character, `[a-f]`, `[!0-9]` and `[[:digit:]]` one of a set, `\*` the
// character itself, as in fnmatch(3). Compiled once; a match takes one step for each character of the id, whatever the
// pattern.
//
// Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hearth::core {

class Glob {
 public:
  // The longest pattern; the home's limit has the same default.
  static constexpr std::size_t kMaxLength = 255;

  // REQUIRES: at most kMaxLength bytes.
  explicit Glob(std::string_view pattern);

  bool matches(std::string_view entity_id) const;
  // Its memory.
  std::size_t weight() const { return sizeof *this + table_.capacity() * sizeof(Word); }

  // The number of stars that match any text.
  static std::size_t stars(std::string_view pattern);

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kWordBits = 64;
  static constexpr std::size_t kMaxWords = (kMaxLength + kWordBits) / kWordBits;
  // The alphabet of entity ids: a to z, 0 to 9, `_` and `.`.
  static constexpr std::size_t kSymbols = 38;
  using Places = std::array<Word, kMaxWords>;

  static std::size_t symbol_of(char c);  // kSymbols for characters that occur in no id

  // The states of the automaton, one bit for each position between the items, not counting stars: for each symbol, the
  // positions that it advances, and the positions at a star, which every symbol keeps.
  std::size_t items_ = 0;
  std::size_t words_ = 1;
  std::vector<Word> table_;
};

}  // namespace hearth::core
