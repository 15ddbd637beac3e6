// SPDX-License-Identifier: Apache-2.0
// Reads a span of a history file, slice by slice, without a recorder and without writing: all entities' changes in one
// order, and the recorded events. Beside a running hub it sees what was committed when it was opened. One thread.
//
// It holds in memory the changes that are not packed yet, and the segments of each entity that reach into the present
// slice.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/history/entity_history.h"
#include "recorder/history/history_reader.h"
#include "recorder/log/change.h"

namespace hearth::recorder {

class PastFile {
 public:
  static constexpr std::size_t kMostChanges = 5'000'000;  // of the span
  static constexpr std::size_t kMostEvents = 1'000'000;   // likewise
  static constexpr std::size_t kSliceChanges = 50'000;    // a slice has about so many, unless they come at once

  struct Row {
    std::size_t entity = 0;  // its place among the entities
    Change change;           // a view of its slice
    std::size_t order = 0;   // of an entity's changes of one moment
  };
  struct Slice {
    base::Timestamp until;
    std::vector<Row> changes;  // in the order of their times, later than the slice before, up to `until`
    std::vector<HistoryReader::KeptEvent> events;               // likewise
    std::vector<std::shared_ptr<const ChangeList>> lists = {};  // what the rows are views of
  };

  // Fails with unavailable if there is no such file or it cannot be read, with full if there is more in the log than
  // the bounds allow.
  static base::Result<std::unique_ptr<PastFile>> open(const std::filesystem::path& file, Span span);
  ~PastFile();
  PastFile(const PastFile&) = delete;
  PastFile& operator=(const PastFile&) = delete;

  Span span() const;
  const std::vector<std::string>& entities() const;  // that have a state at the start, or a change in the span
  const std::vector<Row>& first() const;             // each one's last change up to the start; not if it was removed
  // Since when each entity is known: the start, or its first change if nothing earlier is kept.
  const std::vector<base::Timestamp>& known_since() const;
  // Nothing of the span is kept from before that time: the start or later, but not later than the end.
  base::Timestamp kept_since() const;
  bool at_end() const;
  // Fails with unavailable if the file cannot be read, with full at the bounds. REQUIRES: not at_end.
  base::Result<Slice> next();

 private:
  class Reader;
  explicit PastFile(std::unique_ptr<Reader> reader);

  const std::unique_ptr<Reader> reader_;
};

}  // namespace hearth::recorder
