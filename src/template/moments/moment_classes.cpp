// SPDX-License-Identifier: Apache-2.0
// The class methods of Python's datetime, date and time, which a value has, too: now().fromisoformat('…').
#include <fmt/format.h>

#include <cmath>

#include "template/language/methods.h"
#include "template/language/render.h"
#include "template/values/environment.h"
#include "template/values/zone_value.h"

namespace hearth::templates {
namespace {

Value in_class_of(const Value& self, std::int64_t day) {
  if (self.get<Date>()) return Date{static_cast<std::int32_t>(day)};
  return DateTime{day * kDay};
}

[[noreturn]] void refuse_iso(const Value& text) {
  std::string shown;
  print_quoted(shown, text);
  fail(FailureKind::value, fmt::format("Invalid isoformat string: {}", shown));
}

Value from_iso(Call& call) {
  const Parameters in(call, "fromisoformat", {"self", "date_string"}, 2);
  if (!in[1].is_text()) fail(FailureKind::type, "fromisoformat: argument must be str");
  const std::string_view text = in[1].text();
  if (in[0].get<Date>()) {
    if (const auto day = parse_python_date(text)) return *day;
  } else if (in[0].get<TimeOfDay>()) {
    if (const auto clock = parse_python_clock(text)) return *clock;
  } else if (const auto time = parse_python_time(text)) {
    return *time;
  }
  refuse_iso(in[1]);
}

Value from_iso_calendar(Call& call) {
  const Parameters in(call, "fromisocalendar", {"self", "year", "week", "day"}, 4);
  const auto part = [&](std::size_t index) {
    return static_cast<int>(std::clamp<std::int64_t>(in.integer(index, 0), -1, 10'000));
  };
  const auto day = day_of(IsoWeek{part(1), part(2), part(3)});
  if (!day) fail(FailureKind::value, "fromisocalendar: there is no such year, week or day");
  return in_class_of(in[0], *day);
}

Value from_ordinal(Call& call) {
  const Parameters in(call, "fromordinal", {"self", "ordinal"}, 2);
  const std::int64_t day = std::clamp<std::int64_t>(in.integer(1, 0), 0, 10'000'000) - kDaysBefore1970;
  if (!in_range(day * kDay)) fail(FailureKind::value, "ordinal must be from 1 to 3652059");
  return in_class_of(in[0], day);
}

// The moment in the zone; as the home's clocks show it, without a zone, if there is none.
Value clocks_at(Call& call, const Value& self, std::int64_t moment, const Zone& zone) {
  const bool naive = zone.kind == Zone::Kind::none;
  DateTime time = at(moment, naive ? call.render.environment.zone : zone);
  if (naive) time.zone = {};
  if (!in_range(time.local)) fail(FailureKind::value, "the year is out of range");
  if (self.get<Date>()) return Date{static_cast<std::int32_t>(day_of(time.local))};
  return time;
}

Zone zone_in(const Parameters& in, std::size_t index) {
  const auto zone = in.has(index) ? zone_of(in[index]) : Zone{};
  if (!zone) {
    fail(FailureKind::type,
         fmt::format("tzinfo argument must be None or of a tzinfo subclass, not type '{}'", type_name(in[index])));
  }
  return *zone;
}

std::int64_t moment_in(const Parameters& in, std::size_t index) {
  const double seconds = in.number(index, 0);
  if (!(std::abs(seconds) < 2.6e11)) fail(FailureKind::value, "the timestamp is out of range");
  return static_cast<std::int64_t>(std::nearbyint(seconds * kSecond));
}

Value from_timestamp(Call& call) {
  const Parameters in(call, "fromtimestamp", {"self", "timestamp", "tz"}, 2);
  return clocks_at(call, in[0], moment_in(in, 1), zone_in(in, 2));
}

Value from_utc_timestamp(Call& call) {
  const Parameters in(call, "utcfromtimestamp", {"self", "timestamp"}, 2);
  return DateTime{at(moment_in(in, 1), Zone::utc()).local};
}

std::int64_t present(Call& call) {
  call.render.saw_beyond_lists();
  call.render.saw_time();
  return call.render.now().time_since_epoch().count();
}

Value now_here(Call& call) {
  const Parameters in(call, "now", {"self", "tz"}, 1);
  return clocks_at(call, in[0], present(call), zone_in(in, 1));
}

Value today(Call& call) {
  const Parameters in(call, "today", {"self"}, 1);
  return clocks_at(call, in[0], present(call), {});
}

Value utc_now(Call& call) {
  const Parameters in(call, "utcnow", {"self"}, 1);
  return DateTime{present(call)};
}

Value combine_parts(Call& call) {
  const Parameters in(call, "combine", {"self", "date", "time", "tzinfo"}, 3);
  const auto* day = in[1].get<Date>();
  const auto* time = in[1].get<DateTime>();
  const auto* const clock = in[2].get<TimeOfDay>();
  if ((!day && !time) || !clock) {
    fail(FailureKind::type,
         fmt::format("combine() needs a date and a time, not {} and {}", type_name(in[1]), type_name(in[2])));
  }
  const std::int64_t days = day ? day->days : day_of(time->local);
  return DateTime{days * kDay + clock->microseconds, in.has(3) ? zone_in(in, 3) : clock->zone, clock->fold};
}

Value parse_by_format(Call& call) {
  const Parameters in(call, "strptime", {"self", "date_string", "format"}, 3);
  return parse_time(in.text(1, ""), in.text(2, ""));
}

constexpr Method kOfDates[] = {
    {"fromisocalendar", from_iso_calendar},
    {"fromisoformat", from_iso},
    {"fromordinal", from_ordinal},
    {"fromtimestamp", from_timestamp},
    {"today", today},
};
constexpr Method kOfDateTimes[] = {
    {"combine", combine_parts},    {"now", now_here},
    {"strptime", parse_by_format}, {"utcfromtimestamp", from_utc_timestamp},
    {"utcnow", utc_now},
};
constexpr Method kOfTimes[] = {{"fromisoformat", from_iso}};

}  // namespace

const Method* find_moment_class_method(const Value& value, std::string_view name) {
  if (value.get<TimeOfDay>()) return find_in(kOfTimes, name);
  if (value.get<Date>()) return find_in(kOfDates, name);
  if (!value.get<DateTime>()) return nullptr;
  const Method* const own = find_in(kOfDateTimes, name);
  return own ? own : find_in(kOfDates, name);
}

}  // namespace hearth::templates
