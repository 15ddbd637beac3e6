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

void CalendarPeriods::find(Timestamp time) {
  if (start_ <= time && time < end_) return;
  // The clock's time, as if it were UTC.
  const Timestamp clock = zone_ ? Timestamp(zone_->to_local(time).time_since_epoch()) : time;
  const auto moment = [&](Timestamp at) {
    using Local = date::local_time<base::Duration>;
    return zone_ ? Timestamp(zone_->to_sys(Local(at.time_since_epoch()), date::choose::earliest)) : at;
  };
  const Timestamp first = period_start(clock, period_);
  start_ = moment(first);
  end_ = moment(period_start(first + more_than(period_), period_));
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
