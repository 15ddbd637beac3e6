// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/calendar_series.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "domains/entities/local_time.h"
#include "domains/lists/recurrence.h"

namespace hearth::domains::series {
namespace {

using base::ErrorCode;

constexpr std::string_view kLast = "last", kExceptions = "exceptions";
constexpr std::size_t kDaySize = 10;  // of 2026-04-20

bool is_whole_day(std::string_view text) {
  return text.size() == kDaySize;
}

std::string text_of(const json::object& fields, std::string_view key) {
  return base::text_at(fields, key);
}

bool recurs(const json::object& fields) {
  return fields.contains(kRule);
}

std::string first_wall(const json::object& fields) {
  return wall_time(text_of(fields, "start"), text_of(fields, kZone));
}

Recurrence recurrence_of(const json::object& fields) {
  return Recurrence::known(text_of(fields, kRule), first_wall(fields), text_of(fields, kLast));
}

std::int64_t length_of(const json::object& fields) {
  const std::string zone = text_of(fields, kZone);
  return wall_seconds(first_wall(fields), wall_time(text_of(fields, "end"), zone));
}

base::Timestamp moment_of(std::string_view text, const std::string& zone) {
  return is_whole_day(text) ? start_of_day(text, zone) : base::parse_timestamp(text).value_or(base::Timestamp());
}

json::array exdates_of(const json::object& fields) {
  const json::value* const found = fields.if_contains(kExdates);
  return found && found->is_array() ? found->get_array() : json::array();
}

json::object exceptions_of(const json::object& fields) {
  const json::value* const found = fields.if_contains(kExceptions);
  return found && found->is_object() ? found->get_object() : json::object();
}

// Takes what is empty away.
void set_parts(json::object& fields, json::array exdates, json::object exceptions) {
  fields.erase(kExdates);
  fields.erase(kExceptions);
  if (!exdates.empty()) fields[kExdates] = std::move(exdates);
  if (!exceptions.empty()) fields[kExceptions] = std::move(exceptions);
}

// Occurrences from this one on, or those before it.
void keep_parts(json::object& fields, std::string_view id, bool from) {
  json::array exdates;
  json::object exceptions;
  for (const json::value& each : exdates_of(fields))
    if ((each.get_string() >= id) == from) exdates.push_back(each);
  for (const auto& [each, exception] : exceptions_of(fields))
    if ((each >= id) == from) exceptions[each] = exception;
  set_parts(fields, std::move(exdates), std::move(exceptions));
}

json::object with_texts(json::object fields, const json::object& data) {
  for (const std::string_view key : kTexts) {
    const json::value* const value = data.if_contains(key);
    if (!value) continue;
    if (*value == "")
      fields.erase(key);
    else
      fields[key] = *value;
  }
  return fields;
}

json::object texts_of(const json::object& fields) {
  return with_texts({}, fields);
}

// Of one without exceptions.
Occurrence single(const json::object& fields, const std::string& zone) {
  Occurrence made{.start = {},
                  .end = {},
                  .start_text = text_of(fields, "start"),
                  .end_text = text_of(fields, "end"),
                  .fields = &fields,
                  .recurrence_id = {}};
  made.start = moment_of(made.start_text, zone);
  made.end = moment_of(made.end_text, zone);
  return made;
}

// Of one that recurs, the occurrence that begins then by the clocks of its zone.
Occurrence occurrence(const json::object& fields, const std::string& wall, std::int64_t length, const std::string& own,
                      const std::string& zone) {
  Occurrence made{.start = {},
                  .end = {},
                  .start_text = event_time(wall, own),
                  .end_text = event_time(wall_later(wall, length), own),
                  .fields = &fields,
                  .recurrence_id = recurrence_id_of(wall)};
  made.start = moment_of(made.start_text, zone);
  made.end = moment_of(made.end_text, zone);
  if (is_whole_day(wall)) return made;
  // The clocks may have been set back between both.
  if (made.end <= made.start) made.end = made.start + std::chrono::seconds(length);
  made.start_text = local_time_text(made.start, zone);
  made.end_text = local_time_text(made.end, zone);
  return made;
}

// The occurrence that the data name, on the wall; empty if they name none. Fails with invalid.
base::Result<std::string> named(const json::object& fields, const json::object& data) {
  const std::string id = text_of(data, kId), range = text_of(data, kRange);
  if (!range.empty() && range != "NONE" && range != kFuture) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("{}: expected {} or nothing, got {}.", kRange, kFuture, base::utf8_excerpt(range)));
  }
  if (id.empty()) {
    if (range == kFuture) return base::fail(ErrorCode::invalid, fmt::format("{}: needs a {}.", kRange, kId));
    return std::string();
  }
  const std::string wall = wall_of_recurrence_id(id);
  const bool gone =
      std::ranges::any_of(exdates_of(fields), [&](const json::value& each) { return each == json::value(id); });
  if (!recurs(fields) || gone || wall.empty() || !recurrence_of(fields).has(wall)) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("{}: the event has no occurrence {}.", kId, base::utf8_excerpt(id)));
  }
  return wall;
}

bool is_first(const json::object& fields, const std::string& wall) {
  bool first = false;
  recurrence_of(fields).each(first_wall(fields), [&](const std::string& start) {
    first = start == wall;
    return false;
  });
  return first;
}

// Of one that recurs: what is before the occurrence.
json::object ended_before(json::object fields, const std::string& wall) {
  const Recurrence recurrence = recurrence_of(fields);
  fields[kRule] = recurrence.before(wall);
  fields[kLast] = wall_later(wall, is_whole_day(wall) ? -86'400 : -1);
  keep_parts(fields, recurrence_id_of(wall), false);
  return fields;
}

// True if every occurrence has been deleted.
bool is_over(const json::object& fields) {
  if (fields.contains(kExceptions)) return false;
  const json::array gone = exdates_of(fields);
  bool left = false;
  recurrence_of(fields).each(first_wall(fields), [&](const std::string& start) {
    left = std::ranges::find(gone, json::value(recurrence_id_of(start))) == gone.end();
    return !left;
  });
  return !left;
}

}  // namespace

