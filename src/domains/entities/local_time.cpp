// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/local_time.h"

#include <date/tz.h>

#include <stdexcept>

#include "base/text/timestamp.h"

namespace hearth::domains {
namespace {

using LocalTime = date::local_time<base::Duration>;

bool has_offset(std::string_view text) {
  const std::string_view time = text.substr(std::min<std::size_t>(text.size(), 10));
  return time.find_first_of("Zz+-") != std::string_view::npos;
}

// Null if the machine knows no such zone: then times are in UTC.
const date::time_zone* find_zone(const std::string& name) {
  try {
    return date::locate_zone(name);
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

base::Timestamp moment_of(LocalTime local, const std::string& name) {
  const date::time_zone* const zone = find_zone(name);
  return zone ? zone->to_sys(local, date::choose::earliest) : base::Timestamp(local.time_since_epoch());
}

date::sys_days day_of(std::string_view day) {
  return date::floor<date::days>(base::parse_timestamp(day).value());
}

}  // namespace

base::Result<base::Timestamp> parse_local_time(std::string_view text, const std::string& zone) {
  auto time = base::parse_timestamp(text);
  if (time && !has_offset(text)) time = moment_of(LocalTime(time->time_since_epoch()), zone);
  return time;
}

base::Timestamp start_of_day(std::string_view day, const std::string& zone) {
  return moment_of(LocalTime(day_of(day).time_since_epoch()), zone);
}

std::string local_time_text(base::Timestamp time, const std::string& name) {
  const date::time_zone* const zone = find_zone(name);
  const auto text = [&](auto moment) {
    return zone ? date::format("%FT%T%Ez", date::make_zoned(zone, moment)) : date::format("%FT%T+00:00", moment);
  };
  const auto whole = date::floor<std::chrono::seconds>(time);
  return whole == time ? text(whole) : text(time);
}

std::string next_day(std::string_view day, int days) {
  return date::format("%F", day_of(day) + date::days(days));
}

}  // namespace hearth::domains
