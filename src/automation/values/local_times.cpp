// SPDX-License-Identifier: Apache-2.0
#include "automation/values/local_times.h"

#include <date/tz.h>

#include <algorithm>
#include <array>

namespace hearth::automation {
namespace {

using base::Duration;
using base::Timestamp;
using templates::DateTime;
using templates::kDay;
using templates::kSecond;
using templates::Zone;

constexpr std::array<std::string_view, 7> kDays{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
constexpr std::int64_t kHour = 3'600 * kSecond, kMinute = 60 * kSecond;

std::int64_t floor_div(std::int64_t number, std::int64_t by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

std::int64_t local_at(Timestamp time, const Zone& zone) {
  return templates::at(time.time_since_epoch().count(), zone).local;
}

}  // namespace

std::optional<int> parse_weekday(std::string_view name) {
  const auto found = std::ranges::find(kDays, name);
  if (found == kDays.end()) return {};
  return static_cast<int>(found - kDays.begin());
}

int weekday_of(const DateTime& local) {
  const std::int64_t days = floor_div(local.local, kDay);
  return static_cast<int>(((days + 3) % 7 + 7) % 7);  // 1970-01-01 was a Thursday
}

DueTime due_time_of(std::int64_t local, const Zone& zone) {
  if (zone.kind != Zone::Kind::named)
    return {Timestamp(Duration(local - templates::offset_of(templates::DateTime{local, zone}) * kSecond))};
  const auto info = zone.named->get_info(date::local_time<Duration>(Duration(local)));
  if (info.result != date::local_info::nonexistent) return {Timestamp(Duration(local) - info.first.offset)};
  const Duration after = info.second.begin.time_since_epoch();
  return {Timestamp(after), Duration(local) - (after + info.second.offset)};
}

Timestamp instant_of(std::int64_t local, const Zone& zone) {
  return due_time_of(local, zone).at;
}

std::optional<DueTime> next_time_of_day(Timestamp after, Duration time, Weekdays days, const Zone& zone) {
  const std::int64_t today = floor_div(local_at(after, zone), kDay);
  // Yesterday, because its time may have been skipped until now; a week and a day, because a place may skip a day.
  for (std::int64_t day = today - 1; day <= today + 9; ++day) {
    const std::int64_t local = day * kDay + time.count();
    if (!days.has(weekday_of({day * kDay, zone}))) continue;
    const DueTime due = due_time_of(local, zone);
    // A day that the place skips has no times.
    if (due.at > after && floor_div(local_at(due.at, zone), kDay) == day) return due;
  }
  return {};
}

std::optional<DueTime> TimePattern::next(Timestamp after, const Zone& zone) const {
  const bool fixed_hour = hours.exactly >= 0;
  if (fixed_hour && minutes.exactly >= 0 && seconds.exactly >= 0) {
    const Duration time(hours.exactly * kHour + minutes.exactly * kMinute + seconds.exactly * kSecond);
    return next_time_of_day(after, time, Weekdays::all(), zone);
  }
  std::int64_t moment = (floor_div(after.time_since_epoch().count(), kSecond) + 1) * kSecond;
  const std::int64_t last = moment + 3 * kDay;
  while (moment < last) {
    const std::int64_t local = templates::at(moment, zone).local;
    const std::int64_t second = floor_div(local, kSecond);
    const int s = static_cast<int>(second % 60), m = static_cast<int>(second / 60 % 60),
              h = static_cast<int>(second / 3'600 % 24);
    const bool again = fixed_hour && instant_of(local, zone).time_since_epoch().count() != moment;
    if (!hours.fits(h) || again)
      moment += again ? kMinute - s * kSecond : kHour - (m * 60 + s) * kSecond;
    else if (!minutes.fits(m))
      moment += kMinute - s * kSecond;
    else if (!seconds.fits(s))
      moment += kSecond;
    else
      return DueTime{Timestamp(Duration(moment))};
  }
  return {};
}

}  // namespace hearth::automation
