// SPDX-License-Identifier: Apache-2.0
// Reads history: segments, the log, and what is not yet committed, as one list of changes for each entity. Has a
// connection of its own and never waits for the writer; each call reads one moment and leaves nothing open.
//
// One thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/change.h"
#include "recorder/log_reader.h"
#include "recorder/recorder.h"
#include "recorder/waiting_changes.h"
#include "storage/database.h"

namespace hearth::recorder {

class HistoryReader {
 public:
  // The recorder must outlive the reader.
  explicit HistoryReader(const Recorder& recorder) : recorder_(recorder) {}

  // The ids of all entities in history, sorted, including removed ones. Callers share one list as long as it is
  // unchanged.
  using Names = std::shared_ptr<const std::vector<std::string>>;
  base::Result<Names> names();
  // The ids of entities with uncommitted changes.
  std::vector<std::string> waiting_names();
  // The time of the oldest entry; now if there is none. Cached for some seconds.
  base::Result<base::Timestamp> oldest();
  // 0 if history has nothing of the entity on disk.
  base::Result<std::int64_t> number_of(std::string_view entity_id);

  // A reader's position in an entity's history: after the segment that ends with that time and number.
  struct Position {
    base::Timestamp last{base::Duration::min()};
    std::int64_t last_change = 0;
    std::int64_t seen = 0;  // the greatest number of all segments before
  };
  enum class Kinds { all, without_measurements };
  // The changes after the position, oldest first, in a bounded piece: up to kMaxSegmentChanges changes from disk, or
  // those of the log and the recorder's queue. Starts with the segment that contains `from` or precedes it; ends when
  // everything left is after `until`. Null if there is no more. Pieces of a day on which the clock was set back may
  // overlap until that day has ended.
  base::Result<std::optional<ChangeList>> next(std::string_view entity_id, Position& position, base::Timestamp from,
                                               base::Timestamp until, Kinds kinds = Kinds::all);
  // The entity's last change before `from`, from segments only; an empty list if there is none.
  base::Result<ChangeList> last_before(std::string_view entity_id, base::Timestamp from);

  // The recorded events from `from` up to and including `until`, oldest first, as long as `take` returns true. Returns
  // whether it always did.
  struct KeptEvent {
    std::string type, data;
    base::Timestamp fired;
    core::Context context;
  };
  base::Result<bool> events(base::Timestamp from, base::Timestamp until,
                            const std::function<bool(const KeptEvent& event)>& take);

  storage::Database& database() { return *database_; }
  // Whether the last failure was a damaged file.
  bool damaged() const { return database_ && database_->damaged(); }
  const Recorder& recorder() const { return recorder_; }
  // Fails with unavailable if the file cannot be opened.
  base::Result<void> open();
  // Releases the uncommitted changes until the next question.
  void rest() { waiting_.clear(); }

 private:
  base::Result<std::optional<ChangeList>> next_segment(std::int64_t entity, Position& position, base::Timestamp from,
                                                       base::Timestamp until, Kinds kinds);
  base::Result<std::optional<ChangeList>> read_log(std::int64_t entity, Position& position, base::Timestamp until,
                                                   const std::vector<LogEntry>& waiting);

  const Recorder& recorder_;
  std::optional<storage::Database> database_;
  std::optional<LogReader> log_;
  LogIndex index_;
  WaitingChanges waiting_;
  unsigned generation_ = 0;  // of the recorder's file
  Names names_;
  std::pair<std::int64_t, std::int64_t> names_mark_;  // their count, and the highest of their numbers
  base::Timestamp oldest_;
  std::optional<std::chrono::steady_clock::time_point> oldest_seen_;
};

}  // namespace hearth::recorder
