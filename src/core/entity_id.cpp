// SPDX-License-Identifier: Apache-2.0
#include "core/entity_id.h"

#include <array>

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
  for (const char c : lower_case(name)) {
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
