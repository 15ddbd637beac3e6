// SPDX-License-Identifier: Apache-2.0
// Dates and times from texts.
#include <fmt/format.h>

#include <array>

#include "template/values/failure.h"
#include "template/values/moment.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

// Reads from the front of a text.
struct Reader {
  std::string_view rest;

  bool take(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  // From `least` to `most` digits.
  std::optional<int> number(std::size_t least, std::size_t most) {
    std::size_t size = 0;
    int value = 0;
    while (size < most && size < rest.size() && rest[size] >= '0' && rest[size] <= '9')
      value = value * 10 + (rest[size++] - '0');
    if (size < least) return {};
    rest.remove_prefix(size);
    return value;
  }
  // A fraction of a second as microseconds; further digits are cut off.
  std::optional<int> fraction() {
    int value = 0;
    std::size_t size = 0;
    for (; size < rest.size() && rest[size] >= '0' && rest[size] <= '9'; ++size) {
      if (size < 6) value = value * 10 + (rest[size] - '0');
    }
    if (size == 0) return {};
    for (std::size_t i = size; i < 6; ++i) value *= 10;
    rest.remove_prefix(size);
    return value;
  }
  // Z, +hh, +hhmm, +hh:mm, +hh:mm:ss.
  std::optional<Zone> zone() {
    if (take('Z') || take('z')) return Zone::utc();
    const bool west = rest.starts_with('-');
    if (!take('+') && !take('-')) return {};
    const auto hours = number(2, 2);
    if (!hours) return {};
    take(':');
    const int minutes = number(2, 2).value_or(0);
    int seconds = 0;
    if (take(':')) seconds = number(2, 2).value_or(0);
    if (*hours > 23 || minutes > 59 || seconds > 59) return {};
    const int offset = *hours * 3600 + minutes * 60 + seconds;
    return Zone::fixed(west ? -offset : offset);
  }
};

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kDays = {"monday", "tuesday",  "wednesday", "thursday",
                                                   "friday", "saturday", "sunday"};

// The index of the name that the text begins with, in full or its first three letters.
template <std::size_t size>
std::optional<int> take_name(Reader& in, const std::array<std::string_view, size>& names, bool whole) {
  const std::string text = lower_text(in.rest.substr(0, 12));
  for (std::size_t i = 0; i < size; ++i) {
    const std::string_view name = whole ? names[i] : names[i].substr(0, 3);
    if (!text.starts_with(name)) continue;
    in.rest.remove_prefix(name.size());
    return static_cast<int>(i);
  }
  return {};
}

}  // namespace

std::optional<DateTime> parse_iso(std::string_view text) {
  Reader in{text};
  Fields fields{0, 1, 1, 0, 0, 0, 0};
  const auto year = in.number(4, 4);
  if (!year) return {};
  const bool dashes = in.take('-');
  const auto month = in.number(dashes ? 1 : 2, 2);
  if (!month) return {};
  fields.year = *year, fields.month = *month;
  if (dashes && in.rest.empty()) {
    const auto local = local_of(fields);
    return local ? std::optional(DateTime{*local}) : std::nullopt;
  }
  if (dashes && !in.take('-')) return {};
  const auto day = in.number(dashes ? 1 : 2, 2);
  if (!day) return {};
  fields.day = *day;
  Zone zone;
  bool midnight = false;  // 24:00 is that of the next day
  if (!in.rest.empty()) {
    if (!in.take('T') && !in.take('t') && !in.take(' ')) return {};
    const auto hour = in.number(1, 2);
    if (!hour) return {};
    fields.hour = *hour;
    const bool colons = in.take(':');
    const auto minute = in.number(colons ? 1 : 2, 2);
    if (!minute && (colons || !in.rest.empty())) return {};
    fields.minute = minute.value_or(0);
    if (colons ? in.take(':') : !in.rest.empty() && in.rest[0] >= '0' && in.rest[0] <= '9') {
      const auto second = in.number(colons ? 1 : 2, 2);
      if (!second) return {};
      fields.second = *second;
      if (in.take('.') || in.take(',')) {
        const auto fraction = in.fraction();
        if (!fraction) return {};
        fields.microsecond = *fraction;
      }
    }
    midnight = fields.hour == 24 && !fields.minute && !fields.second && !fields.microsecond;
    if (midnight) fields.hour = 0;
    in.take(' ');
    if (!in.rest.empty()) {
      const auto read = in.zone();
      if (!read) return {};
      zone = *read;
    }
  }
  const auto local = in.rest.empty() ? local_of(fields) : std::nullopt;
  if (!local || !in_range(*local + midnight * kDay)) return {};
  return DateTime{*local + midnight * kDay, zone};
}

