// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/options/reading.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text/number.h"

namespace hearth::integrations::modbus {

std::optional<std::int64_t> parse_whole(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return base::parse_integer<std::int64_t>(text);
  text.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (status != std::errc() || end != text.data() + text.size() || value < 0) return {};
  return value;
}

void read_whole_number(base::ConfigReader& in, std::string_view key, std::optional<std::int64_t>& value,
                       std::int64_t min, std::int64_t max) {
  in.parsed(key, value, fmt::format("a number from {} to {}", min, max),
            [&](std::string_view text) -> std::optional<std::int64_t> {
              const auto number = parse_whole(text);
              return number && *number >= min && *number <= max ? number : std::nullopt;
            });
}

void read_optional(base::ConfigReader& in, std::string_view key, std::optional<int>& value, int min, int max) {
  std::optional<std::int64_t> read;
  read_whole_number(in, key, read, min, max);
  if (read) value = static_cast<int>(*read);
}

void read_optional(base::ConfigReader& in, std::string_view key, std::optional<double>& value) {
  in.parsed(key, value, "a number", [](std::string_view text) -> std::optional<double> {
    if (const auto whole = parse_whole(text)) return static_cast<double>(*whole);
    return base::parse_number(text);
  });
}

void read_seconds(base::ConfigReader& in, std::string_view key, std::chrono::milliseconds& value, std::int64_t max) {
  in.parsed(key, value, fmt::format("seconds from 0 to {}", max),
            [&](std::string_view text) -> std::optional<std::chrono::milliseconds> {
              double unit = 1'000;
              if (text.ends_with("ms")) {
                unit = 1;
                text.remove_suffix(2);
              } else if (text.ends_with('s')) {
                text.remove_suffix(1);
              }
              const auto number = base::parse_number(text);
              if (!number || *number < 0 || *number * unit > static_cast<double>(max) * 1'000) return {};
              return std::chrono::milliseconds(std::llround(*number * unit));
            });
}

void read_table(base::ConfigReader& in, std::string_view key, Table& table) {
  in.option(key, table,
            {{"holding", Table::holding},
             {"input", Table::input},
             {"coil", Table::coil},
             {"discrete_input", Table::discrete_input}});
}

}  // namespace hearth::integrations::modbus
