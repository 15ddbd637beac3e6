// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text/timestamp.h"
#include "domains/entities/kinds.h"
#include "domains/entities/local_time.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace calendar {

constexpr Feature kFeatures[] = {
    {"create_event", 1, "get new events"},
    {"delete_event", 2, "lose events"},
    {"update_event", 4, "change events"},
};
constexpr Attribute kAttributes[] = {
    {"message", field::Text{}, Shown::if_reported, {}, true, true},
    {"all_day", field::Boolean{}, Shown::if_reported, {}, true},
    {"start_time", field::Text{}, Shown::if_reported, {}, true, true},
    {"end_time", field::Text{}, Shown::if_reported, {}, true, true},
    {"location", field::Text{}, Shown::if_reported, {}, true},
    {"description", field::Text{}, Shown::if_reported, {}, true},
};

constexpr core::Field kSummary{"summary", "What it is.", "Dinner with Ada", field::Text{}},
    kDescription{"description", "More about it.", "She brings the dessert.", field::Text{}},
    kLocation{"location", "Where it is.", "At home", field::Text{}},
    kStartTime{"start_date_time", "When it begins, by the home's clocks unless an offset is given.",
               "2026-04-20 18:00:00", field::DateTime{}},
    kEndTime{"end_date_time", "When it ends.", "2026-04-20 21:00:00", field::DateTime{}},
    kStartDay{"start_date", "The first day of an event of whole days.", "2026-04-20", field::Date{}},
    kEndDay{"end_date", "The day after its last.", "2026-04-21", field::Date{}},
    kIn{"in", "Or in how many days or weeks, as an event of one day.", core::Example::Json{R"({"days":2})"},
        field::Object{}};
constexpr core::Field required(core::Field field) {
  field.required = true;
  return field;
}
constexpr core::Field kUid = required({"uid", "The event, as get_events names it.", "6d0f4a…", field::Text{}});
constexpr core::Field kRule{"rrule", "How it recurs, as RFC 5545 writes it; on a change, an empty text ends that.",
                            "FREQ=WEEKLY;BYDAY=TU", field::Text{}},
    kPart{"recurrence_id",
          "Of an event that recurs, the occurrence, as get_events names it; without it the whole event.",
          "20260421T180000", field::Text{}},
    kRange{"recurrence_range", "THISANDFUTURE: also all that come after this occurrence.", "THISANDFUTURE",
           field::Text{}};
constexpr Input kCreateFields[] = {{required(kSummary)}, {kDescription}, {kLocation}, {kStartTime}, {kEndTime},
                                   {kStartDay},          {kEndDay},      {kIn},       {kRule}};
constexpr Input kUpdateFields[] = {{kUid},      {kSummary}, {kDescription}, {kLocation}, {kStartTime}, {kEndTime},
                                   {kStartDay}, {kEndDay},  {kIn},          {kRule},     {kPart},      {kRange}};
constexpr Input kDeleteFields[] = {{kUid}, {kPart}, {kRange}};
constexpr Input kGetFields[] = {
    {.field = {"start_date_time", "Events that end after this; now if it is missing.", "2026-04-20 00:00:00",
               field::DateTime{}}},
    {.field = {"end_date_time", "And begin before this.", "2026-04-27 00:00:00", field::DateTime{}}},
    {.field = {"duration", "Or so long after the start; without either, a week.", core::Example::Json{R"({"days":7})"},
               field::Object{}}}};
constexpr Action kActions[] = {
    {.service = "create_event",
     .name = "Create event",
     .description = "Adds an event to the calendars.",
     .fields = kCreateFields,
     .needs = "create_event"},
    {.service = "update_event",
     .name = "Update event",
     .description = "Changes an event of the calendars.",
     .fields = kUpdateFields,
     .needs = "update_event"},
    {.service = "delete_event",
     .name = "Delete event",
     .description = "Takes an event off the calendars.",
     .fields = kDeleteFields,
     .needs = "delete_event"},
    {.service = "get_events",
     .name = "Get events",
     .description = "Answers with the events of each calendar between two times.",
     .fields = kGetFields,
     .answers = true},
};

using base::ErrorCode;
using base::fail;

