// SPDX-License-Identifier: Apache-2.0
// The methods and fields of Python's datetime, date, time and timedelta. Those of the classes are in
// moment_classes.cpp.
#include <fmt/format.h>

#include "template/language/methods.h"
#include "template/language/render.h"
#include "template/values/environment.h"
#include "template/values/zone_value.h"

namespace hearth::templates {
namespace {

// A date as a datetime at midnight, a time as one of 1900-01-01, as strftime sees them.
DateTime datetime_of(const Value& value) {
  if (const auto* time = value.get<DateTime>()) return *time;
  if (const auto* day = value.get<Date>()) return {day->days * kDay};
  const auto& clock = *value.get<TimeOfDay>();
  // A named zone has no offset without a day.
  const Zone zone = clock.zone.kind == Zone::Kind::fixed ? clock.zone : Zone{};
  return {*local_of({1900, 1, 1, 0, 0, 0, 0}) + clock.microseconds, zone};
}

std::int64_t date_of(const DateTime& time) {
  return day_of(time.local);
}

Value strftime(Call& call) {
  const Parameters in(call, "strftime", {"self", "format"}, 2);
  return Value(format_time(datetime_of(in[0]), in.text(1, "")));
}

Value c_time(Call& call) {
  const Parameters in(call, "ctime", {"self"}, 1);
  const DateTime time = datetime_of(in[0]);
  return Value(format_time(time, "%a %b %e %H:%M:%S ") + fmt::format("{:04}", fields_of(time.local).year));
}

std::int64_t weekday_of(const DateTime& time) {
  return ((date_of(time) + 3) % 7 + 7) % 7;
}

template <int first>
Value weekday(Call& call) {
  const Parameters in(call, "weekday", {"self"}, 1);
  return weekday_of(datetime_of(in[0])) + first;
}

Value iso_calendar(Call& call) {
  static constexpr std::string_view names[] = {"year", "week", "weekday"};
  static constexpr TupleNames kind{"datetime.IsoCalendarDate", names};
  const Parameters in(call, "isocalendar", {"self"}, 1);
  const IsoWeek week = iso_week_of(date_of(datetime_of(in[0])));
  return Value::tuple({week.year, week.week, week.weekday}, &kind);
}

Value struct_time(const DateTime& time, std::int64_t summer) {
  static constexpr std::string_view names[] = {"tm_year", "tm_mon",  "tm_mday", "tm_hour", "tm_min",
                                               "tm_sec",  "tm_wday", "tm_yday", "tm_isdst"};
  static constexpr TupleNames kind{"time.struct_time", names};
  const Fields f = fields_of(time.local);
  const std::int64_t first = day_of(*local_of({f.year, 1, 1, 0, 0, 0, 0}));
  return Value::tuple(
      {f.year, f.month, f.day, f.hour, f.minute, f.second, weekday_of(time), date_of(time) - first + 1, summer}, &kind);
}

Value time_tuple(Call& call) {
  const Parameters in(call, "timetuple", {"self"}, 1);
  const DateTime time = datetime_of(in[0]);
  const auto summer = summer_offset_of(time);
  return struct_time(time, summer ? *summer != 0 : -1);
}

Value utc_time_tuple(Call& call) {
  const Parameters in(call, "utctimetuple", {"self"}, 1);
  return struct_time(at(moment_of(datetime_of(in[0]), Zone::utc()), Zone::utc()), 0);
}

Value to_ordinal(Call& call) {
  const Parameters in(call, "toordinal", {"self"}, 1);
  return date_of(datetime_of(in[0])) + kDaysBefore1970;
}

[[noreturn]] void refuse_precision() {
  fail(FailureKind::value, "Unknown timespec value");
}

Value iso_text(Call& call) {
  const Parameters in(call, "isoformat", {"self", "sep", "timespec"}, 1);
  const auto& time = *in[0].get<DateTime>();
  const std::string separator = in.text(1, "T");
  if (in.has(1) && separator.size() != 1) fail(FailureKind::type, "isoformat() argument 1 must be a unicode character");
  const std::int64_t day = date_of(time);
  const auto clock = clock_text(time.local - day * kDay, in.text(2, "auto"));
  if (!clock) refuse_precision();
  return Value(to_text(Date{static_cast<std::int32_t>(day)}) + separator + *clock + offset_text(time, ":"));
}

Value iso_text_of_clock(Call& call) {
  const Parameters in(call, "isoformat", {"self", "timespec"}, 1);
  const auto& time = *in[0].get<TimeOfDay>();
  const auto clock = clock_text(time.microseconds, in.text(1, "auto"));
  if (!clock) refuse_precision();
  return Value(*clock + offset_text(datetime_of(in[0]), ":"));
}

Value iso_text_of_day(Call& call) {
  const Parameters in(call, "isoformat", {"self"}, 1);
  return Value(to_text(*in[0].get<Date>()));
}

void change(const Parameters& in, std::size_t index, int& field) {
  const std::int64_t value = in.integer(index, field);
  if (value < 0 || value > 1'000'000) fail(FailureKind::value, "a field of a date is out of range");
  field = static_cast<int>(value);
}

// tzinfo and fold.
void change_zone(const Parameters& in, std::size_t index, Zone& zone, bool& fold) {
  if (in.has(index)) {
    const auto given = zone_of(in[index]);
    if (!given) {
      fail(FailureKind::type,
           fmt::format("tzinfo argument must be None or of a tzinfo subclass, not type '{}'", type_name(in[index])));
    }
    zone = *given;
  }
  const std::int64_t given = in.integer(index + 1, fold);
  if (given != 0 && given != 1) fail(FailureKind::value, "fold must be either 0 or 1");
  fold = given == 1;
}

std::int64_t changed(const Fields& fields) {
  const auto local = local_of(fields);
  if (!local) fail(FailureKind::value, "a field of a date is out of range");
  return *local;
}

Value replace_of_day(Call& call) {
  const Parameters in(call, "replace", {"self", "year", "month", "day"}, 1);
  Fields f = fields_of(datetime_of(in[0]).local);
  change(in, 1, f.year), change(in, 2, f.month), change(in, 3, f.day);
  return Date{static_cast<std::int32_t>(day_of(changed(f)))};
}

Value replace_of_clock(Call& call) {
  const Parameters in(call, "replace", {"self", "hour", "minute", "second", "microsecond", "tzinfo", "fold"}, 1);
  TimeOfDay time = *in[0].get<TimeOfDay>();
  Fields f = fields_of(time.microseconds);
  change(in, 1, f.hour), change(in, 2, f.minute), change(in, 3, f.second), change(in, 4, f.microsecond);
  change_zone(in, 5, time.zone, time.fold);
  time.microseconds = changed(f);
  return time;
}

Value replace_fields(Call& call) {
  const Parameters in(call, "replace",
                      {"self", "year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo", "fold"}, 1);
  DateTime time = *in[0].get<DateTime>();
  Fields f = fields_of(time.local);
  change(in, 1, f.year), change(in, 2, f.month), change(in, 3, f.day), change(in, 4, f.hour);
  change(in, 5, f.minute), change(in, 6, f.second), change(in, 7, f.microsecond);
  change_zone(in, 8, time.zone, time.fold);
  time.local = changed(f);
  return time;
}

template <bool with_zone>
Value clock_of(Call& call) {
  const Parameters in(call, "time", {"self"}, 1);
  const auto& time = *in[0].get<DateTime>();
  return TimeOfDay{time.local - date_of(time) * kDay, with_zone ? time.zone : Zone{}, time.fold};
}

Value as_time_zone(Call& call) {
  const Parameters in(call, "astimezone", {"self", "tz"}, 1);
  const Zone& home = call.render.environment.zone;
  const auto given = in.has(1) ? zone_of(in[1]) : Zone{};
  if (!given) {
    fail(FailureKind::type,
         fmt::format("tzinfo argument must be None or of a tzinfo subclass, not type '{}'", type_name(in[1])));
  }
  const auto& time = *in[0].get<DateTime>();
  const Zone zone = given->kind == Zone::Kind::none ? home : *given;
  return time.zone == zone ? time : at(moment_of(time, home), zone);
}

Value span_or_none(const std::optional<std::int64_t>& seconds) {
  return seconds ? Value(TimeDelta{*seconds * kSecond}) : Value();
}

Value utc_offset(Call& call) {
  const Parameters in(call, "utcoffset", {"self"}, 1);
  if (const auto* clock = in[0].get<TimeOfDay>()) return span_or_none(offset_of(*clock));
  const auto& time = *in[0].get<DateTime>();
  return time.zone.kind == Zone::Kind::none ? Value() : Value(TimeDelta{offset_of(time) * kSecond});
}

Value zone_name(Call& call) {
  const Parameters in(call, "tzname", {"self"}, 1);
  const DateTime time = datetime_of(in[0]);
  return time.zone.kind == Zone::Kind::none ? Value() : Value(name_of(time));
}

Value summer_offset(Call& call) {
  const Parameters in(call, "dst", {"self"}, 1);
  return in[0].get<DateTime>() ? span_or_none(summer_offset_of(*in[0].get<DateTime>())) : Value();
}

constexpr Method kDateMethods[] = {
    {"ctime", c_time},          {"isocalendar", iso_calendar}, {"isoformat", iso_text_of_day},
    {"isoweekday", weekday<1>}, {"replace", replace_of_day},   {"strftime", strftime},
    {"timetuple", time_tuple},  {"toordinal", to_ordinal},     {"weekday", weekday<0>},
};
constexpr Method kTimeMethods[] = {
    {"dst", summer_offset}, {"isoformat", iso_text_of_clock}, {"replace", replace_of_clock}, {"strftime", strftime},
    {"tzname", zone_name},  {"utcoffset", utc_offset},
};
constexpr Method kDateTimeMethods[] = {
    {"astimezone", as_time_zone},
    {"date",
     [](Call& call) -> Value {
       const Parameters in(call, "date", {"self"}, 1);
       return Date{static_cast<std::int32_t>(date_of(*in[0].get<DateTime>()))};
     }},
    {"dst", summer_offset},
    {"isoformat", iso_text},
    {"replace", replace_fields},
    {"time", clock_of<false>},
    {"timestamp",
     [](Call& call) -> Value {
       const Parameters in(call, "timestamp", {"self"}, 1);
       return static_cast<double>(moment_of(*in[0].get<DateTime>(), call.render.environment.zone)) / kSecond;
     }},
    {"timetz", clock_of<true>},
    {"tzname", zone_name},
    {"utcoffset", utc_offset},
    {"utctimetuple", utc_time_tuple},
};
constexpr Method kSpanMethods[] = {{"total_seconds", [](Call& call) -> Value {
                                      const Parameters in(call, "total_seconds", {"self"}, 1);
                                      return static_cast<double>(in[0].get<TimeDelta>()->microseconds) / kSecond;
                                    }}};

DateTime first_time() {
  return {*local_of({1, 1, 1, 0, 0, 0, 0})};
}

DateTime last_time() {
  return {*local_of({9999, 12, 31, 23, 59, 59, 999'999})};
}

std::optional<Value> field_of_span(const TimeDelta& span, std::string_view name) {
  const std::int64_t days = day_of(span.microseconds), rest = span.microseconds - days * kDay;
  if (name == "days") return days;
  if (name == "seconds") return rest / kSecond;
  if (name == "microseconds") return rest % kSecond;
  if (name == "resolution") return TimeDelta{1};
  return {};
}

std::optional<Value> field_of_day(const Fields& fields, std::string_view name) {
  if (name == "year") return std::int64_t{fields.year};
  if (name == "month") return std::int64_t{fields.month};
  if (name == "day") return std::int64_t{fields.day};
  return {};
}

std::optional<Value> field_of_clock(const Fields& fields, const Zone& zone, bool fold, std::string_view name) {
  if (name == "hour") return std::int64_t{fields.hour};
  if (name == "minute") return std::int64_t{fields.minute};
  if (name == "second") return std::int64_t{fields.second};
  if (name == "microsecond") return std::int64_t{fields.microsecond};
  if (name == "tzinfo") return zone_value(zone);
  if (name == "fold") return std::int64_t{fold};
  return {};
}

}  // namespace

const Method* find_moment_method(const Value& value, std::string_view name) {
  const Method* found = nullptr;
  if (value.get<DateTime>()) {
    found = find_in(kDateTimeMethods, name);
    if (!found) found = find_in(kDateMethods, name);
  } else if (value.get<Date>()) {
    found = find_in(kDateMethods, name);
  } else if (value.get<TimeOfDay>()) {
    found = find_in(kTimeMethods, name);
  } else if (value.get<TimeDelta>()) {
    found = find_in(kSpanMethods, name);
  }
  return found ? found : find_moment_class_method(value, name);
}

std::optional<Value> moment_field(const Value& value, std::string_view name) {
  if (const auto* span = value.get<TimeDelta>()) return field_of_span(*span, name);
  if (const auto* time = value.get<DateTime>()) {
    const Fields fields = fields_of(time->local);
    if (auto found = field_of_day(fields, name)) return found;
    if (auto found = field_of_clock(fields, time->zone, time->fold, name)) return found;
    if (name == "min") return first_time();
    if (name == "max") return last_time();
    if (name == "resolution") return TimeDelta{1};
  } else if (const auto* day = value.get<Date>()) {
    if (auto found = field_of_day(fields_of(day->days * kDay), name)) return found;
    if (name == "min") return Date{static_cast<std::int32_t>(date_of(first_time()))};
    if (name == "max") return Date{static_cast<std::int32_t>(date_of(last_time()))};
    if (name == "resolution") return TimeDelta{kDay};
  } else if (const auto* clock = value.get<TimeOfDay>()) {
    if (auto found = field_of_clock(fields_of(clock->microseconds), clock->zone, clock->fold, name)) return found;
    if (name == "min") return TimeOfDay{0};
    if (name == "max") return TimeOfDay{kDay - 1};
    if (name == "resolution") return TimeDelta{1};
  }
  return {};
}

}  // namespace hearth::templates
