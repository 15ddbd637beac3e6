// SPDX-License-Identifier: Apache-2.0
#include "template/values/unicode.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>

#include "template/values/text.h"

namespace hearth::templates {
namespace {

struct FreeMatch {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};

// The characters that match a pattern of PCRE2, which has the Unicode Character Database.
class Property {
 public:
  explicit Property(std::string_view pattern) {
    int error = 0;
    PCRE2_SIZE place = 0;
    code_ = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF | PCRE2_ANCHORED,
                          &error, &place, nullptr);
  }

  bool has(char32_t c) const {
    thread_local const std::unique_ptr<pcre2_match_data, FreeMatch> match(pcre2_match_data_create(1, nullptr));
    if (!code_ || !match || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return false;
    std::string text;
    append_code_point(text, c);
    return pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, PCRE2_NO_UTF_CHECK,
                       match.get(), nullptr) > 0;
  }

 private:
  pcre2_code* code_;  // lives as long as the program
};

struct CharacterRange {
  char32_t first, last;
};

// Digits that are no decimal ones, and numbers that are letters: Numeric_Type of the Unicode Character Database,
// version 14, which PCRE2 does not have.
constexpr CharacterRange kDigitSigns[] = {
    {0xb2, 0xb3},     {0xb9, 0xb9},       {0x1369, 0x1371},   {0x19da, 0x19da},   {0x2070, 0x2070},
    {0x2074, 0x2079}, {0x2080, 0x2089},   {0x2460, 0x2468},   {0x2474, 0x247c},   {0x2488, 0x2490},
    {0x24ea, 0x24ea}, {0x24f5, 0x24fd},   {0x24ff, 0x24ff},   {0x2776, 0x277e},   {0x2780, 0x2788},
    {0x278a, 0x2792}, {0x10a40, 0x10a43}, {0x10e60, 0x10e68}, {0x11052, 0x1105a}, {0x1f100, 0x1f10a}};
constexpr CharacterRange kNumericLetters[] = {
    {0x3405, 0x3405},   {0x3483, 0x3483},   {0x382a, 0x382a},   {0x3b4d, 0x3b4d},   {0x4e00, 0x4e00},
    {0x4e03, 0x4e03},   {0x4e07, 0x4e07},   {0x4e09, 0x4e09},   {0x4e5d, 0x4e5d},   {0x4e8c, 0x4e8c},
    {0x4e94, 0x4e94},   {0x4e96, 0x4e96},   {0x4ebf, 0x4ec0},   {0x4edf, 0x4edf},   {0x4ee8, 0x4ee8},
    {0x4f0d, 0x4f0d},   {0x4f70, 0x4f70},   {0x5104, 0x5104},   {0x5146, 0x5146},   {0x5169, 0x5169},
    {0x516b, 0x516b},   {0x516d, 0x516d},   {0x5341, 0x5341},   {0x5343, 0x5345},   {0x534c, 0x534c},
    {0x53c1, 0x53c4},   {0x56db, 0x56db},   {0x58f1, 0x58f1},   {0x58f9, 0x58f9},   {0x5e7a, 0x5e7a},
    {0x5efe, 0x5eff},   {0x5f0c, 0x5f0e},   {0x5f10, 0x5f10},   {0x62fe, 0x62fe},   {0x634c, 0x634c},
    {0x67d2, 0x67d2},   {0x6f06, 0x6f06},   {0x7396, 0x7396},   {0x767e, 0x767e},   {0x8086, 0x8086},
    {0x842c, 0x842c},   {0x8cae, 0x8cae},   {0x8cb3, 0x8cb3},   {0x8d30, 0x8d30},   {0x9621, 0x9621},
    {0x9646, 0x9646},   {0x964c, 0x964c},   {0x9678, 0x9678},   {0x96f6, 0x96f6},   {0xf96b, 0xf96b},
    {0xf973, 0xf973},   {0xf978, 0xf978},   {0xf9b2, 0xf9b2},   {0xf9d1, 0xf9d1},   {0xf9d3, 0xf9d3},
    {0xf9fd, 0xf9fd},   {0x20001, 0x20001}, {0x20064, 0x20064}, {0x200e2, 0x200e2}, {0x20121, 0x20121},
    {0x2092a, 0x2092a}, {0x20983, 0x20983}, {0x2098c, 0x2098c}, {0x2099c, 0x2099c}, {0x20aea, 0x20aea},
    {0x20afd, 0x20afd}, {0x20b19, 0x20b19}, {0x22390, 0x22390}, {0x22998, 0x22998}, {0x23b1b, 0x23b1b},
    {0x2626d, 0x2626d}, {0x2f890, 0x2f890}};

bool is_in(std::span<const CharacterRange> ranges, char32_t c) {
  const auto after = std::ranges::upper_bound(ranges, c, {}, &CharacterRange::first);
  return after != ranges.begin() && c <= std::prev(after)->last;
}

// ς and not σ stands at the end of a word.
bool is_final_sigma(std::u32string_view text, std::size_t at) {
  static const Property ignorable("\\p{Case_Ignorable}");
  static const Property cased("\\p{Cased}");
  std::size_t before = at;
  while (before > 0 && ignorable.has(text[before - 1])) --before;
  if (before == 0 || !cased.has(text[before - 1])) return false;
  std::size_t after = at + 1;
  while (after < text.size() && ignorable.has(text[after])) ++after;
  return after == text.size() || !cased.has(text[after]);
}

void append_upper(std::u32string& out, char32_t c) {
  if (const auto* const special = c < 0x80 ? nullptr : special_case(c))
    out += special->upper;
  else
    out += upper(c);
}

void append_title(std::u32string& out, char32_t c) {
  if (const auto* const special = c < 0x80 ? nullptr : special_case(c))
    out += special->title;
  else
    out += upper(c);
}

void append_lower(std::u32string& out, std::u32string_view text, std::size_t at) {
  const char32_t c = text[at];
  if (c == U'\u0130')
    out += U"i\u0307";
  else if (c == U'Σ')
    out += is_final_sigma(text, at) ? U'ς' : U'σ';
  else
    out += lower(c);
}

}  // namespace

