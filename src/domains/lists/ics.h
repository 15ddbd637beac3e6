// SPDX-License-Identifier: Apache-2.0
// To-do lists and calendars as other programs keep them: the format iCalendar (RFC 5545, .ics). Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/registry/collection.h"

namespace hearth::domains::ics {

constexpr std::size_t kMaxBytes = 16 * 1024 * 1024;

struct Entry {
  std::string uid;      // unique among them; the id of the item
  json::object fields;  // of an item of a to-do list, or of a calendar (calendar_series.h)
};

struct Entries {
  std::vector<Entry> entries;       // in the order of the text
  std::vector<std::string> losses;  // what could not be read, or not as a whole, a line each, with its uid and why
};

struct Limits {
  std::size_t events = core::kMaxItems;  // further ones are losses
  // Asked at each event: false ends the reading, which fails.
  std::function<bool()> goes_on = [] { return true; };
};

// The VTODOs: SUMMARY, DESCRIPTION, DUE, STATUS, UID, at most core::kMaxItems of them. `zone`: of the home, for times
// without one. Fails with invalid if the text is no iCalendar.
base::Result<Entries> read_todos(std::string_view text, const std::string& zone);
// The VEVENTs: SUMMARY, DESCRIPTION, LOCATION, DTSTART, DTEND or DURATION, RRULE, EXDATE, RECURRENCE-ID, UID. Likewise.
base::Result<Entries> read_events(std::string_view text, const std::string& zone, const Limits& limits = {});

}  // namespace hearth::domains::ics
