// SPDX-License-Identifier: Apache-2.0
#include "base/config/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text/number.h"
#include "base/text/text.h"

namespace hearth::base {
namespace {

constexpr std::pair<std::string_view, double> kUnits[] = {
    {"days", 86'400}, {"hours", 3'600}, {"minutes", 60}, {"seconds", 1}, {"milliseconds", 0.001}};

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(':');
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<Duration> duration_of_seconds(double seconds) {
  constexpr double kMost = std::chrono::duration<double>(kLongestDuration).count();
  if (!std::isfinite(seconds) || std::abs(seconds) > kMost) return {};
  return Duration(std::llround(seconds * 1e6));
}

std::optional<Duration> parse_duration(std::string_view text) {
  text = trim_blanks(text);
  const bool negative = text.starts_with('-');
  std::string_view rest = text;
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const auto parts = parts_of(rest);
  std::optional<double> seconds;
  if (parts.size() == 1) {
    if (rest.starts_with('-')) return {};
    seconds = parse_plain_number(rest);
  } else if (parts.size() <= 3) {
    const auto last = parts.size() == 3 ? parse_plain_number(parts[2]) : std::optional(0.0);
    if (!all_digits(parts[0]) || !all_digits(parts[1]) || !last || *last < 0) return {};
    const auto hours = parse_plain_number(parts[0]), minutes = parse_plain_number(parts[1]);
    if (!hours || !minutes) return {};
    // Any of them may be more than its unit holds: 00:00:90 is a minute and a half.
    seconds = *hours * 3'600 + *minutes * 60 + *last;
  }
  if (!seconds) return {};
  return duration_of_seconds(negative ? -*seconds : *seconds);
}

std::optional<Duration> duration_of(const json::value& value) {
  if (value.is_number()) return duration_of_seconds(value.to_number<double>());
  if (value.is_string()) return parse_duration(value.get_string());
  const json::object* const units = value.if_object();
  if (!units || units->empty()) return {};
  double seconds = 0;
  for (const auto& [key, part] : *units) {
    const auto unit = std::ranges::find(kUnits, std::string_view(key), &std::pair<std::string_view, double>::first);
    const auto number = part.is_string()   ? parse_plain_number(trim_blanks(part.get_string()))
                        : part.is_number() ? std::optional(part.to_number<double>())
                                           : std::nullopt;
    if (unit == std::end(kUnits) || !number) return {};
    seconds += *number * unit->second;
  }
  return duration_of_seconds(seconds);
}

std::string clock_text(Duration duration) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  return fmt::format("{}:{:02}:{:02}", seconds / 3'600, seconds / 60 % 60, seconds % 60);
}

}  // namespace hearth::base
