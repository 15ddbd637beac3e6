// SPDX-License-Identifier: Apache-2.0
// Reads history: segments, the log, and what is not yet committed, as one row of changes for each entity. It has a
// connection of its own and never waits for the writer; each call reads one moment and holds nothing open.
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

  // The ids of all entities that history knows, sorted; removed ones among them. All who ask share one list while it
  // stays the same.
  using Names = std::shared_ptr<const std::vector<std::string>>;
  base::Result<Names> names();
  // Of those that have something that waits for its commit.
  std::vector<std::string> waiting_names();
  // When the oldest of all that is kept happened; now where there is nothing. Looked up anew after some seconds.
  base::Result<base::Timestamp> oldest();
  // 0 where history has nothing of it on the disk.
  base::Result<std::int64_t> number_of(std::string_view entity_id);

  // Where in an entity's history a reader stands: after the segment that ends with that time and number.
  struct Position {
    base::Timestamp last{base::Duration::min()};
    std::int64_t last_change = 0;
    std::int64_t seen = 0;  // the greatest number of all segments before
  };
  enum class Kinds { all, without_measurements };
  // What comes after the position, oldest first, in a piece of bounded size: up to kMaxSegmentChanges changes from the
  // disk, or what the log and the recorder's queue have. Starts with the segment that `from` lies in or before; stops
  // when all lies after `until`. Nothing if there is no more. Pieces of a day on which the clock was set back may
  // overlap until that day is over.
  base::Result<std::optional<ChangeList>> next(std::string_view entity_id, Position& position, base::Timestamp from,
                                               base::Timestamp until, Kinds kinds = Kinds::all);
  // The entity's last change before `from`, from segments alone; an empty list where they have none.
  base::Result<ChangeList> last_before(std::string_view entity_id, base::Timestamp from);

  // Events that the recorder keeps, from `from` up to and with `until`, oldest first, for as long as `take` says true.
  // Whether it always did.
  struct KeptEvent {
    std::string type, data;
    base::Timestamp fired;
    core::Context context;
  };
  base::Result<bool> events(base::Timestamp from, base::Timestamp until,
                            const std::function<bool(const KeptEvent& event)>& take);

  storage::Database& database() { return *database_; }
  // Whether the last failure was that the file is damaged.
  bool damaged() const { return database_ && database_->damaged(); }
  const Recorder& recorder() const { return recorder_; }
  // Fails with unavailable where the file cannot be opened.
  base::Result<void> open();
  // Lets go of what waits to be committed, until the next question.
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
  std::pair<std::int64_t, std::int64_t> names_mark_;  // their number, and the highest of their numbers
  base::Timestamp oldest_;
  std::optional<std::chrono::steady_clock::time_point> oldest_seen_;
};

}  // namespace hearth::recorder
