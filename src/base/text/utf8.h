// SPDX-License-Identifier: Apache-2.0
// UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::base {

// The number of code points; null if the text is not UTF-8.
std::optional<std::size_t> utf8_length(std::string_view text);

// The text with U+FFFD for each byte that is not UTF-8.
std::string utf8_repaired(std::string_view text);

// The first `max_bytes` of a text, cut between code points, with an ellipsis if it was cut: for quotes in messages.
// REQUIRES: UTF-8.
std::string utf8_excerpt(std::string_view text, std::size_t max_bytes = 100);

}  // namespace hearth::base