struct Unit {
  std::string_view name;
  std::int64_t seconds;
};
constexpr Unit kUnits[] = {{"weeks", 604'800}, {"days", 86'400}, {"hours", 3'600}, {"minutes", 60}, {"seconds", 1}};

// {"days": 1, "hours": 12} in seconds. Fails with invalid; `units`: how many of kUnits are allowed.
base::Result<std::int64_t> seconds_of(std::string_view key, const json::object& parts, std::size_t units) {
  constexpr std::int64_t kMost = 100'000;  // of each
  std::int64_t seconds = 0;
  for (const auto& [name, value] : parts) {
    const auto end = std::begin(kUnits) + units;
    const auto unit = std::find_if(std::begin(kUnits), end, [&](const Unit& each) { return each.name == name; });
    const std::int64_t* const number = value.if_int64();
    if (unit == end || !number || *number < 0 || *number > kMost) {
      return fail(ErrorCode::invalid,
                  fmt::format("{}: expected whole numbers of {}.", key,
                              units == 2 ? "weeks or days" : "weeks, days, hours, minutes, seconds"));
    }
    seconds += *number * unit->seconds;
  }
  if (parts.empty())
    return fail(ErrorCode::invalid, fmt::format("{}: expected an object such as {{\"days\": 1}}.", key));
  return seconds;
}

bool has(const json::object& data, std::string_view key) {
  return data.contains(key);
}
std::string_view text(const json::object& data, std::string_view key) {
  return data.at(key).get_string();
}

// Makes `start` and `end` of however the call says when it is: two days, or two moments with the home's offset.
base::Result<void> set_time(const Thing& calendar, json::object& data) {
  const bool moments = has(data, "start_date_time") || has(data, "end_date_time");
  const bool days = has(data, "start_date") || has(data, "end_date");
  if (moments + days + has(data, "in") > 1) {
    return fail(ErrorCode::invalid,
                "start_date_time and end_date_time, start_date and end_date, in: only one of them.");
  }
  const std::string zone = calendar.time_zone();
  if (moments) {
    if (!has(data, "start_date_time") || !has(data, "end_date_time"))
      return fail(ErrorCode::invalid, "start_date_time, end_date_time: expected both.");
    const auto start = parse_local_time(text(data, "start_date_time"), zone);
    const auto end = parse_local_time(text(data, "end_date_time"), zone);
    if (!start || !end) return std::unexpected(start ? end.error() : start.error());
    if (*end <= *start) return fail(ErrorCode::invalid, "end_date_time: expected a time after start_date_time.");
    data["start"] = local_time_text(*start, zone);
    data["end"] = local_time_text(*end, zone);
  } else if (days) {
    if (!has(data, "start_date") || !has(data, "end_date"))
      return fail(ErrorCode::invalid, "start_date, end_date: expected both.");
    if (text(data, "end_date") <= text(data, "start_date"))
      return fail(ErrorCode::invalid, "end_date: expected a day after start_date.");
    const std::string start(text(data, "start_date")), end(text(data, "end_date"));
    data["start"] = start;
    data["end"] = end;
  } else if (has(data, "in")) {
    const auto later = seconds_of("in", data.at("in").get_object(), 2);
    if (!later) return std::unexpected(later.error());
    const std::string today = local_time_text(calendar.now(), zone).substr(0, 10);
    const std::string day = next_day(today, static_cast<int>(*later / 86'400));
    data["start"] = day;
    data["end"] = next_day(day);
  }
  for (const std::string_view key : {"start_date_time", "end_date_time", "start_date", "end_date", "in"})
    data.erase(key);
  return {};
}

// Makes both ends of the span: moments in UTC.
base::Result<void> set_span(const Thing& calendar, json::object& data) {
  constexpr auto kWeek = std::chrono::days(7);
  if (has(data, "end_date_time") && has(data, "duration"))
    return fail(ErrorCode::invalid, "end_date_time, duration: only one of them.");
  base::Timestamp start = calendar.now(), end;
  const auto read = [&](std::string_view key, base::Timestamp& time) -> base::Result<void> {
    const auto parsed = parse_local_time(text(data, key), calendar.time_zone());
    if (!parsed) return std::unexpected(parsed.error());
    time = *parsed;
    return {};
  };
  if (has(data, "start_date_time")) {
    if (auto done = read("start_date_time", start); !done) return done;
  }
  if (has(data, "duration")) {
    const auto length = seconds_of("duration", data.at("duration").get_object(), std::size(kUnits));
    if (!length) return std::unexpected(length.error());
    end = start + std::chrono::seconds(*length);
  } else if (!has(data, "end_date_time")) {
    end = start + kWeek;
  } else if (auto done = read("end_date_time", end); !done) {
    return done;
  }
  if (end <= start) return fail(ErrorCode::invalid, "end_date_time: expected a time after start_date_time.");
  data = {{"start", base::to_string(start)}, {"end", base::to_string(end)}};
  return {};
}

// The device gets `start` and `end` instead of the many ways to say them.
base::Result<void> check_times(const Thing& calendar, Order& order) {
  const std::string_view service = order.action->service;
  if (service == "get_events") return set_span(calendar, order.data);
  if (auto done = set_time(calendar, order.data); !done) return done;
  if (service == "create_event" && !has(order.data, "start")) {
    return fail(ErrorCode::invalid,
                "start_date_time: expected when the event is: start_date_time and end_date_time, start_date and "
                "end_date, or in.");
  }
  return {};
}

}  // namespace calendar

constexpr Kind kCalendar{.domain = "calendar",
                         .description =
                             "Events with their times. It is on during an event; the attributes tell the "
                             "present event, otherwise the next.",
                         .value = field::Option{"on off"},
                         .features = calendar::kFeatures,
                         .attributes = calendar::kAttributes,
                         .actions = calendar::kActions,
                         .check = calendar::check_times};

}  // namespace hearth::domains
