// SPDX-License-Identifier: Apache-2.0
// One change of an entity as history keeps it, and a list of changes that owns their strings.
//
// Any thread may read a list; one at a time may add to it.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace hearth::recorder {

struct Change {
  base::Timestamp updated;
  base::Timestamp changed;  // when the value changed; at most `updated`
  bool removed = false;     // the entity was removed: no value and no attributes
  std::string_view value;
  std::string_view attributes;  // a JSON object
  std::string_view context_id;  // these three: empty if absent
  std::string_view parent_id;
  std::string_view user_id;
  std::int64_t number = 0;  // in the log of its file; 0 if unknown

  bool operator==(const Change&) const = default;
};

// Stably by `updated`. The order of arrival differs only if the clock was set back by more than an hour.
void sort_by_time(std::vector<Change>& changes);

// Changes of one entity, oldest first.
class ChangeList {
 public:
  ChangeList() : texts_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {}

  // Copies the strings; those equal to the last change's are shared.
  void add(const Change& change);
  // A copy of the string that lives as long as the list.
  std::string_view keep(std::string_view text);
  // As add, for strings that live as long as the list.
  void add_kept(const Change& change) { changes_.push_back(change); }
  // Reverses the order, for lists that were read from their end.
  void reverse();
  void sort_by_time() { recorder::sort_by_time(changes_); }
  void reserve(std::size_t count) { changes_.reserve(count); }

  std::span<const Change> changes() const { return changes_; }
  bool empty() const { return changes_.empty(); }
  std::size_t size() const { return changes_.size(); }

 private:
  std::unique_ptr<std::pmr::monotonic_buffer_resource> texts_;
  std::vector<Change> changes_;
};

}  // namespace hearth::recorder
