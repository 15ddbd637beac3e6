// SPDX-License-Identifier: Apache-2.0
#include "recorder/waiting_changes.h"

namespace hearth::recorder {

void WaitingChanges::refresh(const Recorder& recorder) {
  Recorder::Waiting waiting = recorder.waiting_behind(last_);
  if (waiting.first != first_ || size_ > 2 * waiting.count) {
    clear();
    if (waiting.entries.size() < waiting.count) waiting = recorder.waiting_behind(0);
    first_ = waiting.first;
  }
  for (LogEntry& entry : waiting.entries) {
    last_ = entry.id;
    if (!entry.is_change()) continue;
    ++size_;
    by_entity_[entry.state->entity_id()].push_back(std::move(entry));
  }
}

const std::vector<LogEntry>& WaitingChanges::of(std::string_view entity_id) const {
  static const std::vector<LogEntry> kNone;
  const auto found = by_entity_.find(entity_id);
  return found == by_entity_.end() ? kNone : found->second;
}

void WaitingChanges::clear() {
  by_entity_.clear();
  size_ = 0;
  first_ = last_ = 0;
}

}  // namespace hearth::recorder
