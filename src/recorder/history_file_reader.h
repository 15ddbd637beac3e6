// SPDX-License-Identifier: Apache-2.0
// Reads history: segments, the log, and uncommitted changes, as one list of changes for each entity. Has a connection
// of its own and never waits for the writer; each call reads one moment and leaves nothing open.
//
// One thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/history/history_reader.h"
#include "recorder/log/log_reader.h"
#include "recorder/recorder.h"
#include "recorder/waiting_changes.h"
#include "storage/database.h"

namespace hearth::recorder {

class HistoryFileReader final : public HistoryReader {
 public:
  // The recorder must outlive the reader.
  explicit HistoryFileReader(const Recorder& recorder) : recorder_(recorder) {}

  // A position is after the segment that ends with that time and number; `seen` is the greatest number of all segments
  // before. A piece has up to kMaxSegmentChanges changes from disk, or those of the log and the recorder's queue. What
  // precedes the first piece is in a segment. If segments are merged between two pieces, those that were read and those
  // that were not, the changes that were read are left out by their time.
  base::Result<std::optional<ChangeList>> next(std::string_view entity_id, Position& position, base::Timestamp from,
                                               base::Timestamp until, Kinds kinds = Kinds::all) override;
  base::Result<ChangeList> last_before(std::string_view entity_id, base::Timestamp from) override;
  base::Result<Names> names() override;
  std::vector<std::string> waiting_names() override;
  bool records(std::string_view entity_id) const override { return recorder_.options().retention.records(entity_id); }
  base::Result<base::Timestamp> oldest() override;
  base::Result<bool> events(base::Timestamp from, base::Timestamp until, const TakeEvent& take) override;
  base::Result<std::vector<Statistics>> day_statistics(std::string_view entity_id, std::int64_t first,
                                                       std::int64_t last) override;
  base::Result<std::optional<std::int64_t>> first_day(std::string_view entity_id) override;
  base::Result<std::optional<bool>> last_day_is_total(std::string_view entity_id) override;
  base::Result<Total> total_before(std::string_view entity_id, std::int64_t day) override;
  base::Result<void> open() override;
  // Releases the uncommitted changes.
  void rest() override { waiting_.clear(); }

  storage::Database& database() { return *database_; }
  // True if the last failure was a damaged file.
  bool damaged() const { return database_ && database_->damaged(); }

 private:
  // 0 if history has nothing of the entity on disk.
  base::Result<std::int64_t> number_of(std::string_view entity_id);
  // Opens the file; the entity's number as above.
  base::Result<std::int64_t> open_entity(std::string_view entity_id);
  base::Result<std::optional<ChangeList>> next_segment(std::int64_t entity, Position& position, base::Timestamp from,
                                                       base::Timestamp until, Kinds kinds);
  base::Result<bool> has_segment(std::int64_t entity, const Position& position);
  base::Result<std::optional<ChangeList>> read_log(std::int64_t entity, Position& position, base::Timestamp until,
                                                   const std::vector<LogEntry>& waiting);

  // Of questions that are asked for each entity.
  struct Prepared {
    storage::Statement number, segment, has_segment;
    LogReader log;
    LogIndex index;
  };
  static base::Result<Prepared> prepare(storage::Database& database);

  const Recorder& recorder_;
  std::optional<storage::Database> database_;
  std::optional<Prepared> prepared_;
  WaitingChanges waiting_;
  unsigned generation_ = 0;  // of the recorder's file
  Names names_;
  std::pair<std::int64_t, std::int64_t> names_mark_;  // their count, and the highest of their numbers
  base::Timestamp oldest_;
  std::optional<std::chrono::steady_clock::time_point> oldest_seen_;
};

}  // namespace hearth::recorder
