// SPDX-License-Identifier: Apache-2.0
#include "core/values/glob.h"

#include <cassert>
#include <cctype>
#include <optional>
#include <utility>

namespace hearth::core {
namespace {

// Bit n is the character n; those above 127 occur in no id.
class Characters {
 public:
  void add(unsigned char c) {
    if (c < 128) bits_[c / 64] |= std::uint64_t(1) << c % 64;
  }
  void turn_round() {
    for (auto& bits : bits_) bits = ~bits;
  }
  bool has(unsigned char c) const { return c < 128 && (bits_[c / 64] >> c % 64 & 1) != 0; }

 private:
  std::array<std::uint64_t, 2> bits_{};
};

using Test = int (*)(int);
constexpr std::pair<std::string_view, Test> kClasses[] = {
    {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank}, {"cntrl", std::iscntrl},
    {"digit", std::isdigit}, {"graph", std::isgraph}, {"lower", std::islower}, {"print", std::isprint},
    {"punct", std::ispunct}, {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit}};

// Removes `[:name:]` from the start of the text and adds its characters.
bool take_class(std::string_view& text, Characters& set) {
  if (!text.starts_with("[:")) return false;
  const auto end = text.find(":]", 2);
  if (end == std::string_view::npos) return false;
  const std::string_view name = text.substr(2, end - 2);
  for (const auto& [known, test] : kClasses) {
    if (name != known) continue;
    for (int c = 0; c < 128; ++c) {
      if (test(c) != 0) set.add(static_cast<unsigned char>(c));
    }
    text.remove_prefix(end + 2);
    return true;
  }
  return false;
}

// Removes what follows `[`, up to and including `]`. Null if there is no end: then `[` is an ordinary character.
std::optional<Characters> take_set(std::string_view& text) {
  std::string_view rest = text;
  Characters set;
  const auto take = [&] {
    if (rest.size() > 1 && rest.front() == '\\') rest.remove_prefix(1);
    const auto c = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    return c;
  };
  const bool others = rest.starts_with('!') || rest.starts_with('^');
  if (others) rest.remove_prefix(1);
  for (bool first = true; !rest.empty(); first = false) {
    if (!first && rest.front() == ']') {
      rest.remove_prefix(1);
      text = rest;
      if (others) set.turn_round();
      return set;
    }
    if (take_class(rest, set)) continue;
    const unsigned char low = take();
    if (rest.size() < 2 || rest.front() != '-' || rest[1] == ']') {
      set.add(low);
      continue;
    }
    rest.remove_prefix(1);
    const unsigned char high = take();
    for (unsigned c = low; c <= high; ++c) set.add(static_cast<unsigned char>(c));
  }
  return {};
}

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789_.";

}  // namespace

std::size_t Glob::symbol_of(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<std::size_t>(c - 'a');
  if (c >= '0' && c <= '9') return 26 + static_cast<std::size_t>(c - '0');
  if (c == '_') return 36;
  return c == '.' ? 37 : kSymbols;
}

Glob::Glob(std::string_view pattern) {
  static_assert(kAlphabet.size() == kSymbols);
  assert(pattern.size() <= kMaxLength);
  std::vector<Characters> items;
  std::vector<std::size_t> stars;  // how many items come before each star
  Characters any;
  any.turn_round();
  while (!pattern.empty()) {
    const char c = pattern.front();
    pattern.remove_prefix(1);
    if (c == '*') {
      stars.push_back(items.size());
      continue;
    }
    Characters one;
    if (c == '?') {
      one = any;
    } else if (auto set = c == '[' ? take_set(pattern) : std::nullopt) {
      one = *set;
    } else if (c == '\\' && !pattern.empty()) {
      one.add(static_cast<unsigned char>(pattern.front()));
      pattern.remove_prefix(1);
    } else {
      one.add(static_cast<unsigned char>(c));
    }
    items.push_back(one);
  }
  items_ = items.size();
  words_ = items_ / kWordBits + 1;
  table_.resize((kSymbols + 1) * words_);
  const auto mark = [&](std::size_t row, std::size_t place) {
    table_[row * words_ + place / kWordBits] |= Word(1) << place % kWordBits;
  };
  for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
    for (std::size_t i = 0; i < items_; ++i) {
      if (items[i].has(static_cast<unsigned char>(kAlphabet[symbol]))) mark(symbol, i);
    }
  }
  for (const std::size_t place : stars) mark(kSymbols, place);
}

bool Glob::matches(std::string_view entity_id) const {
  Places at{};
  at[0] = 1;
  const Word* const stars = table_.data() + kSymbols * words_;
  for (const char c : entity_id) {
    const std::size_t symbol = symbol_of(c);
    if (symbol == kSymbols) return false;
    const Word* const leads = table_.data() + symbol * words_;
    Word carried = 0, anywhere = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      const Word on = at[i] & leads[i];
      at[i] = (on << 1) | carried | (at[i] & stars[i]);
      carried = on >> (kWordBits - 1);
      anywhere |= at[i];
    }
    if (anywhere == 0) return false;
  }
  return (at[items_ / kWordBits] >> items_ % kWordBits & 1) != 0;
}

std::size_t Glob::stars(std::string_view pattern) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\')
      ++i;
    else if (pattern[i] == '*')
      ++count;
  }
  return count;
}

}  // namespace hearth::core
