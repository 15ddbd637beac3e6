// SPDX-License-Identifier: Apache-2.0
#include "recorder/waiting_changes.h"

#include <algorithm>

namespace hearth::recorder {

void WaitingChanges::refresh(const Recorder& recorder) {
  Recorder::Waiting waiting = recorder.waiting_after(last_);
  if (waiting.first != first_ || size_ > 2 * waiting.count) {
    clear();
    if (waiting.entries.size() < waiting.count) waiting = recorder.waiting_after(0);
    first_ = waiting.first;
  }
  for (LogEntry& entry : waiting.entries) {
    last_ = entry.id;
    if (entry.is_gap() || entry.is_rename()) continue;
    ++size_;
    if (!entry.is_change()) {
      events_.push_back(std::move(entry));
      continue;
    }
    by_entity_[entry.state->entity_id()].push_back(std::move(entry));
  }
}

const std::vector<LogEntry>& WaitingChanges::of(std::string_view entity_id) const {
  static const std::vector<LogEntry> kNone;
  const auto found = by_entity_.find(entity_id);
  return found == by_entity_.end() ? kNone : found->second;
}

std::vector<std::string> WaitingChanges::names() const {
  std::vector<std::string> names;
  names.reserve(by_entity_.size());
  for (const auto& [entity_id, entries] : by_entity_) names.emplace_back(entity_id);
  std::ranges::sort(names);
  return names;
}

std::optional<base::Timestamp> WaitingChanges::oldest() const {
  std::optional<base::Timestamp> oldest;
  const auto see = [&](base::Timestamp time) { oldest = std::min(oldest.value_or(time), time); };
  for (const auto& [entity_id, entries] : by_entity_) see(EntryChange(entries.front()).change().updated);
  if (!events_.empty()) see(events_.front().event->time_fired);
  return oldest;
}

void WaitingChanges::clear() {
  by_entity_.clear();
  events_.clear();
  size_ = 0;
  first_ = last_ = 0;
}

}  // namespace hearth::recorder
