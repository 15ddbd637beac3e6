// SPDX-License-Identifier: Apache-2.0
// All states at one moment, immutable. Three fixed levels of 16, so that a changed copy shares all but one root, one branch, one
// leaf and one bucket with the table it came from: 48 pointers are copied, whatever its size.
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
    for (std::size_t part = 0; part < kParts; ++part) for_each_in_part(part, function);
  }

  // For lists sent in pieces: the states of one part, 0 to kParts − 1.
  static constexpr std::size_t kParts = 16 * 16;
  template <class Function>
  void for_each_in_part(std::size_t part, Function&& function) const {
    const auto& branch = branches_[part / 16];
    if (!branch || !(*branch)[part % 16]) return;
    const Leaf& leaf = *(*branch)[part % 16];
    prefetch(leaf);
    for (const auto& bucket : leaf) {
      if (!bucket) continue;
      for (const Entry& entry : *bucket) function(entry.state);
    }
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
  using Leaf = std::array<std::shared_ptr<const Bucket>, 16>;
  using Branch = std::array<std::shared_ptr<const Leaf>, 16>;

  static std::size_t hash_of(std::string_view entity_id) { return std::hash<std::string_view>()(entity_id); }
  static std::size_t branch_of(std::size_t hash) { return hash & 15; }
  static std::size_t leaf_of(std::size_t hash) { return hash >> 4 & 15; }
  static std::size_t bucket_of(std::size_t hash) { return hash >> 8 & 15; }

  // Asks for the memory of all states of a leaf at once, instead of waiting for each in turn.
  static void prefetch(const Leaf& leaf);

  const Bucket* bucket(std::size_t hash) const;
  std::shared_ptr<const StateTable> with_bucket(std::size_t hash, std::shared_ptr<const Bucket> bucket, std::size_t size,
                                                std::uint64_t sequence) const;

  std::array<std::shared_ptr<const Branch>, 16> branches_;
  std::size_t size_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace hearth::core
