// SPDX-License-Identifier: Apache-2.0
#include "domains/kinds/input_datetime.h"

#include <charconv>

#include "base/text/timestamp.h"
#include "domains/entities/kinds.h"
#include "domains/entities/local_time.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace input_datetime {
namespace {

constexpr std::size_t kDate = 10, kTime = 8;  // bytes of each; a blank between them
constexpr std::string_view kFirst = "1970-01-01 00:00:00";
constexpr double kLastSecond = 253'402'300'799;  // of the year 9999

int number_in(std::string_view text, std::size_t at, std::size_t length) {
  int number = 0;
  std::from_chars(text.data() + at, text.data() + at + length, number);
  return number;
}

std::string local_text(base::Timestamp time, const std::string& zone) {
  std::string text = local_time_text(time, zone).substr(0, kFirst.size());
  text[kDate] = ' ';
  return text;
}

// In the form that states have; null if it is none.
std::optional<std::string> part(const field::Type& type, std::string_view text) {
  const auto converted = field::convert(type, json::value(text));
  return converted ? std::optional<std::string>(converted->get_string()) : std::nullopt;
}

}  // namespace

std::string text_of(std::string_view datetime, bool has_date, bool has_time) {
  if (!has_time) return std::string(datetime.substr(0, kDate));
  return std::string(has_date ? datetime : datetime.substr(kDate + 1));
}

std::string whole_of(std::string_view text, bool has_date, bool has_time, std::string_view otherwise) {
  const auto blank = text.find_first_of(" T");
  const bool both = blank != std::string_view::npos;
  const auto date = both || has_date ? part(field::Date{}, text.substr(0, blank)) : std::nullopt;
  const auto time = both || has_time ? part(field::Time{}, both ? text.substr(blank + 1) : text) : std::nullopt;
  if (both ? !date || !time : !date && !time) return {};
  std::string whole(otherwise);
  if (date) whole.replace(0, kDate, *date);
  if (time) whole.replace(kDate + 1, kTime, *time);
  return whole;
}

json::object parts_of(std::string_view datetime, bool has_date, bool has_time, const std::string& zone) {
  json::object parts;
  const int hour = number_in(datetime, 11, 2), minute = number_in(datetime, 14, 2), second = number_in(datetime, 17, 2);
  if (has_date) {
    parts["year"] = number_in(datetime, 0, 4);
    parts["month"] = number_in(datetime, 5, 2);
    parts["day"] = number_in(datetime, 8, 2);
  }
  if (has_time) {
    parts["hour"] = hour;
    parts["minute"] = minute;
    parts["second"] = second;
  }
  if (!has_date) {
    parts["timestamp"] = hour * 3'600 + minute * 60 + second;
    return parts;
  }
  const auto moment = has_time ? parse_local_time(datetime, zone).value_or(base::Timestamp())
                               : start_of_day(datetime.substr(0, kDate), zone);
  parts["timestamp"] = std::chrono::duration<double>(moment.time_since_epoch()).count();
  return parts;
}

namespace {

constexpr Attribute kAttributes[] = {
    {"editable", field::Boolean{}, Shown::once},
    {"has_date", field::Boolean{}, Shown::once},
    {"has_time", field::Boolean{}, Shown::once},
    {"year", field::Integer{0, 9999}, Shown::if_reported},
    {"month", field::Integer{1, 12}, Shown::if_reported},
    {"day", field::Integer{1, 31}, Shown::if_reported},
    {"hour", field::Integer{0, 23}, Shown::if_reported},
    {"minute", field::Integer{0, 59}, Shown::if_reported},
    {"second", field::Integer{0, 59}, Shown::if_reported},
    {"timestamp", field::Number{-1e12, kLastSecond, "s"}, Shown::if_reported},
};
constexpr Input kMoment[] = {
    {{"date", "The date.", "2026-04-20", field::Date{}}},
    {{"time", "The time of the day.", "05:04:20", field::Time{}}},
    {{"datetime", "Both, by the home's clocks unless an offset is given.", "2026-04-20 05:04:20", field::DateTime{}}},
    {{"timestamp", "Both, as seconds since 1970.", 1776654260, field::Number{0, kLastSecond, "s"}}},
};
constexpr Action kActions[] = {
    {.service = "set_datetime",
     .name = "Set",
     .description = "Sets helpers to a date, a time, or both. A part that a helper does not have is left out.",
     .fields = kMoment},
};

// A device gets the whole date and time, as `datetime`.
base::Result<void> check(const Thing& helper, Order& order) {
  const auto refuse = [](std::string message) { return base::fail(base::ErrorCode::invalid, std::move(message)); };
  const auto text = [&](std::string_view key) -> std::string {
    const json::value* const value = order.data.if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
  };
  const json::value* const timestamp = order.data.if_contains("timestamp");
  const std::string date = text("date"), time = text("time"), both = text("datetime");
  if ((!both.empty()) + (timestamp != nullptr) + (!date.empty() || !time.empty()) != 1)
    return refuse("datetime: expected it, or timestamp, or date and time, or one of these two");
  const bool has_date = helper.attribute("has_date") == json::value(true);
  const bool has_time = helper.attribute("has_time") == json::value(true);
  std::string whole = whole_of(helper.reported(), has_date, has_time, kFirst);
  if (whole.empty()) whole = kFirst;
  if (timestamp) {
    const auto since = std::chrono::duration<double>(timestamp->to_number<double>());
    whole = local_text(base::Timestamp(std::chrono::duration_cast<base::Duration>(since)), helper.time_zone());
  } else if (!both.empty()) {
    const auto moment = parse_local_time(both, helper.time_zone());
    if (!moment) return refuse("datetime: " + moment.error().message);
    whole = local_text(*moment, helper.time_zone());
  } else {
    if (!has_date && time.empty()) return refuse("date: " + std::string(helper.entity_id()) + " has a time only");
    if (!has_time && date.empty()) return refuse("time: " + std::string(helper.entity_id()) + " has a date only");
    if (!date.empty()) whole.replace(0, kDate, date);
    if (!time.empty()) whole.replace(kDate + 1, kTime, time);
  }
  order.data = {{"datetime", whole}};
  return {};
}

}  // namespace
}  // namespace input_datetime

constexpr Kind kInputDateTime{.domain = "input_datetime",
                              .description = "A date, a time of the day, or both, that people set for themselves.",
                              .value = field::Text{},
                              .attributes = input_datetime::kAttributes,
                              .actions = input_datetime::kActions,
                              .check = input_datetime::check};

}  // namespace hearth::domains
