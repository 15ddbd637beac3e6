// SPDX-License-Identifier: Apache-2.0
// Values of nodes as the home has them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "integrations/esphome/protocol/messages.h"

namespace hearth::integrations::esphome {

// The decimal number that the node meant: seven significant digits. Null for NaN and infinity.
std::optional<double> decimal_of(float value);
// The same as JSON; null for NaN and infinity.
json::value number_json(float value);
// The value rounded to a step from a start; a step of 0 rounds nothing.
double rounded_to_step(double value, double start, double step);

// A share from 0 to 1 as 0 to `whole`; null for NaN.
std::optional<int> share_of(float value, int whole);
// Percent; null for NaN.
json::value percent_json(float value);

// The word of an enumeration's number; null if the enumeration has no such number, or no word for it.
std::optional<std::string_view> word_of(std::span<const std::string_view> words, std::uint32_t number);
// The number of a word; null if it is none of them.
std::optional<std::uint32_t> number_of(std::span<const std::string_view> words, std::string_view word);

// The cleaned texts of a repeated field, each once, at most kMaxList of them.
json::array texts_of(const google::protobuf::RepeatedPtrField<std::string>& texts);

// Degrees: 0 Celsius, 1 Fahrenheit, 2 kelvin, as nodes number them.
double to_celsius(double degrees, std::uint32_t unit);
double from_celsius(double degrees, std::uint32_t unit);

}  // namespace hearth::integrations::esphome
