// SPDX-License-Identifier: Apache-2.0
// Kinds of values that the sections of Modbus have. One thread, as their reader.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/config/config_reader.h"
#include "integrations/modbus/protocol/request.h"

namespace hearth::integrations::modbus {

// A whole number, decimal or hexadecimal: 16, 0x10.
std::optional<std::int64_t> parse_whole(std::string_view text);
void read_whole_number(base::ConfigReader& in, std::string_view key, std::optional<std::int64_t>& value,
                       std::int64_t min, std::int64_t max);

template <std::integral Number>
void read_whole(base::ConfigReader& in, std::string_view key, Number& value, std::int64_t min, std::int64_t max) {
  std::optional<std::int64_t> read;
  read_whole_number(in, key, read, min, max);
  if (read) value = static_cast<Number>(*read);
}
// Absent: none.
void read_optional(base::ConfigReader& in, std::string_view key, std::optional<int>& value, int min, int max);
// Decimal, or whole and hexadecimal.
void read_optional(base::ConfigReader& in, std::string_view key, std::optional<double>& value);
// Seconds as a number, or with a unit: 15, 0.5, 500ms.
void read_seconds(base::ConfigReader& in, std::string_view key, std::chrono::milliseconds& value, std::int64_t max);
// holding, input, coil or discrete_input.
void read_table(base::ConfigReader& in, std::string_view key, Table& table);

}  // namespace hearth::integrations::modbus
