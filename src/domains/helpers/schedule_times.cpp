// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/schedule_times.h"

#include "core/registry/schedule_fields.h"
#include "domains/entities/local_time.h"

namespace hearth::domains {
namespace {

// Of 8:30, 08:30:15 or 24:00 on the day 2026-04-20.
base::Timestamp moment_on(std::string_view day, std::string_view time, const std::string& zone) {
  if (core::is_end_of_day(time)) return start_of_day(next_day(day), zone);
  return parse_local_time(std::string(day) + ' ' + core::two_digit_hour(time), zone).value_or(base::Timestamp());
}

// Of the day 2026-04-20, from 0 for Monday.
std::size_t weekday_on(std::string_view day) {
  const auto since = std::chrono::floor<std::chrono::days>(start_of_day(day, "UTC").time_since_epoch()).count();
  return static_cast<std::size_t>(((since + 3) % 7 + 7) % 7);  // 1970-01-01 was a Thursday
}

}  // namespace

ScheduleMoment schedule_at(const json::object& fields, base::Timestamp now, const std::string& zone) {
  ScheduleMoment found;
  const auto consider = [&](base::Timestamp time) {
    if (time > now && (!found.next || time < *found.next)) found.next = time;
  };
  const std::string today = local_time_text(now, zone).substr(0, 10);
  // From yesterday, whose end the clocks may have skipped until now, to the same day of next week.
  for (int ahead = -1; ahead <= 8; ++ahead) {
    const std::string day = next_day(today, ahead);
    const json::value* const blocks = fields.if_contains(core::kScheduleDays[weekday_on(day)]);
    if (!blocks) continue;
    for (const json::value& block : blocks->get_array()) {
      const auto from = moment_on(day, block.at("from").get_string(), zone),
                 to = moment_on(day, block.at("to").get_string(), zone);
      if (from >= to) continue;  // the clocks skipped all of it
      if (from <= now && now < to) found.block = &block.get_object();
      consider(from);
      consider(to);
    }
  }
  return found;
}

}  // namespace hearth::domains
