// SPDX-License-Identifier: Apache-2.0
// Reads a span of time, in order, as entries of the logbook: changes of values that are no measurements, and the events
// that the logbook shows, each with its cause. It reads the span in slices, which are shorter where much happened: a
// question takes less than 4 MiB, however long the span and however much it holds.
//
// The reader's thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/history/logbook/logbook_causes.h"
#include "api/history/logbook/logbook_descent.h"
#include "api/history/logbook/logbook_entry.h"
#include "api/history/logbook/logbook_slice.h"
#include "core/view.h"
#include "recorder/history/entity_history.h"

namespace hearth::api {

// The part of a home that a caller may find in the logbook, at the time of the question.
struct LogbookReadable {
  core::ReadableRegistry registry;
  std::string user_id;  // of the caller, whose own calls of services may be told

  bool entity(std::string_view entity_id) const { return registry.reads(entity_id); }
};
// Nothing if that is everything.
std::optional<LogbookReadable> readable_in_logbook(const core::View& home, std::string_view user_id);

struct LogbookOptions {
  std::vector<std::string> entity_ids;  // empty: all
  recorder::Span span;
  std::optional<std::string> context_id;    // only what has this context, or descends from it
  std::optional<LogbookReadable> readable;  // nothing: everything is
};

class LogbookQuery {
 public:
  LogbookQuery(LogbookOptions options, LogbookTimes times);

  // As HistoryQuery's. All calls together make one JSON array; with `whole` each makes one.
  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out, std::size_t bytes, bool whole = false);
  // The contexts that descend from options.context_id, if there is one, as far as they have been produced.
  const std::optional<LogbookDescent>& descent() const { return descent_; }

 private:
  enum class Stage { between, reading, writing };  // slices

  base::Result<void> begin(recorder::HistoryReader& reader);
  base::Result<void> begin_slice(recorder::HistoryReader& reader);
  base::Result<void> read_entity(recorder::HistoryReader& reader);
  bool next_entity();
  bool take(std::string_view entity_id, const recorder::Change& change);
  bool take_event(const recorder::HistoryReader::KeptEvent& event);
  void narrow();
  void write_entries(std::string& out, std::size_t end);
  void end_slice();
  bool asked_for(const LogbookEntry& entry);
  void write(std::string& out, const LogbookEntry& entry);
  bool may_descend(std::string_view context_id, std::string_view parent_id) const;
  bool wanted(std::string_view entity_id) const;

  LogbookOptions options_;
  const LogbookTimes times_;
  recorder::HistoryReader::Names names_;  // of all entities that history knows; null where some are named
  std::vector<std::string> others_;       // and those that it does not know yet, or those that are named
  bool begun_ = false, any_ = false;
  Stage stage_ = Stage::between;
  recorder::Span slice_;
  base::Duration step_;
  std::size_t next_ = 0;  // of names_, then of others_, within the slice
  std::optional<recorder::EntityHistory> entity_;
  LogbookSlice entries_;
  std::size_t narrow_at_ = 0;  // so many entries, if fewer are of one time
  std::size_t written_ = 0;
  LogbookCauses causes_;
  bool causes_known_ = false;  // those before the slice
  LogbookNames entity_names_;
  std::optional<LogbookDescent> descent_;
};

}  // namespace hearth::api
