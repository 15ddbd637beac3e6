// SPDX-License-Identifier: Apache-2.0
// Recurring times, as cron writes them: minute, hour, day of the month, month, day of the week, by the clocks of a
// place. A fixed time that the clocks skip comes at the first valid instant after it, one that they show twice at the
// first; with any hour (`*`) it comes each real hour. Immutable; any thread.
#pragma once

#include <bitset>
#include <functional>
#include <optional>
#include <string_view>

#include "automation/values/local_times.h"
#include "base/result.h"

namespace hearth::derived {

class Cron {
 public:
  // Five fields of numbers, names (jan, mon), lists, ranges and steps. Fails with invalid.
  static base::Result<Cron> parse(std::string_view text);

  // The next instant after `after`; null if there is none within nine years.
  std::optional<base::Timestamp> next(base::Timestamp after, const templates::Zone& zone) const;
  // The last one up to `until` after `after`, and how many there are in between, counted up to 2. Of a span of more
  // than ten years only the last ten count.
  struct Past {
    base::Timestamp last;
    int count = 0;
  };
  Past between(base::Timestamp after, base::Timestamp until, const templates::Zone& zone) const;

 private:
  bool has_day(std::int64_t day) const;  // since 1970-01-01
  // Calls `found` with those of the day after `after`, in order, until it returns false.
  void each_of_day(std::int64_t day, base::Timestamp after, const templates::Zone& zone,
                   const std::function<bool(base::Timestamp)>& found) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;     // from 1
  std::bitset<13> months_;   // from 1
  std::bitset<7> weekdays_;  // from Sunday
  bool any_hour_ = false, any_day_ = false, any_weekday_ = false;
};

}  // namespace hearth::derived
