// SPDX-License-Identifier: Apache-2.0
// What happened in a span of time, in order, as entries of the logbook: changes of what is not measured, and events
// that somebody wants to know of, each with who or what caused it. The span is gone through in slices, so that what it
// holds is bounded, however long the span.
//
// The reader's thread only.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "recorder/entity_history.h"

namespace hearth::api {

struct LogbookOptions {
  std::vector<std::string> entity_ids;  // empty: all
  recorder::Span span;
  std::optional<std::string> context_id;  // only what has this context
};

class LogbookQuery {
 public:
  enum class Times { iso, seconds };  // of `when`

  LogbookQuery(LogbookOptions options, Times times);

  // As HistoryQuery's. All calls together make one JSON array.
  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out, std::size_t bytes);

 private:
  struct Entry {
    base::Timestamp when;
    std::string entity_id, name, state, message, domain, source;
    std::string context_id, parent_id, user_id;
    bool is_event = false;
  };
  // What made a context, or was first to carry it.
  struct Cause {
    std::string event_type, domain, service, name, entity_id, state, source, message;
  };

  base::Result<void> begin_slice(recorder::HistoryReader& reader);
  base::Result<void> read_entity(recorder::HistoryReader& reader);
  void take(const std::string& entity_id, const recorder::Change& change);
  void take_event(const recorder::HistoryReader::KeptEvent& event);
  void end_slice(std::string& out);
  void narrow();
  void write(std::string& out, const Entry& entry) const;
  void write_cause(std::string& out, const Entry& entry) const;
  bool wanted(std::string_view entity_id) const;

  const LogbookOptions options_;
  const Times times_;
  std::vector<std::string> entities_;
  bool begun_ = false, any_ = false, in_slice_ = false;
  recorder::Span slice_;
  base::Duration step_;
  std::size_t next_ = 0;  // of entities_, within the slice
  std::optional<recorder::EntityHistory> entity_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, Cause> causes_;  // by context id
  std::string attributes_, name_;                  // the last name read, and what it was read from
};

}  // namespace hearth::api
