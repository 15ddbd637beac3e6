// SPDX-License-Identifier: Apache-2.0
// The events of a calendar that the hub keeps, as items: one that recurs is one item, with what is different about some
// of its occurrences. Any thread.
//
// Fields of an item: `summary`, `start`, `end`, `description`, `location`; of one that recurs also `rrule`, `time_zone`
// (by whose clocks it recurs), `last` (the last occurrence, if there is one), `exdates` (the recurrence ids of those
// that were deleted), `exceptions` (by their recurrence ids, those that were changed: objects of the first five).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"

namespace hearth::domains::series {

// An event as people write it.
constexpr std::string_view kTexts[] = {"summary", "start", "end", "description", "location"};
constexpr std::string_view kRule = "rrule", kZone = "time_zone", kExdates = "exdates";
constexpr std::string_view kUid = "uid", kId = "recurrence_id", kRange = "recurrence_range";
constexpr std::string_view kFuture = "THISANDFUTURE";

struct Occurrence {
  base::Timestamp start, end;
  std::string start_text, end_text;  // days, or times with the offset of the home
  const json::object* fields;        // of the item or the exception; the texts of time are not those of this occurrence
  std::string recurrence_id;         // empty if the event does not recur
};

// The item's fields with what the data set; an empty text takes a field away. `zone`: of the home. Fails with invalid.
base::Result<json::object> changed(json::object fields, const json::object& data, const std::string& zone);

// The occurrences that end after `from`; those of the rule in order until `visit` says no more by false, changed ones
// before, all of them. `zone`: of the home.
void each(const json::object& fields, base::Timestamp from, const std::string& zone,
          const std::function<bool(const Occurrence&)>& visit);

// Of the fields of an event that recurs: if there is such an occurrence, deleted or not; what they are with this
// exception, or without this occurrence. REQUIRES: it is there.
bool has(const json::object& fields, std::string_view recurrence_id);
json::object with(json::object fields, std::string_view recurrence_id, json::object exception);
json::object without(json::object fields, std::string_view recurrence_id);

// The effect of an update or a delete on an item.
struct Plan {
  std::optional<json::object> update = {}, create = {};  // neither: the item goes
};
// `data`: as the services have them, with recurrence_id and recurrence_range for a part of what recurs. Fails with
// invalid.
base::Result<Plan> plan_update(const json::object& fields, const json::object& data, const std::string& zone);
base::Result<Plan> plan_delete(const json::object& fields, const json::object& data);

}  // namespace hearth::domains::series
