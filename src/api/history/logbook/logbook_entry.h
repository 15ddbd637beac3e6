// SPDX-License-Identifier: Apache-2.0
// One entry of the logbook, made of a change of state or of an event, and its JSON.
//
// Any thread; LogbookNames: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/history/logbook/logbook_causes.h"
#include "core/bus/context.h"
#include "recorder/log/change.h"

namespace hearth::api {

struct LogbookEntry {
  enum class Kind : std::uint8_t {
    state,  // a change of state
    event,
    link,  // an event that is not shown: its context leads from one entry to another
  };

  base::Timestamp when;
  Kind kind = Kind::state;
  std::string_view entity_id, name, domain;
  std::string_view state, message, source;
  std::string_view context_id, parent_id, user_id;
};

// Of `when`.
enum class LogbookTimes { iso, seconds };

// True if the logbook tells of the change: of a new value that is no measurement.
bool in_logbook(const recorder::Change& change);

// Names of entities: by their attributes, otherwise by their ids.
class LogbookNames {
 public:
  // Valid until the next call.
  std::string_view of(std::string_view entity_id, std::string_view attributes_json);

 private:
  std::string attributes_, name_;  // the last name, and what it was read from
  std::string plain_;
};

// Valid as long as what it is made of.
LogbookEntry logbook_entry(std::string_view entity_id, const recorder::Change& change, std::string_view name);
LogbookEntry logbook_entry(const LogbookCause& cause, const core::Context& context, base::Timestamp when);

// The event's own words: an action, and its object. Null if its data is no JSON object.
std::optional<LogbookCause> logbook_cause(std::string_view event_type, std::string_view data_json);
// Removes what triggered a run, unless that is the clock, the hub, or an entity that the caller may read.
void hide_trigger(LogbookCause& cause, const std::function<bool(std::string_view entity_id)>& reads);

// `cause`: the event that led to it; `change`: otherwise the change that did. Null if unknown.
void write_json(std::string& out, const LogbookEntry& entry, LogbookTimes times, const LogbookCause* cause,
                const LogbookEntry* change);

}  // namespace hearth::api
