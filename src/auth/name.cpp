// SPDX-License-Identifier: Apache-2.0
#include "auth/name.h"

#include <fmt/format.h>
#include <locale.h>
#include <wctype.h>

#include <bit>
#include <cstdint>

#include "base/text/utf8.h"

namespace hearth::auth {
namespace {

// Removes the first code point of valid UTF-8.
char32_t take(std::string_view& text) {
  const auto first = static_cast<std::uint8_t>(text.front());
  const int length = first < 0x80 ? 1 : std::countl_one(first);
  char32_t point = length == 1 ? first : first & (0x7F >> length);
  for (int i = 1; i < length; ++i) point = point << 6 | (static_cast<std::uint8_t>(text[i]) & 0x3F);
  text.remove_prefix(length);
  return point;
}

void append(std::string& out, char32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
    return;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
}

bool is_control(char32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0);
}

// The C library's tables for all of Unicode, independent of the process's locale.
char32_t to_lower(char32_t point) {
  static const ::locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (!locale) return point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
  // Upper case first: letters with two lower-case forms, such as the Greek sigma, become the same.
  return static_cast<char32_t>(::towlower_l(::towupper_l(static_cast<wint_t>(point), locale), locale));
}

}  // namespace

base::Result<void> check_name(std::string_view what, std::string_view name) {
  const auto length = base::utf8_length(name);
  if (!length) return base::fail(base::ErrorCode::invalid, fmt::format("{} must be UTF-8 text.", what));
  if (*length < 1 || *length > kMaxNameLength) {
    return base::fail(base::ErrorCode::invalid, fmt::format("{} has 1 to {} characters.", what, kMaxNameLength));
  }
  if (name.front() == ' ' || name.back() == ' ') {
    return base::fail(base::ErrorCode::invalid, fmt::format("{} has no space at its ends.", what));
  }
  while (!name.empty()) {
    if (is_control(take(name))) {
      return base::fail(base::ErrorCode::invalid, fmt::format("{} has no control characters.", what));
    }
  }
  return {};
}

std::string fold_case(std::string_view name) {
  std::string folded;
  while (!name.empty()) append(folded, to_lower(take(name)));
  return folded;
}

}  // namespace hearth::auth
