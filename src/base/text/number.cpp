// SPDX-License-Identifier: Apache-2.0
#include "base/text/number.h"

#include <cmath>

namespace hearth::base {

std::optional<double> parse_number(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  text = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return parse_plain_number(text);
}

std::optional<double> parse_plain_number(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, status] = std::from_chars(text.data(), end, number);
  return status == std::errc() && last == end && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace hearth::base
