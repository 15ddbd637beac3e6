// SPDX-License-Identifier: Apache-2.0
#include "automation/values/duration.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "base/config/duration.h"

namespace hearth::automation {
namespace {

using base::Duration;
using templates::Value;

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

std::optional<Duration> duration_of(const Value& value) {
  if (value.get<bool>()) return {};
  if (const auto number = templates::as_double(value)) return base::duration_of_seconds(*number);
  if (value.is_text()) return base::parse_duration(value.text());
  if (const auto* const span = value.get<templates::TimeDelta>()) return Duration(span->microseconds);
  const Value whole = templates::unfolded(value);
  const auto* const dict = whole.get<templates::DictPtr>();
  if (!dict) return {};
  json::object units;
  for (const auto& [key, part] : (*dict)->entries()) {
    const auto number = templates::as_double(part);
    if (!key.is_text() || (!part.is_text() && !number)) return {};
    units[key.text()] = part.is_text() ? json::value(part.text()) : json::value(*number);
  }
  return base::duration_of(units);
}

std::optional<Duration> parse_time_of_day(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3 || !all_digits(parts[0]) || parts[0].size() > 2) return {};
  // Minutes and seconds of a clock are below 60; those of a duration need not be.
  for (const std::string_view part : std::span(parts).subspan(1)) {
    const auto number = base::parse_duration(part);
    if (!number || *number >= std::chrono::seconds(60)) return {};
  }
  const auto time = base::parse_duration(text);
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
  if (!made.constant_) return std::unexpected(node.mismatch(base::kDurationForm));
  if (sign == Sign::positive && made.constant_->count() < 0)
    return std::unexpected(node.error("expected a duration that is not negative"));
  return made;
}

base::Result<Duration> DurationData::evaluate(const Renderer& renderer,
                                              const templates::VariablesView& variables) const {
  if (constant_) return *constant_;
  const auto value = data_.render(renderer, variables);
  if (!value) return std::unexpected(value.error());
  const auto duration = duration_of(*value);
  if (!duration || (sign_ == Sign::positive && duration->count() < 0)) {
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}, the template gave {}", key_,
                                                            base::kDurationForm, templates::to_text(*value)));
  }
  return *duration;
}

}  // namespace hearth::automation
