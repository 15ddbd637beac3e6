// SPDX-License-Identifier: Apache-2.0
#include "template/values/text.h"

#include <locale.h>
#include <string.h>
#include <wctype.h>

#include <algorithm>

#include "template/values/failure.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

// Knows all of Unicode; every glibc has it.
locale_t unicode() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale ? locale : uselocale(nullptr);
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& position) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(position);
  const int length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length <= 1 || position + static_cast<std::size_t>(length) > text.size()) {
    ++position;
    return first;
  }
  char32_t c = first & (0xff >> (length + 1));
  for (int i = 1; i < length; ++i) {
    const unsigned char next = at(position + static_cast<std::size_t>(i));
    if ((next & 0xc0) != 0x80) {
      ++position;
      return first;
    }
    c = (c << 6) | (next & 0x3f);
  }
  position += static_cast<std::size_t>(length);
  return c;
}

void append_code_point(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

std::u32string to_code_points(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) out += next_code_point(text, i);
  return out;
}

std::string to_utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_code_point(out, c);
  return out;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

std::size_t byte_of(std::string_view text, std::size_t index) {
  if (index >= text.size()) return text.size();
  std::size_t begun = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
    if (begun++ == index) return i;
  }
  return text.size();
}

std::size_t find_part(std::string_view text, std::string_view part, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (part.empty()) return from;
  const void* const found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : std::string_view::npos;
}

std::size_t find_last_part(std::string_view text, std::string_view part) {
  const std::string reversed(text.rbegin(), text.rend()), wanted(part.rbegin(), part.rend());
  const std::size_t found = find_part(reversed, wanted);
  return found == std::string_view::npos ? found : text.size() - found - part.size();
}

std::string replaced_parts(std::string_view text, std::string_view old, std::string_view fresh, std::int64_t most) {
  std::string out;
  std::size_t i = 0;
  while (most-- != 0) {
    const std::size_t found = find_part(text, old, i);
    if (found == std::string_view::npos) break;
    charge_piece(found - i + fresh.size(), out.size() + found - i + fresh.size());
    out.append(text.substr(i, found - i)).append(fresh);
    i = found + old.size();
  }
  return out.append(text.substr(i));
}

char32_t upper(char32_t c) {
  return static_cast<char32_t>(towupper_l(static_cast<wint_t>(c), unicode()));
}
char32_t lower(char32_t c) {
  return static_cast<char32_t>(towlower_l(static_cast<wint_t>(c), unicode()));
}
bool is_space(char32_t c) {
  return (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

std::string upper_text(std::string_view text) {
  return to_utf8(upper_cased(to_code_points(text)));
}

std::string lower_text(std::string_view text) {
  std::string out;
  if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; })) {
    out = text;
    for (char& c : out) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
    return out;
  }
  return to_utf8(lower_cased(to_code_points(text)));
}

std::string_view trimmed(std::string_view text) {
  const auto plain = [](char c) { return c > 0x20 && c < 0x7f; };
  if (!text.empty() && plain(text.front()) && plain(text.back())) return text;
  std::size_t first = text.size(), last = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    if (is_space(next_code_point(text, i))) continue;
    first = std::min(first, start);
    last = i;
  }
  return first >= last ? std::string_view() : text.substr(first, last - first);
}

}  // namespace hearth::templates
