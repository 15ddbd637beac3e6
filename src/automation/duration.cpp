// SPDX-License-Identifier: Apache-2.0
#include "automation/duration.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "base/text.h"

namespace hearth::automation {
namespace {

using base::Duration;
using templates::Value;

constexpr std::string_view kForm =
    "a duration: seconds, HH:MM, HH:MM:SS or an object of days, hours, minutes, seconds, milliseconds";
constexpr std::pair<std::string_view, double> kUnits[] = {
    {"days", 86'400}, {"hours", 3'600}, {"minutes", 60}, {"seconds", 1}, {"milliseconds", 0.001}};

std::optional<double> plain_number(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || last != end || !std::isfinite(number)) return {};
  return number;
}

std::optional<Duration> of_seconds(double seconds) {
  constexpr double kMost = std::chrono::duration<double>(DurationData::kLongest).count();
  if (!std::isfinite(seconds) || std::abs(seconds) > kMost) return {};
  return Duration(std::llround(seconds * 1e6));
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  text = base::trim_blanks(text);
  const bool negative = text.starts_with('-');
  std::string_view rest = text;
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const auto parts = split(rest, ':');
  std::optional<double> seconds;
  if (parts.size() == 1) {
    if (rest.starts_with('-')) return {};
    seconds = plain_number(rest);
  } else if (parts.size() <= 3) {
    const auto last = parts.size() == 3 ? plain_number(parts[2]) : std::optional(0.0);
    if (!all_digits(parts[0]) || !all_digits(parts[1]) || !last || *last < 0 || *last >= 60) return {};
    const auto hours = plain_number(parts[0]), minutes = plain_number(parts[1]);
    if (!hours || !minutes || *minutes >= 60) return {};
    seconds = *hours * 3'600 + *minutes * 60 + *last;
  }
  if (!seconds) return {};
  return of_seconds(negative ? -*seconds : *seconds);
}

std::optional<Duration> duration_of(const Value& value) {
  if (value.get<bool>()) return {};
  if (const auto number = templates::as_double(value)) return of_seconds(*number);
  if (value.is_text()) return parse_duration(value.text());
  if (const auto* const span = value.get<templates::TimeDelta>()) return Duration(span->microseconds);
  const Value whole = templates::unfolded(value);
  const auto* const dict = whole.get<templates::DictPtr>();
  if (!dict || (*dict)->entries().empty()) return {};
  double seconds = 0;
  for (const auto& [key, part] : (*dict)->entries()) {
    const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const auto& known) { return key.is_text() && key.text() == known.first; });
    const auto number = part.is_text() ? plain_number(base::trim_blanks(part.text())) : templates::as_double(part);
    if (unit == std::end(kUnits) || !number) return {};
    seconds += *number * unit->second;
  }
  return of_seconds(seconds);
}

std::optional<Duration> parse_time_of_day(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3 || !all_digits(parts[0]) || parts[0].size() > 2) return {};
  const auto time = parse_duration(text);
  if (!time || *time >= std::chrono::days(1)) return {};
  return time;
}

base::Result<DurationData> DurationData::parse(const base::ConfigNode& node, Sign sign) {
  auto data = Data::parse(node);
  if (!data) return std::unexpected(std::move(data.error()));
  DurationData made;
  made.data_ = std::move(*data);
  made.sign_ = sign;
  made.key_ = node.place().key;
  if (!made.data_.is_constant()) return made;
  // Unquoted 10:00 is a text, and unquoted 5 a number.
  made.constant_ = duration_of(Value::from_json(made.data_.constant()));
  if (!made.constant_) return std::unexpected(node.mismatch(kForm));
  if (sign == Sign::positive && made.constant_->count() < 0)
    return std::unexpected(node.error("expected a duration that is not negative"));
  return made;
}

base::Result<Duration> DurationData::evaluate(const Renderer& renderer, const templates::Variables& variables) const {
  if (constant_) return *constant_;
  const auto value = data_.render(renderer, variables);
  if (!value) return std::unexpected(value.error());
  const auto duration = duration_of(*value);
  if (!duration || (sign_ == Sign::positive && duration->count() < 0)) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{}: expected {}, the template gave {}", key_, kForm, templates::to_text(*value)));
  }
  return *duration;
}

}  // namespace hearth::automation
