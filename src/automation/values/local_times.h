// SPDX-License-Identifier: Apache-2.0
// Finds the next instant at which the clocks of the home show a given time. A time that the clocks skip comes at the
// first valid instant after it; one that they show twice, at the first. Any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "template/values/moment.h"

namespace hearth::automation {

class Weekdays {
 public:
  static Weekdays all() { return Weekdays(0x7F); }
  static Weekdays none() { return Weekdays(0); }
  // From 0, Monday, to 6.
  void add(int day) { days_ |= static_cast<std::uint8_t>(1U << day); }
  bool has(int day) const { return (days_ >> day & 1U) != 0; }

 private:
  explicit Weekdays(std::uint8_t days) : days_(days) {}
  std::uint8_t days_;
};

// The day of `mon` …; null if it is none.
std::optional<int> parse_weekday(std::string_view name);
int weekday_of(const templates::DateTime& local);

// When something is due. Of one instant, what the clocks skip comes first, in the order of its wall time.
struct DueTime {
  base::Timestamp at;
  base::Duration skipped{0};  // its wall time less that of the instant: below zero if the clocks skip it
  auto operator<=>(const DueTime&) const = default;
};

// The next instant after `after` at which it is that time of day, on one of the days; null if there are none.
std::optional<DueTime> next_time_of_day(base::Timestamp after, base::Duration time, Weekdays days,
                                        const templates::Zone& zone);
// Of a date and time in the zone.
DueTime due_time_of(std::int64_t local, const templates::Zone& zone);
base::Timestamp instant_of(std::int64_t local, const templates::Zone& zone);

// hours, minutes, seconds of which each is a number, every one, or every nth.
struct TimePattern {
  struct Part {
    int every = 1;     // divisible by it …
    int exactly = -1;  // … unless it is this one, if not negative
    bool fits(int value) const { return exactly >= 0 ? value == exactly : value % every == 0; }
  };
  Part hours, minutes, seconds;

  // The next whole second after `after` that fits. With a fixed hour an hour that the clocks show twice counts once.
  std::optional<DueTime> next(base::Timestamp after, const templates::Zone& zone) const;
};

}  // namespace hearth::automation
