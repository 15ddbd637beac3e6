// SPDX-License-Identifier: Apache-2.0
// All states at one moment, immutable. Three fixed levels of 16, so that a changed copy shares all but one root, one
// branch, one row and one bucket with the table it came from.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

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
    const Row& row = *(*branch)[part % 16];
    prefetch(row);
    for (const Bucket& bucket : row) {
      for (const Entry& entry : bucket.span()) function(entry.state);
    }
  }

  // Copies with one state put in (in place of the entity's former one) or taken out.
  std::shared_ptr<const StateTable> with(StatePtr state, std::uint64_t sequence) const;
  std::shared_ptr<const StateTable> without(std::string_view entity_id, std::uint64_t sequence) const;
  // A copy with all states whose entities have none yet, made in one go. Of one entity's states the first counts.
  std::shared_ptr<const StateTable> with_missing(std::span<const StatePtr> states) const;

 private:
  struct Entry {
    std::size_t hash;
    StatePtr state;
  };
  struct Bucket {
    std::shared_ptr<const Entry[]> entries;
    std::size_t size = 0;

    std::span<const Entry> span() const { return {entries.get(), size}; }
  };
  using Row = std::array<Bucket, 16>;
  using Branch = std::array<std::shared_ptr<const Row>, 16>;

  // Asks for the memory of all states of a row at once, instead of waiting for each in turn.
  static void prefetch(const Row& row);

  // Where in each of the three levels.
  struct Place {
    std::size_t branch, row, bucket;
  };

  static std::size_t hash_of(std::string_view entity_id) { return std::hash<std::string_view>()(entity_id); }
  static Place place_of(std::size_t hash) { return {hash & 15, hash >> 4 & 15, hash >> 8 & 15}; }

  std::span<const Entry> entries(Place place) const;
  std::shared_ptr<const StateTable> with_bucket(Place place, Bucket bucket, std::uint64_t sequence) const;

  std::array<std::shared_ptr<const Branch>, 16> branches_;
  std::size_t size_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace hearth::core
