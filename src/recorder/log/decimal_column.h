// SPDX-License-Identifier: Apache-2.0
// Stores decimal strings as integers that give back exactly the same strings: 21.5 and 21.25 are 2150 and 2125
// hundredths. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::recorder {

// The format of one column's strings, which says how many decimals each has.
struct DecimalForm {
  enum class Zeros : std::uint8_t {
    fixed,    // exactly `scale` decimals: 21.50
    trimmed,  // no trailing zeros: 21.5, 21
    one,      // as trimmed, but at least one decimal: 21.5, 21.0
  };
  Zeros zeros = Zeros::fixed;
  int scale = 0;  // the number is in units of 10^-scale

  static constexpr int kMaxScale = 15;
};

// -?(0|[1-9]\d*)(\.\d+)? with at most 15 digits, and not negative zero.
bool is_decimal(std::string_view text);

// The format that gives all of these back; null if there is none. REQUIRES: is_decimal of each.
std::optional<DecimalForm> common_form(const std::vector<std::string_view>& texts);

// REQUIRES: the string has that format.
std::int64_t to_units(std::string_view text, const DecimalForm& form);
std::string from_units(std::int64_t units, const DecimalForm& form);

}  // namespace hearth::recorder
