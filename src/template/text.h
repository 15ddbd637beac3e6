// SPDX-License-Identifier: Apache-2.0
// Texts as sequences of code points. All texts are UTF-8. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::templates {

// The code point at `position`, which moves behind it. A byte that is not UTF-8 counts as one.
char32_t next_code_point(std::string_view text, std::size_t& position);
void append_code_point(std::string& out, char32_t c);
std::u32string to_code_points(std::string_view text);
std::string to_utf8(std::u32string_view text);
std::size_t count_code_points(std::string_view text);

// Without regard to the system's locale.
char32_t upper(char32_t c);
char32_t lower(char32_t c);
bool is_upper(char32_t c);
bool is_lower(char32_t c);
bool is_letter(char32_t c);
bool is_digit(char32_t c);
bool is_space(char32_t c);

std::string upper_text(std::string_view text);
std::string lower_text(std::string_view text);
std::string_view trimmed(std::string_view text);  // of white space

}  // namespace hearth::templates
