// SPDX-License-Identifier: Apache-2.0
#include "core/registry/schedule_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/config/duration.h"
#include "base/text/utf8.h"
#include "core/values/service_field.h"

namespace hearth::core {
namespace {

using base::Duration;
using base::ErrorCode;

struct Stretch {
  Duration from, to;
  std::string text;  // 08:00 to 12:00
};

std::optional<Duration> time_of_day(const json::value* value) {
  if (!value || !value->is_string()) return {};
  const std::string_view text = value->get_string();
  if (is_end_of_day(text)) return std::chrono::days(1);
  const auto time = field::convert(field::Time{}, json::string(two_digit_hour(text)));
  return time ? base::parse_duration(time->get_string()) : std::nullopt;
}

std::string text_of(const json::value* value) {
  return value ? base::utf8_excerpt(base::to_json(*value)) : "none";
}

base::Result<Stretch> parse_stretch(std::string_view day, const json::value& block) {
  const auto wrong = [&](std::string_view what) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: {}", day, what));
  };
  const json::object* const fields = block.if_object();
  if (!fields) return wrong(fmt::format("expected objects with from and to, got {}", text_of(&block)));
  for (const auto& [key, value] : *fields) {
    if (key == "data" && !value.is_object())
      return wrong(fmt::format("data: expected an object, got {}", text_of(&value)));
    if (key != "from" && key != "to" && key != "data")
      return wrong(fmt::format("{}: unknown key; expected from, to and data", base::utf8_excerpt(key)));
  }
  const json::value* const from = fields->if_contains("from");
  const json::value* const to = fields->if_contains("to");
  const auto begin = time_of_day(from), end = time_of_day(to);
  if (!begin || *begin == std::chrono::days(1))
    return wrong(fmt::format("from: expected a time such as 08:30:00, got {}", text_of(from)));
  if (!end) return wrong(fmt::format("to: expected a time such as 08:30:00 or 24:00, got {}", text_of(to)));
  std::string text = fmt::format("{} to {}", std::string_view(from->get_string()), std::string_view(to->get_string()));
  if (*begin >= *end) return wrong(fmt::format("expected times that end after they begin, got {}", text));
  return Stretch{*begin, *end, std::move(text)};
}

}  // namespace

bool is_end_of_day(std::string_view time) {
  return time == "24:00" || time == "24:00:00";
}

std::string two_digit_hour(std::string_view time) {
  return (time.find(':') == 1 ? "0" : "") + std::string(time);
}

base::Result<void> check_schedule(const json::object& fields) {
  for (const std::string_view day : kScheduleDays) {
    const json::value* const blocks = fields.if_contains(day);
    if (!blocks) continue;
    if (!blocks->is_array()) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("{}: expected a list of objects with from and to, got {}", day, text_of(blocks)));
    }
    std::vector<Stretch> stretches;
    for (const json::value& block : blocks->get_array()) {
      auto stretch = parse_stretch(day, block);
      if (!stretch) return std::unexpected(stretch.error());
      stretches.push_back(std::move(*stretch));
    }
    std::ranges::sort(stretches, {}, &Stretch::from);
    for (std::size_t i = 1; i < stretches.size(); ++i) {
      if (stretches[i].from < stretches[i - 1].to) {
        return base::fail(ErrorCode::invalid,
                          fmt::format("{}: {} overlaps {}", day, stretches[i].text, stretches[i - 1].text));
      }
    }
  }
  return {};
}

}  // namespace hearth::core
