// SPDX-License-Identifier: Apache-2.0
// Numbers in texts. Any thread.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace hearth::base {

// A decimal number as people and devices write it: "21.5", " 5 ", "+3", "1e3". Null for any other text, and for NaN and
// infinity.
std::optional<double> parse_number(std::string_view text);

// Likewise, but without blanks and without a plus: as JSON, and as ISO 8601's parts, have it.
std::optional<double> parse_plain_number(std::string_view text);

// A whole number and nothing else: "42", "-7". Null if it does not fit into the type.
template <std::integral Number>
std::optional<Number> parse_integer(std::string_view text) {
  Number number;
  const char* const end = text.data() + text.size();
  const auto [last, status] = std::from_chars(text.data(), end, number);
  return status == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

}  // namespace hearth::base
