// SPDX-License-Identifier: Apache-2.0
#include "api/energy/energy_span.h"

#include <algorithm>

#include "base/text/timestamp.h"
#include "domains/entities/local_time.h"
#include "recorder/history/calendar_periods.h"

namespace hearth::api {
namespace {

using recorder::CalendarPeriods;
using recorder::Period;

constexpr std::size_t kMostBars = 1'000;
constexpr int kYears = 10;
constexpr base::Duration kHourSlot = std::chrono::hours(1), kQuarterSlot = std::chrono::minutes(15);
// Of more the hours are enough.
constexpr base::Duration kInQuarters = std::chrono::days(800);

enum class SpanUnit { hour, day, week, month, year };

struct SpanKind {
  std::string_view name;
  SpanUnit unit;
  int units;
  std::string_view period;  // the usual one
};
constexpr SpanKind kEnergySpans[] = {{"day", SpanUnit::day, 1, "hour"},
                                     {"week", SpanUnit::week, 1, "day"},
                                     {"month", SpanUnit::month, 1, "day"},
                                     {"year", SpanUnit::year, 1, "month"},
                                     {"years", SpanUnit::year, kYears, "year"}};
constexpr std::pair<std::string_view, SpanUnit> kBarPeriods[] = {{"hour", SpanUnit::hour},
                                                                 {"day", SpanUnit::day},
                                                                 {"week", SpanUnit::week},
                                                                 {"month", SpanUnit::month},
                                                                 {"year", SpanUnit::year}};

std::unexpected<CommandError> refuse_span(std::string text) {
  return std::unexpected(CommandError(command_error::kInvalidFormat, std::move(text)));
}

CalendarPeriods calendar_of(SpanUnit unit, const std::string& zone) {
  switch (unit) {
    case SpanUnit::hour:
      return {Period::hour, zone};
    case SpanUnit::day:
      return {Period::day, zone};
    case SpanUnit::week:
      return {Period::week, zone};
    case SpanUnit::month:
      return {Period::month, zone};
    case SpanUnit::year:
      return CalendarPeriods::years(zone);
  }
  return {Period::hour, zone};
}

// So many units earlier.
base::Timestamp earlier(CalendarPeriods& calendar, base::Timestamp start, int units) {
  for (int i = 0; i < units; ++i) start = calendar.start_of(start - kHourSlot);
  return start;
}

// The last ones are cut. Hours begin with the span: where clocks are half an hour aside, with the home's.
std::vector<base::Timestamp> bounds_of(base::Timestamp start, base::Timestamp end, CalendarPeriods calendar) {
  std::vector<base::Timestamp> bounds{start};
  while (bounds.back() < end && bounds.size() <= kMostBars) {
    const bool hours = calendar.period() == Period::hour;
    bounds.push_back(std::min(end, hours ? bounds.back() + kHourSlot : calendar.end_of(bounds.back())));
  }
  return bounds;
}

}  // namespace

base::Timestamp EnergySpan::compared(base::Timestamp now) const {
  if (now >= end) return start;
  return std::clamp(before + (now - start), before, start);
}

base::Duration EnergySpan::slot() const {
  return end - before > kInQuarters ? kHourSlot : kQuarterSlot;
}

void EnergySpanFields::read(MessageReader& in) {
  in.optional("span", span_);
  in.optional("date", date_);
  in.optional("period", period_);
}

std::expected<EnergySpan, CommandError> EnergySpanFields::span(base::Timestamp now, const std::string& zone) const {
  const auto* const kind = std::ranges::find(kEnergySpans, span_, &SpanKind::name);
  if (kind == std::end(kEnergySpans)) return refuse_span("span: expected one of day, week, month, year, years.");
  const std::string period(period_ ? std::string_view(*period_) : kind->period);
  const auto* const bars = std::ranges::find(kBarPeriods, period, &std::pair<std::string_view, SpanUnit>::first);
  if (bars == std::end(kBarPeriods)) return refuse_span("period: expected one of hour, day, week, month, year.");
  const std::string day = date_.empty() ? domains::local_time_text(now, zone).substr(0, 10) : date_;
  if (day.size() != 10 || day < "1971-01-01" || day > "2199-12-31" || !base::parse_timestamp(day))
    return refuse_span("date: expected a day as 2026-11-30.");
  CalendarPeriods calendar = calendar_of(kind->unit, zone);
  const base::Timestamp found = calendar.start_of(domains::start_of_day(day, zone) + 12 * kHourSlot);
  EnergySpan span;
  span.end = calendar.end_of(found);
  span.start = earlier(calendar, found, kind->units - 1);
  span.before = earlier(calendar, span.start, kind->units);
  span.bounds = bounds_of(span.start, span.end, calendar_of(bars->second, zone));
  if (span.bounds.size() > kMostBars)
    return refuse_span("period: expected a longer one, for at most 1000 in the span.");
  span.period = period;
  return span;
}

}  // namespace hearth::api
