// SPDX-License-Identifier: Apache-2.0
// Reads a span of a history file whole, without a recorder and without writing: all entities' changes in one order, and
// the recorded events. Beside a running hub it sees what is committed. One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/change.h"
#include "recorder/entity_history.h"
#include "recorder/history_reader.h"

namespace hearth::recorder {

struct PastSpan {
  static constexpr std::size_t kMostChanges = 5'000'000;
  static constexpr std::size_t kMostEvents = 1'000'000;

  struct Row {
    std::size_t entity = 0;  // its place among `entities`
    Change change;           // a view of `lists`
    std::size_t order = 0;   // of an entity's changes of one moment
  };
  std::vector<std::string> entities;  // that have a state at the start or a change
  std::vector<Row> first;             // each one's last change up to the start; not if it was removed
  std::vector<Row> changes;           // in the order of their times, later than the start, up to the end
  std::vector<HistoryReader::KeptEvent> events;
  std::vector<ChangeList> lists;
};

// Fails with unavailable if there is no such file or it cannot be read, with full if there is more in the span than the
// bounds allow.
base::Result<PastSpan> read_past(const std::filesystem::path& file, Span span);

}  // namespace hearth::recorder
