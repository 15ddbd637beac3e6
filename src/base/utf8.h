// SPDX-License-Identifier: Apache-2.0
// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::base {

// The number of code points, or nothing where the text is not UTF-8.
std::optional<std::size_t> utf8_length(std::string_view text);

// The text with U+FFFD for each byte that is not UTF-8.
std::string utf8_repaired(std::string_view text);

// What a message quotes of a text that may be long: its first `max_bytes`, cut between code points, and an ellipsis
// where some of it is left out. REQUIRES: UTF-8.
std::string utf8_excerpt(std::string_view text, std::size_t max_bytes = 100);

}  // namespace hearth::base
