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
struct TimeOfDay {
  std::int64_t microseconds;  // since midnight
  Zone zone = {};
};
// `local` is what the clocks of the zone show, in microseconds since 1970-01-01 of the same clocks.
struct DateTime {
  std::int64_t local;
  Zone zone = {};
};

struct Fields {
  int year, month, day, hour, minute, second, microsecond;
};

constexpr std::int64_t kSecond = 1'000'000, kDay = 86'400 * kSecond;

Fields fields_of(std::int64_t local);
// Null if there is no such day or time, or the year is not from 1 to 9999.
std::optional<std::int64_t> local_of(const Fields& fields);
bool in_range(std::int64_t local);  // years 1 to 9999

// Seconds of the zone's clocks ahead of UTC at that time; 0 without a zone.
std::int64_t offset_of(const DateTime& time);
// Microseconds since 1970-01-01T00:00Z. A time without a zone is one of `home`.
std::int64_t moment_of(const DateTime& time, const Zone& home);
DateTime at(std::int64_t moment, const Zone& zone);

std::string to_text(const DateTime& time, char separator = ' ');
std::string to_text(Date date);
std::string to_text(const TimeOfDay& time);
std::string to_text(TimeDelta span);

// ISO 8601 dates and times, with or without an offset. Null if it is none.
std::optional<DateTime> parse_iso(std::string_view text);
// As Python's strftime and strptime. The latter fails with value.
std::string format_time(const DateTime& time, std::string_view format);
DateTime parse_time(std::string_view text, std::string_view format);
// "+02:00", "" without a zone; separator is ':' or nothing.
std::string offset_text(const DateTime& time, std::string_view separator);

}  // namespace hearth::templates
