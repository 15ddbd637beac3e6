// SPDX-License-Identifier: Apache-2.0
#include "suggestions/days.h"

#include <algorithm>

namespace hearth::suggestions {
namespace {

std::int64_t local_of(base::Timestamp time, const templates::Zone& zone) {
  return templates::at(time.time_since_epoch().count(), zone).local;
}

base::Timestamp moment_of(std::int64_t local, const templates::Zone& zone) {
  return base::Timestamp(base::Duration(templates::moment_of({local, zone}, zone)));
}

std::optional<base::Timestamp> within(const std::vector<base::Timestamp>& times, base::Timestamp begin,
                                      base::Timestamp end) {
  const auto first = std::ranges::lower_bound(times, begin);
  return first != times.end() && *first < end ? std::optional(*first) : std::nullopt;
}

}  // namespace

Days::Days(const Past& past) : zone_(past.zone), sunrises_(past.sunrises), sunsets_(past.sunsets) {
  // The first midnight at or after the start.
  std::int64_t local = local_of(past.from, zone_);
  local += (templates::kDay - local % templates::kDay) % templates::kDay;
  for (base::Timestamp begin = moment_of(local, zone_);; local += templates::kDay) {
    const base::Timestamp end = moment_of(local + templates::kDay, zone_);
    if (end > past.until) break;
    const auto weekday = (local / templates::kDay + 3) % 7;  // from 0, Monday; 1970-01-01 was a Thursday
    days_.push_back({begin, end, weekday >= 5, within(sunrises_, begin, end), within(sunsets_, begin, end)});
    begin = end;
  }
}

std::int64_t Days::day_of(base::Timestamp time) const {
  return local_of(time, zone_) / templates::kDay;
}

int Days::hour_of(base::Timestamp time) const {
  return static_cast<int>(local_of(time, zone_) % templates::kDay / (3600 * templates::kSecond));
}

std::optional<bool> Days::is_dark(base::Timestamp time) const {
  const auto rise = std::ranges::upper_bound(sunrises_, time), set = std::ranges::upper_bound(sunsets_, time);
  if (rise == sunrises_.begin() || set == sunsets_.begin()) return {};
  return *std::prev(set) > *std::prev(rise);
}

}  // namespace hearth::suggestions
