// SPDX-License-Identifier: Apache-2.0
// Units of measurement, by the quantity that they measure, and conversion between those of one quantity. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::core {

// Null if they do not measure the same quantity, or one is not known.
std::optional<double> convert_unit(double value, std::string_view from, std::string_view to);
// The units of the same quantity, itself among them; empty if it is not known.
std::vector<std::string_view> units_like(std::string_view unit);
// The number that the text is, converted, with as many decimals as the text has, and one more for each power of ten
// that the new unit is larger. Null if the text is no number, or the units do not fit.
std::optional<std::string> convert_unit_of(std::string_view text, std::string_view from, std::string_view to);

}  // namespace hearth::core
