// SPDX-License-Identifier: Apache-2.0
#include "template/moment.h"

#include <date/tz.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "template/failure.h"

namespace hearth::templates {
namespace {

using Local = date::local_time<std::chrono::microseconds>;
using System = date::sys_time<std::chrono::microseconds>;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0);
}

std::string fraction_text(std::int64_t microseconds) {
  return microseconds ? fmt::format(".{:06}", microseconds) : std::string();
}

std::string clock_text(std::int64_t of_day) {
  return fmt::format("{:02}:{:02}:{:02}{}", of_day / (3600 * kSecond), of_day / (60 * kSecond) % 60,
                     of_day / kSecond % 60, fraction_text(of_day % kSecond));
}

std::tm to_tm(const DateTime& time) {
  const Fields fields = fields_of(time.local);
  std::tm tm{};
  tm.tm_year = fields.year - 1900;
  tm.tm_mon = fields.month - 1;
  tm.tm_mday = fields.day;
  tm.tm_hour = fields.hour;
  tm.tm_min = fields.minute;
  tm.tm_sec = fields.second;
  const std::int64_t days = floor_div(time.local, kDay);
  tm.tm_wday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  tm.tm_yday = static_cast<int>(days - floor_div(*local_of({fields.year, 1, 1, 0, 0, 0, 0}), kDay));
  tm.tm_isdst = -1;
  return tm;
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
  const date::year_month_day day{date::year(fields.year), date::month(static_cast<unsigned>(fields.month)),
                                 date::day(static_cast<unsigned>(fields.day))};
  if (!day.ok() || fields.year < 1 || fields.year > 9999 || fields.month < 1 || fields.day < 1) return {};
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

std::int64_t offset_of(const DateTime& time) {
  if (time.zone.kind == Zone::Kind::fixed) return time.zone.seconds;
  if (time.zone.kind == Zone::Kind::none) return 0;
  const auto info = time.zone.named->get_info(Local(std::chrono::microseconds(time.local)));
  // A time that the clocks skip or repeat has the offset from before the change, as in Python.
  return info.first.offset.count();
}

std::int64_t moment_of(const DateTime& time, const Zone& home) {
  if (time.zone.kind == Zone::Kind::none) return moment_of({time.local, home}, home);
  return time.local - offset_of(time) * kSecond;
}

DateTime at(std::int64_t moment, const Zone& zone) {
  if (zone.kind == Zone::Kind::none) return {moment, zone};
  if (zone.kind == Zone::Kind::fixed) return {moment + zone.seconds * kSecond, zone};
  const auto info = zone.named->get_info(System(std::chrono::microseconds(moment)));
  return {moment + info.offset.count() * kSecond, zone};
}

std::string offset_text(const DateTime& time, std::string_view separator) {
  if (time.zone.kind == Zone::Kind::none) return {};
  const std::int64_t offset = offset_of(time), size = std::abs(offset);
  std::string text = fmt::format("{}{:02}{}{:02}", offset < 0 ? '-' : '+', size / 3600, separator, size / 60 % 60);
  if (size % 60) text += fmt::format("{}{:02}", separator, size % 60);
  return text;
}

std::string to_text(const DateTime& time, char separator) {
  const std::int64_t days = floor_div(time.local, kDay);
  return to_text(Date{static_cast<std::int32_t>(days)}) + separator + clock_text(time.local - days * kDay) +
         offset_text(time, ":");
}

std::string to_text(Date date) {
  const Fields fields = fields_of(date.days * kDay);
  return fmt::format("{:04}-{:02}-{:02}", fields.year, fields.month, fields.day);
}

std::string to_text(const TimeOfDay& time) {
  return clock_text(time.microseconds) + offset_text({time.microseconds, time.zone}, ":");
}

std::string to_text(TimeDelta span) {
  const std::int64_t days = floor_div(span.microseconds, kDay);
  const std::int64_t rest = span.microseconds - days * kDay;
  std::string text = days ? fmt::format("{} day{}, ", days, std::abs(days) == 1 ? "" : "s") : std::string();
  return text + fmt::format("{}:{:02}:{:02}{}", rest / (3600 * kSecond), rest / (60 * kSecond) % 60,
                            rest / kSecond % 60, fraction_text(rest % kSecond));
}

std::string format_time(const DateTime& time, std::string_view format) {
  const std::tm tm = to_tm(time);
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      out += format[i];
      continue;
    }
    std::size_t end = i + 1;
    while (end < format.size() &&
           (format[end] == '-' || format[end] == '_' || format[end] == '0' || format[end] == '^'))
      ++end;
    if (end == format.size()) {
      out += format.substr(i);
      break;
    }
    const char letter = format[end];
    if (letter == 'f') {
      out += fmt::format("{:06}", fields_of(time.local).microsecond);
    } else if (letter == 'z') {
      out += offset_text(time, "");
    } else if (letter == 'Z') {
      if (time.zone.kind == Zone::Kind::named) {
        out += time.zone.named->get_info(Local(std::chrono::microseconds(time.local))).first.abbrev;
      } else if (time.zone.kind == Zone::Kind::fixed) {
        out += "UTC" + (time.zone.seconds ? offset_text(time, ":") : std::string());
      }
    } else if (letter == 's') {
      out += std::to_string(floor_div(moment_of(time, Zone::utc()), kSecond));
    } else {
      const std::string one(format.substr(i, end + 1 - i));
      std::array<char, 256> text;
      out.append(text.data(), std::strftime(text.data(), text.size(), one.c_str(), &tm));
    }
    charge_text(out.size());
    i = end;
  }
  return out;
}

}  // namespace hearth::templates