base::Result<json::object> changed(json::object fields, const json::object& data, const std::string& zone) {
  const std::string former_rule = text_of(fields, kRule), former_start = text_of(fields, "start");
  json::object made = with_texts(std::move(fields), data);
  if (const json::value* const rule = data.if_contains(kRule)) {
    if (*rule == "")
      made.erase(kRule);
    else
      made[kRule] = *rule;
  }
  const std::string rule = text_of(made, kRule);
  if (rule == former_rule && text_of(made, "start") == former_start) return made;
  // Its occurrences are others now.
  for (const std::string_view key : {kZone, kLast, kExdates, kExceptions}) made.erase(key);
  if (rule.empty()) return made;
  made[kZone] = zone;
  auto recurrence = Recurrence::parse(rule, first_wall(made), zone);
  if (!recurrence) return std::unexpected(recurrence.error());
  if (!recurrence->last().empty()) made[kLast] = recurrence->last();
  return made;
}

void each(const json::object& fields, base::Timestamp from, const std::string& zone,
          const std::function<bool(const Occurrence&)>& visit) {
  if (!recurs(fields)) {
    const Occurrence only = single(fields, zone);
    if (only.end > from) visit(only);
    return;
  }
  const json::array gone = exdates_of(fields);
  const json::value* const changed = fields.if_contains(kExceptions);
  if (changed && changed->is_object()) {
    for (const auto& [id, exception] : changed->get_object()) {
      Occurrence made = single(exception.as_object(), zone);
      made.recurrence_id = id;
      if (made.end > from) visit(made);
    }
  }
  const std::string own = text_of(fields, kZone), first = first_wall(fields);
  const std::int64_t length = length_of(fields);
  // A day more, because the clocks of the home may be others.
  std::string start = first;
  if (from > moment_of(text_of(fields, "start"), zone)) {
    const std::string now = wall_time(base::to_string(from), own).substr(0, first.size());
    start = std::max(first, wall_later(now, -length - 86'400));
  }
  recurrence_of(fields).each(start, [&](const std::string& wall) {
    const std::string id = recurrence_id_of(wall);
    if (std::ranges::find(gone, json::value(id)) != gone.end()) return true;
    if (changed && changed->is_object() && changed->get_object().contains(id)) return true;
    const Occurrence made = occurrence(fields, wall, length, own, zone);
    return made.end <= from || visit(made);
  });
}

bool has(const json::object& fields, std::string_view recurrence_id) {
  const std::string wall = wall_of_recurrence_id(recurrence_id);
  return recurs(fields) && !wall.empty() && recurrence_of(fields).has(wall);
}

json::object with(json::object fields, std::string_view recurrence_id, json::object exception) {
  json::object exceptions = exceptions_of(fields);
  exceptions[recurrence_id] = std::move(exception);
  set_parts(fields, exdates_of(fields), std::move(exceptions));
  return fields;
}

json::object without(json::object fields, std::string_view recurrence_id) {
  json::array exdates = exdates_of(fields);
  json::object exceptions = exceptions_of(fields);
  const json::value id(recurrence_id);
  if (std::ranges::find(exdates, id) == exdates.end()) exdates.push_back(id);
  exceptions.erase(recurrence_id);
  set_parts(fields, std::move(exdates), std::move(exceptions));
  return fields;
}

base::Result<Plan> plan_update(const json::object& fields, const json::object& data, const std::string& zone) {
  const auto wall = named(fields, data);
  if (!wall) return std::unexpected(wall.error());
  if (wall->empty()) {
    auto whole = changed(fields, data, zone);
    if (!whole) return std::unexpected(whole.error());
    return Plan{.update = std::move(*whole)};
  }
  const std::string id = recurrence_id_of(*wall), own = text_of(fields, kZone);
  const Occurrence now = occurrence(fields, *wall, length_of(fields), own, zone);
  json::object present = texts_of(fields);
  present["start"] = now.start_text;
  present["end"] = now.end_text;
  if (text_of(data, kRange) != kFuture) {
    const json::object exceptions = exceptions_of(fields);
    if (const json::value* const former = exceptions.if_contains(id)) present = former->as_object();
    return Plan{.update = with(fields, id, with_texts(std::move(present), data))};
  }
  const bool first = is_first(fields, *wall);
  // The series as it goes on without a change.
  json::object on = fields;
  for (const auto& [key, value] : present) on[key] = value;
  on[kRule] = first ? text_of(fields, kRule) : recurrence_of(fields).from(*wall);
  keep_parts(on, id, true);
  auto made = changed(std::move(on), data, zone);
  if (!made) return std::unexpected(made.error());
  if (first) return Plan{.update = std::move(*made)};
  return Plan{.update = ended_before(fields, *wall), .create = std::move(*made)};
}

base::Result<Plan> plan_delete(const json::object& fields, const json::object& data) {
  const auto wall = named(fields, data);
  if (!wall) return std::unexpected(wall.error());
  if (wall->empty()) return Plan{};
  json::object left = fields;
  if (text_of(data, kRange) == kFuture) {
    if (is_first(fields, *wall)) return Plan{};
    left = ended_before(fields, *wall);
  } else {
    left = without(fields, recurrence_id_of(*wall));
  }
  if (is_over(left)) return Plan{};
  return Plan{.update = std::move(left)};
}

}  // namespace hearth::domains::series
