// SPDX-License-Identifier: Apache-2.0
// A pattern of entity ids: `*` any text, `?` any character, `[a-f]`, `[!0-9]` and `[[:digit:]]` one of a set, `\*` the
// character itself, as fnmatch(3) has them. Compiled once; a match takes one step for each character of the id,
// whatever the pattern.
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
  // All that a pattern may have: the default of the home's limits is the same.
  static constexpr std::size_t kMaxLength = 255;

  // REQUIRES: at most kMaxLength bytes.
  explicit Glob(std::string_view pattern);

  bool matches(std::string_view entity_id) const;
  // What it takes in memory.
  std::size_t weight() const { return sizeof *this + table_.capacity() * sizeof(Word); }

  // The stars that stand for any text.
  static std::size_t stars(std::string_view pattern);

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kWordBits = 64;
  static constexpr std::size_t kMaxWords = (kMaxLength + kWordBits) / kWordBits;
  // What entity ids are made of: a to z, 0 to 9, `_` and `.`.
  static constexpr std::size_t kSymbols = 38;
  using Places = std::array<Word, kMaxWords>;

  static std::size_t symbol_of(char c);  // kSymbols for what is in no id

  // One bit for each place between the pattern's items, stars apart: from which places a symbol leads on to the next
  // one, symbol after symbol, and at which a star stands, so that any symbol leaves one there.
  std::size_t items_ = 0;
  std::size_t words_ = 1;
  std::vector<Word> table_;
};

}  // namespace hearth::core
