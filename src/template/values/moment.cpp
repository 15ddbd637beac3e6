// SPDX-License-Identifier: Apache-2.0
#include "template/values/moment.h"

#include <date/tz.h>

#include <stdexcept>

namespace hearth::templates {
namespace {

using Local = date::local_time<std::chrono::microseconds>;
using System = date::sys_time<std::chrono::microseconds>;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0);
}

date::local_info info_of(const DateTime& time) {
  return time.zone.named->get_info(Local(std::chrono::microseconds(time.local)));
}

const date::sys_info& chosen(const date::local_info& info, bool fold) {
  return fold && info.result != date::local_info::unique ? info.second : info.first;
}

}  // namespace

Zone Zone::of(const std::string& name) {
  try {
    return {Kind::named, 0, date::locate_zone(name)};
  } catch (const std::runtime_error&) {
    return utc();
  }
}

Fields fields_of(std::int64_t local) {
  const std::int64_t days = floor_div(local, kDay);
  const date::year_month_day day{date::sys_days(date::days(days))};
  const std::int64_t rest = local - days * kDay;
  return {int(day.year()),
          static_cast<int>(unsigned(day.month())),
          static_cast<int>(unsigned(day.day())),
          static_cast<int>(rest / (3600 * kSecond)),
          static_cast<int>(rest / (60 * kSecond) % 60),
          static_cast<int>(rest / kSecond % 60),
          static_cast<int>(rest % kSecond)};
}

std::optional<std::int64_t> local_of(const Fields& fields) {
  if (fields.year < 1 || fields.year > 9999 || fields.month < 1 || fields.month > 12 || fields.day < 1 ||
      fields.day > 31)
    return {};
  const date::year_month_day day{date::year(fields.year), date::month(static_cast<unsigned>(fields.month)),
                                 date::day(static_cast<unsigned>(fields.day))};
  if (!day.ok()) return {};
  if (fields.hour < 0 || fields.hour > 23 || fields.minute < 0 || fields.minute > 59 || fields.second < 0 ||
      fields.second > 59 || fields.microsecond < 0 || fields.microsecond > 999'999) {
    return {};
  }
  const std::int64_t days = date::sys_days(day).time_since_epoch().count();
  return days * kDay + ((fields.hour * 60 + fields.minute) * 60LL + fields.second) * kSecond + fields.microsecond;
}

bool in_range(std::int64_t local) {
  static const std::int64_t first = *local_of({1, 1, 1, 0, 0, 0, 0}),
                            last = *local_of({9999, 12, 31, 23, 59, 59, 999'999});
  return local >= first && local <= last;
}

std::int64_t day_of(std::int64_t local) {
  return floor_div(local, kDay);
}

IsoWeek iso_week_of(std::int64_t day) {
  const std::int64_t weekday = ((day + 3) % 7 + 7) % 7, thursday = day - weekday + 3;
  const int year = fields_of(thursday * kDay).year;
  const std::int64_t first = floor_div(*local_of({year, 1, 1, 0, 0, 0, 0}), kDay);
  return {year, static_cast<int>((thursday - first) / 7) + 1, static_cast<int>(weekday) + 1};
}

std::optional<std::int64_t> day_of(const IsoWeek& week) {
  const auto fourth = local_of({week.year, 1, 4, 0, 0, 0, 0});  // always in the first week
  if (!fourth || week.week < 1 || week.week > 53 || week.weekday < 1 || week.weekday > 7) return {};
  const std::int64_t day = floor_div(*fourth, kDay), monday = day - ((day + 3) % 7 + 7) % 7;
  const std::int64_t found = monday + (week.week - 1) * 7 + week.weekday - 1;
  if (iso_week_of(monday + (week.week - 1) * 7).year != week.year || !in_range(found * kDay)) return {};
  return found;
}

std::int64_t offset_of(const DateTime& time) {
  if (time.zone.kind == Zone::Kind::fixed) return time.zone.seconds;
  if (time.zone.kind == Zone::Kind::none) return 0;
  return chosen(info_of(time), time.fold).offset.count();
}

std::optional<std::int64_t> offset_of(const TimeOfDay& time) {
  if (time.zone.kind != Zone::Kind::fixed) return {};
  return time.zone.seconds;
}

std::optional<std::int64_t> summer_offset_of(const DateTime& time) {
  if (time.zone.kind != Zone::Kind::named) return {};
  const date::local_info info = info_of(time);
  const date::sys_info& now = chosen(info, time.fold);
  if (now.save.count() == 0) return 0;
  // The system's files only say that it is summer: the difference is that to the winter before or after.
  for (const auto winter : {now.begin - std::chrono::seconds(1), now.end}) {
    const date::sys_info other = time.zone.named->get_info(winter);
    if (other.save.count() == 0 && other.offset != now.offset) return (now.offset - other.offset).count();
  }
  return 3'600;
}

std::string name_of(const DateTime& time) {
  if (time.zone.kind == Zone::Kind::named) return chosen(info_of(time), time.fold).abbrev;
  return time.zone.kind == Zone::Kind::fixed ? to_text(time.zone) : std::string();
}

bool depends_on_fold(const DateTime& time) {
  if (time.zone.kind != Zone::Kind::named) return false;
  const date::local_info info = info_of(time);
  return info.result != date::local_info::unique && info.first.offset != info.second.offset;
}

std::int64_t moment_of(const DateTime& time, const Zone& home) {
  if (time.zone.kind == Zone::Kind::none) {
    return home.kind == Zone::Kind::none ? time.local : moment_of({time.local, home, time.fold}, home);
  }
  return time.local - offset_of(time) * kSecond;
}

DateTime at(std::int64_t moment, const Zone& zone) {
  if (zone.kind == Zone::Kind::none) return {moment, zone};
  if (zone.kind == Zone::Kind::fixed) return {moment + zone.seconds * kSecond, zone};
  const System time{std::chrono::microseconds(moment)};
  const auto info = zone.named->get_info(time);
  DateTime found{moment + info.offset.count() * kSecond, zone};
  // The second of two times can only come soon after the clocks were changed.
  if (time - info.begin < std::chrono::days(2)) {
    const date::local_info local = info_of(found);
    found.fold = local.result == date::local_info::ambiguous && local.second.offset == info.offset;
  }
  return found;
}

bool equal_times(const DateTime& a, const DateTime& b) {
  if (a.zone == b.zone) return a.local == b.local;
  // A time that is there twice equals none of another zone (PEP 495).
  if (depends_on_fold(a) || depends_on_fold(b)) return false;
  return compare_times(a, b) == 0;
}

int compare_times(const DateTime& a, const DateTime& b) {
  const bool same = a.zone == b.zone;
  const std::int64_t x = same ? a.local : moment_of(a, Zone::utc()), y = same ? b.local : moment_of(b, Zone::utc());
  return x < y ? -1 : x > y;
}

}  // namespace hearth::templates
