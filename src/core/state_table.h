// SPDX-License-Identifier: Apache-2.0
// All states at one moment, immutable. Two fixed levels of 64, so that a changed copy shares all but one root, one row and one
// bucket with the table it came from.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/state.h"

namespace hearth::core {

class StateTable {
 public:
  // Null where there is none.
  StatePtr find(std::string_view entity_id) const;
  std::size_t size() const { return size_; }
  // The sequence number of the last event whose change is in this table.
  std::uint64_t sequence() const { return sequence_; }

  // In an order that stays the same while the set of entities does.
  template <class Function>
  void for_each(Function&& function) const {
    for (const auto& row : rows_) {
      if (!row) continue;
      for (const auto& bucket : *row) {
        if (!bucket) continue;
        for (const Entry& entry : *bucket) function(entry.state);
      }
    }
  }

  // For lists sent in pieces: the states of the bucket at `position` (0 to kBuckets − 1).
  static constexpr std::size_t kBuckets = 64 * 64;
  template <class Function>
  void for_each_in_bucket(std::size_t position, Function&& function) const {
    const auto& row = rows_[position / 64];
    if (!row || !(*row)[position % 64]) return;
    for (const Entry& entry : *(*row)[position % 64]) function(entry.state);
  }

  // Copies with one state put in (in place of the entity's former one) or taken out.
  std::shared_ptr<const StateTable> with(StatePtr state, std::uint64_t sequence) const;
  std::shared_ptr<const StateTable> without(std::string_view entity_id, std::uint64_t sequence) const;

 private:
  struct Entry {
    std::size_t hash;
    StatePtr state;
  };
  using Bucket = std::vector<Entry>;
  using Row = std::array<std::shared_ptr<const Bucket>, 64>;

  static std::size_t hash_of(std::string_view entity_id) { return std::hash<std::string_view>()(entity_id); }
  static std::size_t row_of(std::size_t hash) { return hash & 63; }
  static std::size_t bucket_of(std::size_t hash) { return hash >> 6 & 63; }

  const Bucket* bucket(std::size_t hash) const;
  std::shared_ptr<const StateTable> with_bucket(std::size_t hash, std::shared_ptr<const Bucket> bucket, std::size_t size,
                                                std::uint64_t sequence) const;

  std::array<std::shared_ptr<const Row>, 64> rows_;
  std::size_t size_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace hearth::core
