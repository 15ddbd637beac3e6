// SPDX-License-Identifier: Apache-2.0
// One change of an entity as history keeps it, and a list of them that owns their texts.
//
// A list may be read by any thread, and added to by one.
#pragma once

#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace hearth::recorder {

struct Change {
  base::Timestamp updated;
  base::Timestamp changed;  // when the value did; equal to `updated` or before it
  bool removed = false;     // the entity was taken out: it has no value and no attributes
  std::string_view value;
  std::string_view attributes;  // the text of a JSON object
  std::string_view context_id;  // these three: empty where there is none
  std::string_view parent_id;
  std::string_view user_id;

  bool operator==(const Change&) const = default;
};

// By `updated`; those of one time stay as they are. In the order in which they came they may be in another one only if
// somebody has set the clock back by more than an hour.
void sort_by_time(std::vector<Change>& changes);

// Changes of one entity, oldest first.
class ChangeList {
 public:
  ChangeList() : texts_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {}

  // Copies the texts; what is the same as in the change before is shared with it.
  void add(const Change& change);
  // A text that lives as long as the list.
  std::string_view keep(std::string_view text);
  // As add, for texts that live as long as the list.
  void add_kept(const Change& change) { changes_.push_back(change); }
  // Turns the order round, for lists that were read from their end.
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
