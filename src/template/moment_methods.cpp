// SPDX-License-Identifier: Apache-2.0
// The methods of Python's datetime, date, time and timedelta.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "template/environment.h"
#include "template/methods.h"
#include "template/render.h"

namespace hearth::templates {
namespace {

// A date as a datetime at midnight, a time as one of 1900-01-01, as strftime sees them.
DateTime datetime_of(const Value& value) {
  if (const auto* time = value.get<DateTime>()) return *time;
  if (const auto* day = value.get<Date>()) return {day->days * kDay};
  const auto& clock = *value.get<TimeOfDay>();
  return {*local_of({1900, 1, 1, 0, 0, 0, 0}) + clock.microseconds, clock.zone};
}

std::int64_t day_of(const DateTime& time) {
  return time.local / kDay - (time.local % kDay < 0);
}

Value strftime(Call& call) {
  const Parameters in(call, "strftime", {"self", "format"}, 2);
  return Value(format_time(datetime_of(in[0]), in.text(1, "")));
}

template <int first>
Value weekday(Call& call) {
  return ((day_of(datetime_of(call.positional[0])) + 3) % 7 + 7) % 7 + first;
}

Value iso_calendar(Call& call) {
  const DateTime time = datetime_of(call.positional[0]);
  const auto number = [&](std::string_view format) { return std::int64_t{std::stoll(format_time(time, format))}; };
  return Value::tuple({number("%G"), number("%V"), number("%u")});
}

Value to_ordinal(Call& call) {
  return day_of(datetime_of(call.positional[0])) + 719'163;
}

Value iso_text(Call& call) {
  const Parameters in(call, "isoformat", {"self", "sep", "timespec"}, 1);
  const Value& self = in[0];
  if (const auto* day = self.get<Date>()) return Value(to_text(*day));
  const auto* const time = self.get<DateTime>();
  const std::string separator = in.text(1, "T"), precision = in.text(2, "auto");
  if (!time) return Value(to_text(*self.get<TimeOfDay>()));
  if (precision == "auto" && separator.size() == 1) return Value(to_text(*time, separator[0]));
  const Fields f = fields_of(time->local);
  std::string text =
      fmt::format("{}{}{:02}", to_text(Date{static_cast<std::int32_t>(day_of(*time))}), separator, f.hour);
  if (precision != "hours") text += fmt::format(":{:02}", f.minute);
  if (precision != "hours" && precision != "minutes") text += fmt::format(":{:02}", f.second);
  if (precision == "milliseconds") text += fmt::format(".{:03}", f.microsecond / 1000);
  if (precision == "microseconds" || (precision == "auto" && f.microsecond))
    text += fmt::format(".{:06}", f.microsecond);
  return Value(text + offset_text(*time, ":"));
}

Value replace_fields(Call& call) {
  const Value self = call.positional[0];
  const bool clock = self.get<TimeOfDay>() != nullptr;
  Fields f = fields_of(clock ? self.get<TimeOfDay>()->microseconds : datetime_of(self).local);
  Zone zone = clock ? self.get<TimeOfDay>()->zone : datetime_of(self).zone;
  const auto change = [&](const Parameters& in, std::size_t index, int& field) {
    const std::int64_t value = in.integer(index, field);
    if (value < 0 || value > 1'000'000) fail(FailureKind::value, "a field of a date is out of range");
    field = static_cast<int>(value);
  };
  const auto take_zone = [&](const Parameters& in, std::size_t index) {
    if (!in.has(index)) return;
    if (in[index].is_none())
      zone = {};
    else if (in[index].is_text())
      zone = Zone::of(std::string(in[index].text()));
    else
      fail(FailureKind::type, "tzinfo argument must be None or of a tzinfo subclass");
  };
  if (self.get<Date>()) {
    const Parameters in(call, "replace", {"self", "year", "month", "day"}, 1);
    change(in, 1, f.year), change(in, 2, f.month), change(in, 3, f.day);
  } else if (clock) {
    const Parameters in(call, "replace", {"self", "hour", "minute", "second", "microsecond", "tzinfo"}, 1);
    change(in, 1, f.hour), change(in, 2, f.minute), change(in, 3, f.second), change(in, 4, f.microsecond);
    take_zone(in, 5);
  } else {
    const Parameters in(call, "replace",
                        {"self", "year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"}, 1);
    change(in, 1, f.year), change(in, 2, f.month), change(in, 3, f.day), change(in, 4, f.hour);
    change(in, 5, f.minute), change(in, 6, f.second), change(in, 7, f.microsecond);
    take_zone(in, 8);
  }
  const auto local = local_of(f);
  if (!local) fail(FailureKind::value, "a field of a date is out of range");
  if (self.get<Date>()) return Date{static_cast<std::int32_t>(*local / kDay - (*local % kDay < 0))};
  if (clock) return TimeOfDay{*local, zone};
  return DateTime{*local, zone};
}

constexpr Method kDateMethods[] = {{"strftime", strftime},   {"weekday", weekday<0>},     {"isoweekday", weekday<1>},
                                   {"isoformat", iso_text},  {"replace", replace_fields}, {"isocalendar", iso_calendar},
                                   {"toordinal", to_ordinal}};
constexpr Method kTimeMethods[] = {{"strftime", strftime}, {"isoformat", iso_text}, {"replace", replace_fields}};
constexpr Method kDateTimeMethods[] = {
    {"date",
     [](Call& call) -> Value { return Date{static_cast<std::int32_t>(day_of(datetime_of(call.positional[0])))}; }},
    {"time",
     [](Call& call) -> Value {
       const DateTime time = datetime_of(call.positional[0]);
       return TimeOfDay{time.local - day_of(time) * kDay};
     }},
    {"timetz",
     [](Call& call) -> Value {
       const DateTime time = datetime_of(call.positional[0]);
       return TimeOfDay{time.local - day_of(time) * kDay, time.zone};
     }},
    {"timestamp",
     [](Call& call) -> Value {
       return static_cast<double>(moment_of(datetime_of(call.positional[0]), call.render.environment.zone)) / kSecond;
     }},
    {"astimezone",
     [](Call& call) -> Value {
       const Parameters in(call, "astimezone", {"self", "tz"}, 1);
       const Zone& home = call.render.environment.zone;
       const Zone zone = in.has(1) && in[1].is_text() ? Zone::of(std::string(in[1].text())) : home;
       return at(moment_of(datetime_of(in[0]), home), zone);
     }},
    {"utcoffset",
     [](Call& call) -> Value {
       const DateTime time = datetime_of(call.positional[0]);
       return time.zone.kind == Zone::Kind::none ? Value() : Value(TimeDelta{offset_of(time) * kSecond});
     }},
    {"tzname",
     [](Call& call) -> Value {
       const DateTime time = datetime_of(call.positional[0]);
       return time.zone.kind == Zone::Kind::none ? Value() : Value(format_time(time, "%Z"));
     }},
};
constexpr Method kSpanMethods[] = {{"total_seconds", [](Call& call) -> Value {
                                      return static_cast<double>(call.positional[0].get<TimeDelta>()->microseconds) /
                                             kSecond;
                                    }}};

}  // namespace

const Method* find_moment_method(const Value& value, std::string_view name) {
  if (value.get<DateTime>()) {
    const Method* const own = find_in(kDateTimeMethods, name);
    return own ? own : find_in(kDateMethods, name);
  }
  if (value.get<Date>()) return find_in(kDateMethods, name);
  if (value.get<TimeOfDay>()) return find_in(kTimeMethods, name);
  if (value.get<TimeDelta>()) return find_in(kSpanMethods, name);
  return nullptr;
}

}  // namespace hearth::templates
