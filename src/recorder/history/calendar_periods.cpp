// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/calendar_periods.h"

#include <date/tz.h>

#include <stdexcept>

namespace hearth::recorder {
namespace {

using base::Timestamp;

base::Duration more_than(Period period) {
  using namespace std::chrono_literals;
  switch (period) {
    case Period::five_minutes:
      return 5min;
    case Period::hour:
      return 1h;
    case Period::day:
      return 24h;
    case Period::week:
      return 7 * 24h;
    case Period::month:
      return 32 * 24h;
  }
  return 1h;
}

}  // namespace

CalendarPeriods::CalendarPeriods(Period period, const std::string& zone) : period_(period) {
  if (zone.empty() || period == Period::five_minutes || period == Period::hour) return;
  try {
    zone_ = date::locate_zone(zone);
  } catch (const std::runtime_error&) {
    zone_ = nullptr;
  }
}

CalendarPeriods CalendarPeriods::quarters() {
  CalendarPeriods made(Period::hour);
  made.length_ = Length::quarter;
  return made;
}

CalendarPeriods CalendarPeriods::years(const std::string& zone) {
  CalendarPeriods made(Period::month, zone);
  made.length_ = Length::year;
  return made;
}

// The start of what contains the clock's time.
Timestamp CalendarPeriods::first(Timestamp clock) const {
  using namespace std::chrono;
  if (length_ == Length::quarter) return floor<duration<std::int64_t, std::ratio<900>>>(clock);
  if (length_ == Length::period) return period_start(clock, period_);
  return sys_days(year_month_day(floor<days>(clock)).year() / January / 1);
}

void CalendarPeriods::find(Timestamp time) {
  if (start_ <= time && time < end_) return;
  // The clock's time, as if it were UTC.
  const Timestamp clock = zone_ ? Timestamp(zone_->to_local(time).time_since_epoch()) : time;
  const auto moment = [&](Timestamp at) {
    using Local = date::local_time<base::Duration>;
    return zone_ ? Timestamp(zone_->to_sys(Local(at.time_since_epoch()), date::choose::earliest)) : at;
  };
  using namespace std::chrono_literals;
  const base::Duration longer = length_ == Length::quarter ? 15min
                                : length_ == Length::year  ? 367 * 24h
                                                           : more_than(period_);
  start_ = moment(first(clock));
  end_ = moment(first(first(clock) + longer));
}

Timestamp CalendarPeriods::start_of(Timestamp time) {
  find(time);
  return start_;
}

Timestamp CalendarPeriods::end_of(Timestamp time) {
  find(time);
  return end_;
}

void CalendarPeriods::add(std::vector<Statistics>& periods, const Statistics& step) {
  const Timestamp start = start_of(step.start);
  if (!periods.empty() && periods.back().start == start) return periods.back().join(step);
  periods.push_back(step);
  periods.back().start = start;
}

}  // namespace hearth::recorder
