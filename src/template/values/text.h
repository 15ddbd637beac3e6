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
// The byte at which the code point of that index begins; the size if there are fewer.
std::size_t byte_of(std::string_view text, std::size_t index);

// The first place at or after `from`, the last place; npos if there is none. Linear in the size of both, whatever they
// hold, unlike those of std::string_view.
std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0);
std::size_t find_last_part(std::string_view text, std::string_view part);
// Each part, none overlapping, from the first on; at most `most` of them, all if it is negative. Fails with limit.
std::string replaced_parts(std::string_view text, std::string_view old, std::string_view fresh, std::int64_t most = -1);

// Without regard to the system's locale.
char32_t upper(char32_t c);  // one to one; unicode.h has the cases of texts
char32_t lower(char32_t c);
bool is_space(char32_t c);

std::string upper_text(std::string_view text);
std::string lower_text(std::string_view text);
std::string_view trimmed(std::string_view text);  // of white space

}  // namespace hearth::templates
