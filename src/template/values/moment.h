// SPDX-License-Identifier: Apache-2.0
// Dates, times and spans as Python's datetime has them. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace date {
class time_zone;
}

namespace hearth::templates {

// Microseconds from UTC's clocks to those of a place.
struct Zone {
  enum class Kind : std::uint8_t { none, fixed, named };
  Kind kind = Kind::none;
  std::int32_t seconds = 0;  // of a fixed one
  const date::time_zone* named = nullptr;

  static Zone utc() { return {Kind::fixed, 0, nullptr}; }
  static Zone fixed(std::int32_t seconds) { return {Kind::fixed, seconds, nullptr}; }
  // The zone of that name; UTC if the machine does not know it.
  static Zone of(const std::string& name);
  bool operator==(const Zone&) const = default;
};

struct TimeDelta {
  std::int64_t microseconds;
};
struct Date {
  std::int32_t days;  // since 1970-01-01
};
// `fold` is true for the second of two times that the clocks show alike, because they were turned back (PEP 495).
struct TimeOfDay {
  std::int64_t microseconds;  // since midnight
  Zone zone = {};
  bool fold = false;
};
// `local` is what the clocks of the zone show, in microseconds since 1970-01-01 of the same clocks.
struct DateTime {
  std::int64_t local;
  Zone zone = {};
  bool fold = false;
};

struct Fields {
  int year, month, day, hour, minute, second, microsecond;
};
struct IsoWeek {
  int year, week, weekday;  // 1 is Monday
};

constexpr std::int64_t kSecond = 1'000'000, kDay = 86'400 * kSecond;
constexpr std::int64_t kDaysBefore1970 = 719'163;  // from the day 0 of Python's ordinals

Fields fields_of(std::int64_t local);
// Null if there is no such day or time, or the year is not from 1 to 9999.
std::optional<std::int64_t> local_of(const Fields& fields);
bool in_range(std::int64_t local);        // years 1 to 9999
std::int64_t day_of(std::int64_t local);  // days since 1970-01-01
IsoWeek iso_week_of(std::int64_t day);
std::optional<std::int64_t> day_of(const IsoWeek& week);

// Seconds of the zone's clocks ahead of UTC at that time; 0 without a zone. Of a time that the clocks skip or repeat
// that before the change, with `fold` that after it.
std::int64_t offset_of(const DateTime& time);
// Null if the time of the day alone does not say it.
std::optional<std::int64_t> offset_of(const TimeOfDay& time);
// Seconds by which the zone's clocks are ahead in summer; null if the zone has no such time.
std::optional<std::int64_t> summer_offset_of(const DateTime& time);
bool depends_on_fold(const DateTime& time);
// Microseconds since 1970-01-01T00:00Z. A time without a zone is one of `home`.
std::int64_t moment_of(const DateTime& time, const Zone& home);
DateTime at(std::int64_t moment, const Zone& zone);
// As Python compares: times of the same zone by what the clocks show. REQUIRES: both have a zone, or neither.
bool equal_times(const DateTime& a, const DateTime& b);
int compare_times(const DateTime& a, const DateTime& b);

std::string to_text(const DateTime& time, char separator = ' ');
std::string to_text(Date date);
std::string to_text(const TimeOfDay& time);
std::string to_text(TimeDelta span);
std::string to_text(const Zone& zone);      // "Europe/Amsterdam", "UTC+01:00"
std::string name_of(const DateTime& time);  // of its zone then: "CET"; "" without one
// The hour and what follows it, as far as Python's timespec says; null if it is none of them.
std::optional<std::string> clock_text(std::int64_t of_day, std::string_view precision);
// As Python's repr() writes them: "datetime.date(2026, 3, 28)".
std::string quoted(const DateTime& time);
std::string quoted(Date date);
std::string quoted(const TimeOfDay& time);
std::string quoted(TimeDelta span);
std::string quoted(const Zone& zone);

// ISO 8601 dates and times, with or without an offset. Null if it is none.
std::optional<DateTime> parse_iso(std::string_view text);
// As Python's fromisoformat of each class reads them.
std::optional<DateTime> parse_python_time(std::string_view text);
std::optional<Date> parse_python_date(std::string_view text);
std::optional<TimeOfDay> parse_python_clock(std::string_view text);
// "1 day, 2:00:00", "02:30", "90.5", "P1DT2H". Null if it is none.
std::optional<TimeDelta> parse_span(std::string_view text);
// As Python's strftime and strptime. The latter fails with value.
std::string format_time(const DateTime& time, std::string_view format);
DateTime parse_time(std::string_view text, std::string_view format);
// "+02:00", "" without a zone; separator is ':' or nothing.
std::string offset_text(const DateTime& time, std::string_view separator);

}  // namespace hearth::templates
