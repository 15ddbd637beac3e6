// SPDX-License-Identifier: Apache-2.0
// Functions of dates and times. A time without a zone is one of the home.
#include <fmt/format.h>

#include <cmath>

#include "template/language/builtins.h"
#include "template/language/render.h"

namespace hearth::templates {
namespace {

const Zone& home_of(const Call& call) {
  return call.render.environment.zone;
}

// Null if it is out of range.
std::optional<std::int64_t> microseconds(double seconds) {
  if (!(std::abs(seconds) < 2.6e11)) return {};
  const auto moment = static_cast<std::int64_t>(std::nearbyint(seconds * kSecond));
  return in_range(moment - kDay) && in_range(moment + kDay) ? std::optional(moment) : std::nullopt;
}

Value moment(Call& call, const Zone& zone, std::string_view name) {
  const Parameters in(call, name, {}, 0);
  call.render.saw_time();
  call.render.saw_beyond_lists();
  return at(call.render.now().time_since_epoch().count(), zone);
}

void refuse_undefined_time(const Value& value) {
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
}

Value as_datetime(Call& call) {
  const Parameters in(call, "as_datetime", {"value", "default"}, 1);
  const Value& value = in[0];
  refuse_undefined_time(value);
  if (value.get<DateTime>()) return value;
  if (const auto* day = value.get<Date>()) return DateTime{day->days * kDay};
  if (const auto number = to_number(value)) {
    if (const auto moment = microseconds(*number)) return at(*moment, Zone::utc());
  } else if (value.is_text()) {
    if (const auto time = parse_iso(value.text())) return *time;
  }
  if (value.is_text() && !in.has(1)) return {};  // a text that is no time is no failure
  return otherwise_or_fail("as_datetime", value, in, 1);
}

Value as_timestamp(Call& call) {
  const Parameters in(call, "as_timestamp", {"value", "default"}, 1);
  if (!in.has(1)) refuse_undefined_time(in[0]);
  const auto* const given = in[0].get<DateTime>();
  // Of what else there is, what it prints counts: a date, but no number of seconds.
  const auto time = given ? std::optional(*given) : parse_iso(to_text(in[0]));
  if (time) return static_cast<double>(moment_of(*time, home_of(call))) / kSecond;
  return otherwise_or_fail("as_timestamp", in[0], in, 1);
}

Value as_local(Call& call) {
  const Parameters in(call, "as_local", {"value"}, 1);
  const auto* const time = in[0].get<DateTime>();
  if (!time) fail(FailureKind::type, fmt::format("as_local needs a datetime, not {}", type_name(in[0])));
  const Zone& home = home_of(call);
  if (time->zone.kind == Zone::Kind::none || time->zone == home) return DateTime{time->local, home, time->fold};
  return at(moment_of(*time, home), home);
}

// "7:30", "07:30:15": whole numbers. Null if it is no time of the day.
std::optional<std::int64_t> clock_of(std::string_view text) {
  Fields fields{1970, 1, 1, 0, 0, 0, 0};
  int* const parts[] = {&fields.hour, &fields.minute, &fields.second};
  std::size_t count = 0;
  for (std::size_t i = 0; i <= text.size() && count < 3; ++count) {
    const std::size_t end = std::min(text.find(':', i), text.size());
    const auto number = read_number(text.substr(i, end - i));
    if (!number || *number != std::floor(*number) || *number < 0 || *number > 59 ||
        text.substr(i, end - i).find_first_of(".eE") != std::string_view::npos)
      return {};
    *parts[count] = static_cast<int>(*number);
    i = end + 1;
  }
  return count < 2 ? std::nullopt : local_of(fields);
}

Value today_at(Call& call) {
  const Parameters in(call, "today_at", {"time_str"}, 0);
  call.render.saw_time();
  call.render.saw_beyond_lists();
  const DateTime now = at(call.render.now().time_since_epoch().count(), home_of(call));
  const std::int64_t midnight = day_of(now.local) * kDay;
  const std::string text = in.has(0) ? to_text(in[0]) : std::string();
  if (text.empty()) return DateTime{midnight, now.zone};
  const auto clock = clock_of(text);
  if (!clock) {
    fail(FailureKind::value, fmt::format("could not convert {} to datetime: '{}'", type_name(in[0]), text));
  }
  return DateTime{midnight + *clock, now.zone};
}

Value strptime(Call& call) {
  const Parameters in(call, "strptime", {"string", "fmt", "default"}, 2);
  try {
    if (in[0].is_text() && in[1].is_text()) return parse_time(in[0].text(), in[1].text());
  } catch (const Failure& failure) {
    if (failure.kind != FailureKind::value) throw;
  }
  return otherwise_or_fail("strptime", in[0], in, 2);
}

Value timedelta(Call& call) {
  const Parameters in(call, "timedelta",
                      {"days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"}, 0);
  constexpr double units[] = {86'400e6, 1e6, 1, 1e3, 60e6, 3'600e6, 7 * 86'400e6};
  // Whole numbers exactly.
  std::int64_t whole = 0;
  double rest = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    if (!in.has(i)) continue;
    const auto integer = as_int(in[i]);
    std::int64_t part;
    if (integer && !__builtin_mul_overflow(*integer, static_cast<std::int64_t>(units[i]), &part) &&
        !__builtin_add_overflow(whole, part, &whole))
      continue;
    rest += in.number(i, 0) * units[i];
  }
  const double total = static_cast<double>(whole) + rest;
  if (std::isnan(total)) fail(FailureKind::value, "cannot convert float NaN to integer");
  if (!(std::abs(total) < 9e18)) fail(FailureKind::limit, "a timedelta may have at most 106751991 days");
  return TimeDelta{whole + static_cast<std::int64_t>(std::nearbyint(rest))};
}

Value as_timedelta(Call& call) {
  const Parameters in(call, "as_timedelta", {"value"}, 1);
  refuse_undefined_time(in[0]);
  if (!in[0].is_text()) {
    fail(FailureKind::type, fmt::format("as_timedelta(): expected str, not {}", type_name(in[0])));
  }
  const auto span = parse_span(in[0].text());
  return span ? Value(*span) : Value();
}

// The span in its largest units: "2 hours", with precision 2 "2 hours 5 minutes".
std::string span_text(std::int64_t span, std::int64_t precision) {
  constexpr std::pair<std::string_view, std::int64_t> units[] = {
      {"year", 365 * 86'400}, {"month", 30 * 86'400}, {"day", 86'400}, {"hour", 3'600}, {"minute", 60}, {"second", 1}};
  std::int64_t seconds = (span + kSecond / 2) / kSecond;
  std::string out;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto [name, size] = units[i];
    if (seconds < size && !(i == 5 && out.empty())) continue;
    // The last unit that is shown is rounded.
    const std::int64_t count = --precision == 0 && i < 5 ? (seconds + size / 2) / size : seconds / size;
    if (!out.empty()) out += ' ';
    out += fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
    seconds -= count * size;
    if (precision == 0) break;
  }
  return out;
}

Value relative(Call& call, bool since, bool plain) {
  const Parameters in(call, plain ? "relative_time" : since ? "time_since" : "time_until", {"value", "precision"}, 1);
  const auto* const time = in[0].get<DateTime>();
  if (!time) return in[0];
  call.render.saw_time();
  call.render.saw_beyond_lists();
  std::int64_t span = call.render.now().time_since_epoch().count() - moment_of(*time, home_of(call));
  if (!since) span = -span;
  if (span < 0) return in[0];
  const std::int64_t precision = in.integer(1, 1);
  return Value(span_text(span, precision <= 0 ? 7 : precision));
}

// The time of a number of seconds since 1970; null for all else.
std::optional<DateTime> time_of_stamp(const Value& value, const Zone& zone) {
  const auto number = as_double(value);
  const auto moment = number ? microseconds(*number) : std::nullopt;
  return moment ? std::optional(at(*moment, zone)) : std::nullopt;
}

Value timestamp_text(Call& call, const Zone& zone, std::string_view name) {
  const Parameters in(call, name, {"value", "default"}, 1);
  const auto time = time_of_stamp(in[0], zone);
  return time ? Value(to_text(*time, 'T')) : otherwise_or_fail(name, in[0], in, 1);
}

Value timestamp_custom(Call& call) {
  const Parameters in(call, "timestamp_custom", {"value", "date_format", "local", "default"}, 1);
  const auto time = time_of_stamp(in[0], in.flag(2, true) ? home_of(call) : Zone::utc());
  if (!time) return otherwise_or_fail("timestamp_custom", in[0], in, 3);
  return Value(format_time(*time, in.text(1, "%Y-%m-%d %H:%M:%S")));
}

Value timedelta_string(Call& call) {
  const Parameters in(call, "timedelta_string", {"value", "precision"}, 1);
  const auto* const span = in[0].get<TimeDelta>();
  if (!span) fail(FailureKind::type, fmt::format("timedelta_string needs a timedelta, not {}", type_name(in[0])));
  const std::int64_t precision = in.integer(1, 1);
  const bool past = span->microseconds < 0;
  return Value((past ? "-" : "") + span_text(std::abs(span->microseconds), precision <= 0 ? 7 : precision));
}

constexpr Builtin kMomentFunctions[] = {
    {"as_datetime", as_datetime},
    {"as_local", as_local},
    {"as_timedelta", as_timedelta},
    {"as_timestamp", as_timestamp},
    {"relative_time", [](Call& call) { return relative(call, true, true); }},
    {"strptime", strptime},
    {"time_since", [](Call& call) { return relative(call, true, false); }},
    {"time_until", [](Call& call) { return relative(call, false, false); }},
    {"timestamp_custom", timestamp_custom},
    {"timestamp_local", [](Call& call) { return timestamp_text(call, home_of(call), "timestamp_local"); }},
    {"timedelta_string", timedelta_string},
    {"timestamp_utc", [](Call& call) { return timestamp_text(call, Zone::utc(), "timestamp_utc"); }},
    {"today_at", today_at},
};
constexpr Builtin kMomentGlobals[] = {
    {"now", [](Call& call) { return moment(call, home_of(call), "now"); }},
    {"timedelta", timedelta},
    {"utcnow", [](Call& call) { return moment(call, Zone::utc(), "utcnow"); }},
};

}  // namespace

std::span<const Builtin> moment_filters() {
  return kMomentFunctions;
}
std::span<const Builtin> moment_globals() {
  return kMomentGlobals;
}

}  // namespace hearth::templates
