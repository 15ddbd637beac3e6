// SPDX-License-Identifier: Apache-2.0
// Properties of characters and the cases of texts, as Unicode has them and Python's str uses them. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hearth::templates {

bool is_alphabetic(char32_t c);
bool is_decimal(char32_t c);     // a digit of a decimal number, of any script
bool is_digit_sign(char32_t c);  // also a digit such as ²
bool is_numeric(char32_t c);     // also ½ or 五
bool is_printable(char32_t c);
bool is_mark(char32_t c);  // belongs to the character before it, such as an accent
bool is_upper_case(char32_t c);
bool is_lower_case(char32_t c);
bool is_title_case(char32_t c);  // such as ǅ
bool starts_identifier(char32_t c);
bool continues_identifier(char32_t c);
// Of a decimal digit, 0 to 9.
std::optional<int> decimal_value(char32_t c);

// The whole text, with characters that become several: ß is SS.
std::u32string upper_cased(std::u32string_view text);
std::u32string lower_cased(std::u32string_view text);
std::u32string title_cased(std::u32string_view text);
std::u32string capitalized(std::u32string_view text);
std::u32string case_swapped(std::u32string_view text);
std::u32string case_folded(std::u32string_view text);

// A character whose cases are not those that the C library maps one to one; null for all others.
struct SpecialCase {
  char32_t from;
  std::u32string_view upper, title, folded;
};
const SpecialCase* special_case(char32_t c);

}  // namespace hearth::templates
