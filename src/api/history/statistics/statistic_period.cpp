// SPDX-License-Identifier: Apache-2.0
#include "api/history/statistics/statistic_period.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text/timestamp.h"
#include "domains/entities/local_time.h"

namespace hearth::api {
namespace {

using Spans = std::expected<recorder::Span, CommandError>;

constexpr double kMostSeconds = 1000.0 * 366 * 86'400;
constexpr int kMostOffset = 10'000;
constexpr std::pair<std::string_view, double> kUnits[] = {{"weeks", 7 * 86'400.0}, {"days", 86'400.0},
                                                          {"hours", 3'600.0},      {"minutes", 60.0},
                                                          {"seconds", 1.0},        {"milliseconds", 0.001}};
constexpr std::string_view kWeekdays[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

std::unexpected<CommandError> wrong(std::string text) {
  return std::unexpected(CommandError(command_error::kInvalidFormat, std::move(text)));
}

std::string day_text(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// The first day of the calendar's period, so many of them later.
std::optional<std::chrono::sys_days> first_day(std::chrono::sys_days today, std::string_view period, int offset,
                                               unsigned first_weekday) {
  using namespace std::chrono;
  const year_month_day date(today);
  if (period == "day") return today + days(offset);
  if (period == "week") {
    const unsigned since = (weekday(today).iso_encoding() + 6 - first_weekday) % 7;
    return today - days(since) + days(7 * offset);
  }
  if (period == "month") return sys_days((date.year() / date.month() + months(offset)) / 1);
  if (period == "year") return sys_days((date.year() + years(offset)) / January / 1);
  return {};
}

Spans fixed_span(const json::object& fields, recorder::Span all) {
  std::optional<std::string> start, end;
  MessageReader in(fields, "fixed_period.");
  in.optional("start_time", start);
  in.optional("end_time", end);
  if (auto read = in.finish(); !read) return std::unexpected(CommandError(read.error()));
  if (start) {
    const auto time = base::parse_timestamp(*start);
    if (!time) return std::unexpected(CommandError("invalid_start_time", "Invalid start_time"));
    all.start = *time;
  }
  if (end) {
    const auto time = base::parse_timestamp(*end);
    if (!time) return std::unexpected(CommandError("invalid_end_time", "Invalid end_time"));
    all.end = *time;
  }
  return all;
}

Spans calendar_span(const json::object& fields, base::Timestamp now, const std::string& zone) {
  std::string period, week = "mon";
  std::int64_t offset = 0;
  MessageReader in(fields, "calendar.");
  in.required("period", period);
  in.optional("offset", offset, -kMostOffset, kMostOffset);
  in.optional("first_weekday", week);
  if (auto read = in.finish(); !read) return std::unexpected(CommandError(read.error()));
  const auto weekday = std::ranges::find(kWeekdays, week);
  if (weekday == std::end(kWeekdays))
    return wrong("calendar.first_weekday: expected one of mon, tue, wed, thu, fri, sat, sun.");
  if (period == "hour") {
    const base::Timestamp start = std::chrono::floor<std::chrono::hours>(now) + std::chrono::hours(offset);
    return recorder::Span{start, start + std::chrono::hours(1)};
  }
  const auto local = base::parse_timestamp(domains::local_time_text(now, zone).substr(0, 10));
  if (!local) return wrong("calendar: the home's clock shows no day.");
  const auto today = std::chrono::floor<std::chrono::days>(*local);
  const auto at = [&](int ahead) {
    return first_day(today, period, static_cast<int>(offset) + ahead,
                     static_cast<unsigned>(weekday - std::begin(kWeekdays)));
  };
  const auto first = at(0), next = at(1);
  if (!first || !next) return wrong("calendar.period: expected one of hour, day, week, month, year.");
  return recorder::Span{domains::start_of_day(day_text(*first), zone), domains::start_of_day(day_text(*next), zone)};
}

// {"days":1,"hours":2,…}; all may be missing.
std::expected<base::Duration, CommandError> duration(const json::object& fields, const std::string& path) {
  double seconds = 0;
  for (const auto& [key, value] : fields) {
    const auto unit = std::ranges::find(kUnits, std::string_view(key), &std::pair<std::string_view, double>::first);
    if (unit == std::end(kUnits) || !value.is_number()) {
      return wrong(path + ": expected numbers of weeks, days, hours, minutes, seconds or milliseconds.");
    }
    seconds += unit->second * value.to_number<double>();
  }
  if (!std::isfinite(seconds) || std::abs(seconds) > kMostSeconds)
    return wrong(path + ": expected 1000 years at most.");
  return std::chrono::duration_cast<base::Duration>(std::chrono::duration<double>(seconds));
}

Spans rolling_span(const json::object& fields, base::Timestamp now) {
  json::object length, offset;
  MessageReader in(fields, "rolling_window.");
  in.required("duration", length);
  in.optional("offset", offset);
  if (auto read = in.finish(); !read) return std::unexpected(CommandError(read.error()));
  const auto long_for = duration(length, "rolling_window.duration");
  if (!long_for) return std::unexpected(long_for.error());
  const auto moved = duration(offset, "rolling_window.offset");
  if (!moved) return std::unexpected(moved.error());
  return recorder::Span{now - *long_for + *moved, now + *moved};
}

}  // namespace

void StatisticPeriod::read(MessageReader& in) {
  is_fixed_ = in.has("fixed_period");
  is_calendar_ = in.has("calendar");
  is_rolling_ = in.has("rolling_window");
  in.optional("fixed_period", fixed_);
  in.optional("calendar", calendar_);
  in.optional("rolling_window", rolling_);
}

Spans StatisticPeriod::span(base::Timestamp now, const std::string& zone) const {
  const recorder::Span all{base::Timestamp(), now};
  if (is_fixed_ + is_calendar_ + is_rolling_ > 1)
    return wrong("expected one of fixed_period, calendar and rolling_window.");
  if (is_fixed_) return fixed_span(fixed_, all);
  if (is_calendar_) return calendar_span(calendar_, now, zone);
  if (is_rolling_) return rolling_span(rolling_, now);
  return all;
}

}  // namespace hearth::api
