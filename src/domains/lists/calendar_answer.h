// SPDX-License-Identifier: Apache-2.0
// The words in which calendars tell their events, the same for all of them. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "domains/entities/thing.h"
#include "domains/lists/calendar_series.h"

namespace hearth::domains {

// The state of a calendar whose present event, otherwise its next one, is this; null if there is none.
Report calendar_report(const series::Occurrence* event, base::Timestamp now, const std::string& zone);
// One of the events of an answer: {"uid", "summary", "start", "end"} and "description", "location" if it has them;
// "recurrence_id" and "rrule" of one that recurs. `fields`: of the whole event (calendar_series.h).
json::object event_answer(std::string_view uid, const json::object& fields, const series::Occurrence& occurrence);
// The texts of an event that a service has got: not too long, and not without a title. Fails with invalid.
base::Result<void> check_event_texts(const json::object& data);

}  // namespace hearth::domains
