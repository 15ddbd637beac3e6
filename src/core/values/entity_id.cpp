// SPDX-License-Identifier: Apache-2.0
#include "core/values/entity_id.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace hearth::core {
namespace {

constexpr std::size_t kMaxDomain = 64;
constexpr std::size_t kMaxLength = 255;

constexpr auto kSlugLetter = [] {
  std::array<bool, 256> letter{};
  for (int c = 0; c < 256; ++c) letter[c] = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return letter;
}();

bool is_slug_letter(char c) {
  return kSlugLetter[static_cast<unsigned char>(c)];
}

constexpr auto kLower = [] {
  std::array<char, 256> lower{};
  for (int c = 0; c < 256; ++c) lower[c] = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}();

// The letters of U+00C0 to U+017F, which are two bytes each, without their marks; `?` for those that kNoLetter spells.
constexpr std::string_view kLetters =
    "aaaaaa?ceeeeiiiidnooooo?ouuuuy??aaaaaa?ceeeeiiiidnooooo?ouuuuy?y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii??jjkkkllllllllllnnnnnnnnnoooooo??"
    "rrrrrrssssssssttttttuuuuuuuuuuuu"
    "wwyyyzzzzzzs";
constexpr std::pair<std::string_view, std::string_view> kNoLetter[] = {{"Æ", "ae"}, {"æ", "ae"}, {"Þ", "th"},
                                                                       {"þ", "th"}, {"ß", "ss"}, {"Ĳ", "ij"},
                                                                       {"ĳ", "ij"}, {"Œ", "oe"}, {"œ", "oe"}};
static_assert(kLetters.size() == 0x180 - 0xC0);

// With the nearest Latin letters for those with marks, as people write them without.
std::string in_ascii(std::string_view name) {
  std::string ascii;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto first = static_cast<unsigned char>(name[i]);
    if (first < 0xC3 || first > 0xC5 || i + 1 == name.size()) {
      ascii += name[i];
      continue;
    }
    const std::size_t code = (first & 0x1FU) << 6U | (static_cast<unsigned char>(name[i + 1]) & 0x3FU);
    const char letter = kLetters[code - 0xC0];
    const auto* const spelled =
        std::ranges::find(kNoLetter, name.substr(i, 2), &std::pair<std::string_view, std::string_view>::first);
    if (letter != '?')
      ascii += letter;
    else
      ascii += spelled == std::end(kNoLetter) ? std::string_view(" ") : spelled->second;
    ++i;
  }
  return ascii;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = kLower[static_cast<unsigned char>(c)];
  return lower;
}

bool is_slug(std::string_view text) {
  bool after_letter = false;
  for (const char c : text) {
    if (!is_slug_letter(c) && !(c == '_' && after_letter)) return false;
    after_letter = c != '_';
  }
  return after_letter;
}

std::string slugify(std::string_view name) {
  std::string slug;
  for (const char c : lower_case(in_ascii(name))) {
    if (is_slug_letter(c))
      slug += c;
    else if (!slug.empty() && slug.back() != '_')
      slug += '_';
  }
  if (!slug.empty() && slug.back() == '_') slug.pop_back();
  return slug;
}

base::Result<EntityId> EntityId::parse(std::string_view text) {
  const auto invalid = [] { return base::fail(base::ErrorCode::invalid, "Invalid entity ID specified."); };
  if (text.size() > kMaxLength) return invalid();
  // Two slugs separated by a dot.
  std::string lower(text);
  std::size_t dot = std::string::npos;
  bool after_letter = false;
  for (char& c : lower) {
    c = kLower[static_cast<unsigned char>(c)];
    const bool letter = kSlugLetter[static_cast<unsigned char>(c)];
    if (!letter) {
      if (!after_letter) return invalid();
      if (c == '.' && dot == std::string::npos)
        dot = static_cast<std::size_t>(&c - lower.data());
      else if (c != '_')
        return invalid();
    }
    after_letter = letter;
  }
  if (!after_letter || dot > kMaxDomain) return invalid();
  return EntityId(std::move(lower), dot);
}

}  // namespace hearth::core
