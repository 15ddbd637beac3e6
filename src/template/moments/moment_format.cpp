// SPDX-License-Identifier: Apache-2.0
// Texts of dates and times.
#include <date/tz.h>
#include <fmt/format.h>

#include <ctime>
#include <vector>

#include "template/values/failure.h"
#include "template/values/moment.h"

namespace hearth::templates {
namespace {

constexpr std::size_t kMostPadding = 10'000;  // of one code of strftime

std::string fraction_text(std::int64_t microseconds) {
  return microseconds ? fmt::format(".{:06}", microseconds) : std::string();
}

std::string offset_text(std::int64_t offset, std::string_view separator) {
  const std::int64_t size = std::abs(offset);
  std::string text = fmt::format("{}{:02}{}{:02}", offset < 0 ? '-' : '+', size / 3600, separator, size / 60 % 60);
  if (size % 60) text += fmt::format("{}{:02}", separator, size % 60);
  return text;
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
  const std::int64_t days = day_of(time.local);
  tm.tm_wday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  tm.tm_yday = static_cast<int>(days - day_of(*local_of({fields.year, 1, 1, 0, 0, 0, 0})));
  tm.tm_isdst = -1;
  tm.tm_zone = "";
  return tm;
}

// The fields of repr() that are not zero.
std::string quoted_seconds(const Fields& f) {
  std::string out;
  if (f.second || f.microsecond) out += fmt::format(", {}", f.second);
  if (f.microsecond) out += fmt::format(", {}", f.microsecond);
  return out;
}

std::string quoted_zone(const Zone& zone) {
  return zone.kind == Zone::Kind::none ? std::string() : ", tzinfo=" + quoted(zone);
}

}  // namespace

std::string offset_text(const DateTime& time, std::string_view separator) {
  return time.zone.kind == Zone::Kind::none ? std::string() : offset_text(offset_of(time), separator);
}

std::optional<std::string> clock_text(std::int64_t of_day, std::string_view precision) {
  const std::string hour = fmt::format("{:02}", of_day / (3600 * kSecond)),
                    minute = hour + fmt::format(":{:02}", of_day / (60 * kSecond) % 60),
                    second = minute + fmt::format(":{:02}", of_day / kSecond % 60);
  const std::int64_t rest = of_day % kSecond;
  if (precision == "auto") return second + fraction_text(rest);
  if (precision == "hours") return hour;
  if (precision == "minutes") return minute;
  if (precision == "seconds") return second;
  if (precision == "milliseconds") return second + fmt::format(".{:03}", rest / 1000);
  if (precision == "microseconds") return second + fmt::format(".{:06}", rest);
  return {};
}

std::string to_text(const DateTime& time, char separator) {
  const std::int64_t days = day_of(time.local);
  return to_text(Date{static_cast<std::int32_t>(days)}) + separator + *clock_text(time.local - days * kDay, "auto") +
         offset_text(time, ":");
}

std::string to_text(Date date) {
  const Fields fields = fields_of(date.days * kDay);
  return fmt::format("{:04}-{:02}-{:02}", fields.year, fields.month, fields.day);
}

std::string to_text(const TimeOfDay& time) {
  const auto offset = offset_of(time);
  return *clock_text(time.microseconds, "auto") + (offset ? offset_text(*offset, ":") : std::string());
}

std::string to_text(TimeDelta span) {
  const std::int64_t days = day_of(span.microseconds);
  const std::int64_t rest = span.microseconds - days * kDay;
  std::string text = days ? fmt::format("{} day{}, ", days, std::abs(days) == 1 ? "" : "s") : std::string();
  return text + fmt::format("{}:{:02}:{:02}{}", rest / (3600 * kSecond), rest / (60 * kSecond) % 60,
                            rest / kSecond % 60, fraction_text(rest % kSecond));
}

std::string to_text(const Zone& zone) {
  if (zone.kind == Zone::Kind::named) return zone.named->name();
  return zone.seconds ? "UTC" + offset_text(zone.seconds, ":") : "UTC";
}

std::string quoted(const DateTime& time) {
  const Fields f = fields_of(time.local);
  return fmt::format("datetime.datetime({}, {}, {}, {}, {}", f.year, f.month, f.day, f.hour, f.minute) +
         quoted_seconds(f) + (time.fold ? ", fold=1" : "") + quoted_zone(time.zone) + ')';
}

std::string quoted(Date date) {
  const Fields f = fields_of(date.days * kDay);
  return fmt::format("datetime.date({}, {}, {})", f.year, f.month, f.day);
}

std::string quoted(const TimeOfDay& time) {
  const Fields f = fields_of(time.microseconds);
  return fmt::format("datetime.time({}, {}", f.hour, f.minute) + quoted_seconds(f) + quoted_zone(time.zone) +
         (time.fold ? ", fold=1)" : ")");
}

std::string quoted(TimeDelta span) {
  const std::int64_t days = day_of(span.microseconds), rest = span.microseconds - days * kDay;
  std::string parts;
  const auto add = [&](std::string_view name, std::int64_t n) {
    if (n) parts += fmt::format("{}{}={}", parts.empty() ? "" : ", ", name, n);
  };
  add("days", days);
  add("seconds", rest / kSecond);
  add("microseconds", rest % kSecond);
  return fmt::format("datetime.timedelta({})", parts.empty() ? "0" : parts);
}

std::string quoted(const Zone& zone) {
  if (zone.kind == Zone::Kind::named) return fmt::format("zoneinfo.ZoneInfo(key='{}')", zone.named->name());
  if (zone == Zone::utc()) return "datetime.timezone.utc";
  return fmt::format("datetime.timezone({})", quoted(TimeDelta{zone.seconds * kSecond}));
}

std::string format_time(const DateTime& time, std::string_view format) {
  const std::tm tm = to_tm(time);
  std::string out;
  std::size_t charged = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      out += format[i];
      continue;
    }
    // glibc's: flags, a width, a modifier, a letter.
    std::size_t end = i + 1, width = 0;
    while (end < format.size() && std::string_view("-_0^#").contains(format[end])) ++end;
    for (; end < format.size() && format[end] >= '0' && format[end] <= '9'; ++end) {
      width = width * 10 + static_cast<std::size_t>(format[end] - '0');
      if (width > kMostPadding) fail(FailureKind::limit, fmt::format("a width may be at most {}", kMostPadding));
    }
    if (end < format.size() && (format[end] == 'E' || format[end] == 'O')) ++end;
    if (end == format.size()) {
      out += format.substr(i);
      break;
    }
    const bool plain = end == i + 1;
    const char letter = format[end];
    if (plain && letter == 'f') {
      out += fmt::format("{:06}", fields_of(time.local).microsecond);
    } else if (plain && letter == 'z') {
      out += offset_text(time, "");
    } else if (plain && letter == ':' && format.substr(end).starts_with(":z")) {
      out += offset_text(time, ":");
      ++end;
    } else if (plain && letter == 'Z') {
      out += name_of(time);
    } else if (letter == 's') {
      const std::int64_t moment = moment_of(time, Zone::utc());
      out += std::to_string(moment / kSecond - (moment % kSecond < 0));
    } else {
      const std::string one(format.substr(i, end + 1 - i));
      std::vector<char> text(256 + width);
      out.append(text.data(), std::strftime(text.data(), text.size(), one.c_str(), &tm));
    }
    charge_piece(out.size() - charged, out.size());
    charged = out.size();
    i = end;
  }
  return out;
}

}  // namespace hearth::templates