bool is_alphabetic(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  static const Property letter("\\p{L}");
  return letter.has(c);
}

bool is_decimal(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  static const Property decimal("\\p{Nd}");
  return decimal.has(c);
}

bool is_digit_sign(char32_t c) {
  return is_decimal(c) || is_in(kDigitSigns, c);
}

bool is_numeric(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  static const Property number("\\p{N}");
  return number.has(c) || is_in(kNumericLetters, c);
}

bool is_printable(char32_t c) {
  if (c < 0x80) return c >= 0x20 && c != 0x7f;
  static const Property hidden("[\\p{C}\\p{Z}]");
  return !hidden.has(c);
}

bool is_mark(char32_t c) {
  static const Property mark("\\p{M}");
  return c >= 0x300 && mark.has(c);
}

bool is_upper_case(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  static const Property upper("\\p{Uppercase}");
  return upper.has(c);
}

bool is_lower_case(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  static const Property lower("\\p{Lowercase}");
  return lower.has(c);
}

bool is_title_case(char32_t c) {
  static const Property title("\\p{Lt}");
  return c >= 0x80 && title.has(c);
}

bool starts_identifier(char32_t c) {
  if (c < 0x80) return is_alphabetic(c) || c == '_';
  static const Property start("\\p{XID_Start}");
  return start.has(c);
}

bool continues_identifier(char32_t c) {
  if (c < 0x80) return is_alphabetic(c) || is_decimal(c) || c == '_';
  static const Property part("\\p{XID_Continue}");
  return part.has(c);
}

std::optional<int> decimal_value(char32_t c) {
  if (!is_decimal(c)) return {};
  if (c < 0x80) return static_cast<int>(c - '0');
  // The digits of a script stand one after the other from its zero on, those of mathematical alphabets without a gap.
  if (c >= 0x1d7ce && c <= 0x1d7ff) return static_cast<int>(c - 0x1d7ce) % 10;
  int before = 0;
  while (before < 9 && is_decimal(c - 1 - static_cast<char32_t>(before))) ++before;
  return before;
}

std::u32string upper_cased(std::u32string_view text) {
  std::u32string out;
  for (const char32_t c : text) append_upper(out, c);
  return out;
}

std::u32string lower_cased(std::u32string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size(); ++i) append_lower(out, text, i);
  return out;
}

std::u32string title_cased(std::u32string_view text) {
  std::u32string out;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    static const Property cased("\\p{Cased}");
    const char32_t c = text[i];
    if (inside)
      append_lower(out, text, i);
    else
      append_title(out, c);
    inside = c < 0x80 ? is_alphabetic(c) : cased.has(c);
  }
  return out;
}

std::u32string capitalized(std::u32string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 0)
      append_title(out, text[i]);
    else
      append_lower(out, text, i);
  }
  return out;
}

std::u32string case_swapped(std::u32string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_upper_case(text[i]))
      append_lower(out, text, i);
    else if (is_lower_case(text[i]))
      append_upper(out, text[i]);
    else
      out += text[i];
  }
  return out;
}

std::u32string case_folded(std::u32string_view text) {
  std::u32string out;
  for (const char32_t c : text) {
    const auto* const special = c < 0x80 ? nullptr : special_case(c);
    if (special)
      out += special->folded;
    else if (c == U'\u0130')
      out += U"i\u0307";
    else if (c >= 0x13f8 && c <= 0x13fd)  // Cherokee folds to capitals
      out += c - 8;
    else if (c >= 0xab70 && c <= 0xabbf)
      out += c - 0xab70 + 0x13a0;
    else if (c >= 0x13a0 && c <= 0x13f5)
      out += c;
    else
      out += lower(c);
  }
  return out;
}

}  // namespace hearth::templates
