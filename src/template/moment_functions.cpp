// SPDX-License-Identifier: Apache-2.0
// Functions of dates and times. A time without a zone is one of the home.
#include <fmt/format.h>

#include <cmath>

#include "template/builtins.h"
#include "template/render.h"

namespace hearth::templates {
namespace {

const Zone& home_of(const Call& call) {
  return call.render.environment.zone;
}

std::int64_t microseconds(double seconds) {
  if (!(std::abs(seconds) < 2.6e11)) fail(FailureKind::value, "the time is out of range");
  return static_cast<std::int64_t>(std::nearbyint(seconds * kSecond));
}

Value moment(Call& call, const Zone& zone) {
  call.render.saw_time();
  return at(call.render.now().time_since_epoch().count(), zone);
}

// From a number of seconds, a text or a datetime; null if it is none.
std::optional<DateTime> to_datetime(const Value& value) {
  if (const auto* time = value.get<DateTime>()) return *time;
  if (const auto* day = value.get<Date>()) return DateTime{day->days * kDay};
  if (const auto number = to_number(value)) return at(microseconds(*number), Zone::utc());
  if (value.is_text()) return parse_iso(value.text());
  return {};
}

Value as_datetime(Call& call) {
  const Parameters in(call, "as_datetime", {"value", "default"}, 1);
  if (const auto* undefined = in[0].get<Undefined>(); undefined && !in.has(1))
    fail(undefined->kind, *undefined->message);
  if (const auto time = to_datetime(in[0])) return *time;
  return otherwise_or_fail("as_datetime", in[0], in, 1);
}

Value as_timestamp(Call& call) {
  const Parameters in(call, "as_timestamp", {"value", "default"}, 1);
  if (const auto* undefined = in[0].get<Undefined>(); undefined && !in.has(1))
    fail(undefined->kind, *undefined->message);
  if (!in[0].is_number()) {
    const bool day = in[0].is_text() || in[0].get<DateTime>();
    const auto time = day ? (in[0].is_text() ? parse_iso(in[0].text()) : to_datetime(in[0])) : std::nullopt;
    if (time) return static_cast<double>(moment_of(*time, home_of(call))) / kSecond;
  }
  return otherwise_or_fail("as_timestamp", in[0], in, 1);
}

Value as_local(Call& call) {
  const Parameters in(call, "as_local", {"value"}, 1);
  const auto* const time = in[0].get<DateTime>();
  if (!time) fail(FailureKind::type, fmt::format("as_local needs a datetime, not {}", type_name(in[0])));
  return at(moment_of(*time, home_of(call)), home_of(call));
}

Value today_at(Call& call) {
  const Parameters in(call, "today_at", {"time_str"}, 0);
  call.render.saw_time();
  const DateTime now = at(call.render.now().time_since_epoch().count(), home_of(call));
  const std::int64_t midnight = (now.local / kDay - (now.local % kDay < 0)) * kDay;
  const std::string text = in.text(0, "");
  if (text.empty()) return DateTime{midnight, now.zone};
  const auto time = parse_iso("1970-01-01T" + text);
  if (!time || text.find(':') == std::string::npos) {
    fail(FailureKind::value, fmt::format("could not convert str to datetime: '{}'", text));
  }
  return DateTime{midnight + time->local, now.zone};
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
  if (!(std::abs(total) < 9e18)) fail(FailureKind::value, "a timedelta may have at most 106751 days");
  return TimeDelta{whole + static_cast<std::int64_t>(std::nearbyint(rest))};
}

Value as_timedelta(Call& call) {
  const Parameters in(call, "as_timedelta", {"value"}, 1);
  // [-][D days, ][HH:[MM:]]SS[.ffffff]
  std::string text = to_text(in[0]);
  bool negative = false;
  std::int64_t days = 0;
  if (const std::size_t day = text.find(" day"); day != std::string::npos) {
    const auto count = read_number(text.substr(0, day));
    if (!count) return {};
    days = static_cast<std::int64_t>(*count);
    const std::size_t rest = text.find_first_of("0123456789", day);
    text = rest == std::string::npos ? "0" : text.substr(rest);
  }
  if (text.starts_with('-')) negative = true, text.erase(0, 1);
  double seconds = 0;
  int parts = 0;
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t end = std::min(text.find(':', i), text.size());
    const auto number = read_number(text.substr(i, end - i));
    if (!number || ++parts > 3 || *number < 0) return {};
    seconds = seconds * 60 + *number;
    i = end + 1;
  }
  const std::int64_t span = microseconds(seconds);
  return TimeDelta{days * kDay + (negative ? -span : span)};
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
  std::int64_t span = call.render.now().time_since_epoch().count() - moment_of(*time, home_of(call));
  if (!since) span = -span;
  if (span < 0) return in[0];
  const std::int64_t precision = in.integer(1, 1);
  return Value(span_text(span, precision <= 0 ? 7 : precision));
}

Value timestamp_text(Call& call, const Zone& zone, std::string_view name) {
  const Parameters in(call, name, {"value", "default"}, 1);
  const auto number = to_number(in[0]);
  if (!number) return otherwise_or_fail(name, in[0], in, 1);
  return Value(to_text(at(microseconds(*number), zone), 'T'));
}

Value timestamp_custom(Call& call) {
  const Parameters in(call, "timestamp_custom", {"value", "date_format", "local", "default"}, 1);
  const auto number = to_number(in[0]);
  if (!number) return otherwise_or_fail("timestamp_custom", in[0], in, 3);
  const Zone zone = in.flag(2, true) ? home_of(call) : Zone::utc();
  return Value(format_time(at(microseconds(*number), zone), in.text(1, "%Y-%m-%d %H:%M:%S")));
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
    {"timestamp_utc", [](Call& call) { return timestamp_text(call, Zone::utc(), "timestamp_utc"); }},
    {"today_at", today_at},
};
constexpr Builtin kMomentGlobals[] = {
    {"now", [](Call& call) { return moment(call, home_of(call)); }},
    {"timedelta", timedelta},
    {"utcnow", [](Call& call) { return moment(call, Zone::utc()); }},
};

}  // namespace

std::span<const Builtin> moment_filters() {
  return kMomentFunctions;
}
std::span<const Builtin> moment_globals() {
  return kMomentGlobals;
}

}  // namespace hearth::templates