namespace {

// 2026-03-28, 20260328, 2026-W13-6, 2026W13.
std::optional<std::int64_t> take_python_day(Reader& in) {
  const auto year = in.number(4, 4);
  if (!year) return {};
  const bool dashes = in.take('-');
  if (in.take('W')) {
    const auto week = in.number(2, 2);
    if (!week) return {};
    int weekday = 1;
    if (dashes ? in.take('-') : !in.rest.empty() && in.rest[0] >= '0' && in.rest[0] <= '9') {
      const auto read = in.number(1, 1);
      if (!read) return {};
      weekday = *read;
    }
    return day_of(IsoWeek{*year, *week, weekday});
  }
  const auto month = in.number(2, 2);
  if (!month || (dashes && !in.take('-'))) return {};
  const auto day = in.number(2, 2);
  const auto local = day ? local_of({*year, *month, *day, 0, 0, 0, 0}) : std::nullopt;
  return local ? std::optional(day_of(*local)) : std::nullopt;
}

// hh, hh:mm, hhmm and so on, with a fraction of the second, then an offset.
std::optional<TimeOfDay> take_python_clock(Reader& in) {
  Fields fields{1970, 1, 1, 0, 0, 0, 0};
  const auto hour = in.number(2, 2);
  if (!hour) return {};
  fields.hour = *hour;
  const bool colons = in.rest.starts_with(':');
  int* const parts[] = {&fields.minute, &fields.second};
  for (std::size_t i = 0; i < 2; ++i) {
    const bool more = colons ? in.take(':') : !in.rest.empty() && in.rest[0] >= '0' && in.rest[0] <= '9';
    if (!more) break;
    const auto part = in.number(2, 2);
    if (!part) return {};
    *parts[i] = *part;
    if (i == 1 && (in.take('.') || in.take(','))) {
      const auto fraction = in.fraction();
      if (!fraction) return {};
      fields.microsecond = *fraction;
    }
  }
  Zone zone;
  if (!in.rest.empty()) {
    const auto read = in.zone();
    if (!read || !in.rest.empty()) return {};
    zone = *read;
  }
  const auto local = local_of(fields);
  if (!local) return {};
  return TimeOfDay{*local, zone};
}

}  // namespace

std::optional<Date> parse_python_date(std::string_view text) {
  Reader in{text};
  const auto day = take_python_day(in);
  if (!day || !in.rest.empty()) return {};
  return Date{static_cast<std::int32_t>(*day)};
}

std::optional<TimeOfDay> parse_python_clock(std::string_view text) {
  Reader in{text};
  in.take('T');
  return take_python_clock(in);
}

std::optional<DateTime> parse_python_time(std::string_view text) {
  Reader in{text};
  const auto day = take_python_day(in);
  if (!day) return {};
  if (in.rest.empty()) return DateTime{*day * kDay};
  std::size_t separator = 0;  // any character
  next_code_point(in.rest, separator);
  in.rest.remove_prefix(separator);
  const auto clock = take_python_clock(in);
  if (!clock) return {};
  return DateTime{*day * kDay + clock->microseconds, clock->zone};
}

DateTime parse_time(std::string_view text, std::string_view format) {
  const auto refuse = [&](std::string_view why) {
    fail(FailureKind::value, fmt::format("time data '{}' {} format '{}'", text, why, format));
  };
  Reader in{text};
  Fields fields{1900, 1, 1, 0, 0, 0, 0};
  Zone zone;
  std::optional<bool> afternoon;
  std::optional<int> day_of_year;
  const auto need = [&](std::optional<int> value) {
    if (!value) refuse("does not match");
    return *value;
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      if (is_space(static_cast<unsigned char>(format[i]))) {
        if (in.rest.empty() || !is_space(static_cast<unsigned char>(in.rest[0]))) refuse("does not match");
        while (!in.rest.empty() && is_space(static_cast<unsigned char>(in.rest[0]))) in.rest.remove_prefix(1);
        continue;
      }
      if (in.rest.empty() || (in.rest[0] | 0x20) != (format[i] | 0x20)) refuse("does not match");
      in.rest.remove_prefix(1);
      continue;
    }
    switch (format[++i]) {
      case 'Y':
        fields.year = need(in.number(4, 4));
        break;
      case 'y': {
        const int year = need(in.number(2, 2));
        fields.year = year < 69 ? 2000 + year : 1900 + year;
        break;
      }
      case 'm':
        fields.month = need(in.number(1, 2));
        break;
      case 'd':
        fields.day = need(in.number(1, 2));
        break;
      case 'H':
        fields.hour = need(in.number(1, 2));
        break;
      case 'I':
        fields.hour = need(in.number(1, 2)) % 12;
        if (!afternoon) afternoon = false;
        break;
      case 'p': {
        const std::string half = lower_text(in.rest.substr(0, 2));
        if (half != "am" && half != "pm") refuse("does not match");
        afternoon = half == "pm";
        in.rest.remove_prefix(2);
        break;
      }
      case 'M':
        fields.minute = need(in.number(1, 2));
        break;
      case 'S':
        fields.second = need(in.number(1, 2));
        break;
      case 'f': {
        Reader digits{in.rest.substr(0, 6)};
        const std::size_t before = digits.rest.size();
        fields.microsecond = need(digits.fraction());
        in.rest.remove_prefix(before - digits.rest.size());
        break;
      }
      case 'j':
        day_of_year = need(in.number(1, 3));
        break;
      case 'b':
      case 'B':
        fields.month = need(take_name(in, kMonths, format[i] == 'B')) + 1;
        break;
      case 'a':
      case 'A':
        need(take_name(in, kDays, format[i] == 'A'));
        break;
      case 'z': {
        const auto read = in.zone();
        if (!read) refuse("does not match");
        zone = *read;
        break;
      }
      case 'Z':
        if (lower_text(in.rest.substr(0, 3)) != "utc" && lower_text(in.rest.substr(0, 3)) != "gmt")
          refuse("does not match");
        in.rest.remove_prefix(3);
        break;
      case '%':
        if (!in.take('%')) refuse("does not match");
        break;
      default:
        fail(FailureKind::value, fmt::format("'{}' is a bad directive in format '{}'", format[i], format));
    }
  }
  if (!in.rest.empty()) fail(FailureKind::value, fmt::format("unconverted data remains: {}", in.rest));
  if (afternoon.value_or(false)) fields.hour = fields.hour % 12 + 12;
  if (day_of_year) fields.month = 1, fields.day = 1;
  auto local = local_of(fields);
  if (!local) refuse("is out of range for");
  if (day_of_year) *local += (*day_of_year - 1) * kDay;
  return {*local, zone};
}

}  // namespace hearth::templates
