// SPDX-License-Identifier: Apache-2.0
// A reader's view of the recorder's queue by entity, updated with new changes only, so that asking for one entity after
// the other does not scan the whole queue each time. Holds at most twice as many changes as wait.
//
// One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "recorder/log/log_entry.h"
#include "recorder/recorder.h"

namespace hearth::recorder {

class WaitingChanges {
 public:
  void refresh(const Recorder& recorder);
  // As of the last refresh, oldest first.
  const std::vector<LogEntry>& of(std::string_view entity_id) const;
  std::vector<std::string> names() const;  // of all these entities
  const std::vector<LogEntry>& events() const { return events_; }
  // The time of the oldest waiting change.
  std::optional<base::Timestamp> oldest() const;
  void clear();

 private:
  // The keys are views of the entries' states.
  std::unordered_map<std::string_view, std::vector<LogEntry>> by_entity_;
  std::vector<LogEntry> events_;
  std::size_t size_ = 0;
  std::int64_t first_ = 0, last_ = 0;  // numbers
};

}  // namespace hearth::recorder
