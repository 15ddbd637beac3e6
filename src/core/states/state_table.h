// SPDX-License-Identifier: Apache-2.0
// All states at one moment, immutable: 64 rows of 64 buckets. A version of the table shares everything with the one
// before it except the changed row and bucket; StateTableWriter makes the versions and knows what they share.
//
// Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "core/states/state.h"

namespace hearth::core {

class StateTable {
 public:
  StateTable& operator=(const StateTable&) = delete;

  // Null if absent.
  StatePtr find(std::string_view entity_id) const;
  std::size_t size() const { return size_; }
  // The sequence number of the last event whose change is in this table.
  std::uint64_t sequence() const { return sequence_; }

  // Increases by one with each version: in one home, tables with equal numbers are the same.
  std::uint64_t version() const { return version_; }

  // Calls function(const State&) for each state, in an order that is stable while the set of entities is.
  template <class Function>
  void for_each(Function&& function) const {
    for (std::size_t part = 0; part < kParts; ++part) for_each_in_part(part, function);
  }

  // For lists sent in pieces: the states of one part, 0 to kParts − 1.
  static constexpr std::size_t kParts = 256;
  template <class Function>
  void for_each_in_part(std::size_t part, Function&& function) const {
    for (const Bucket* const bucket : buckets_of(part)) {
      for (const Entry& entry : entries(bucket)) function(*entry.state);
    }
  }

 private:
  friend class StateTableWriter;

  // Nodes that versions share. Each is in all versions from `born` until it is replaced. Used by the writer only,
  // except members of derived types.
  struct Node {
    virtual ~Node() = default;
    std::uint64_t born = 0;
    Node* next = nullptr;  // links replaced nodes
  };
  // Versions share the state through its leaf, so that copying a bucket changes no reference counts.
  struct Leaf final : Node {
    StatePtr state;
  };
  struct Entry {
    std::size_t hash;
    const State* state;  // the leaf's own, so that readers that keep nothing need not touch the leaf
    Leaf* leaf;
  };
  // Its entries follow it in the same block of memory.
  struct Bucket final : Node {
    explicit Bucket(std::size_t count) : size(count) {}
    static void* operator new(std::size_t self, std::size_t count) {
      return ::operator new(self + count * sizeof(Entry));
    }
    static void operator delete(void* place) { ::operator delete(place); }
    static Bucket* create(std::size_t count) { return new (count) Bucket(count); }

    Entry* entries() { return reinterpret_cast<Entry*>(this + 1); }
    const Entry* entries() const { return reinterpret_cast<const Entry*>(this + 1); }

    const std::size_t size;
  };
  static constexpr std::size_t kWidth = 64;
  struct Row final : Node {
    Row() : buckets{} {}
    // A copy with the same buckets.
    explicit Row(const Row& before) : Node(), buckets(before.buckets) {}

    std::array<Bucket*, kWidth> buckets;
  };

  StateTable() = default;
  StateTable(const StateTable&) = default;

  static std::size_t hash_of(std::string_view entity_id) { return std::hash<std::string_view>()(entity_id); }
  static std::size_t row_of(std::size_t hash) { return hash % kWidth; }
  static std::size_t bucket_of(std::size_t hash) { return hash / kWidth % kWidth; }

  static std::span<const Entry> entries(const Bucket* bucket) {
    if (!bucket) return {};
    return {bucket->entries(), bucket->size};
  }
  const Bucket* bucket(std::size_t hash) const {
    const Row* const row = rows_[row_of(hash)];
    return row ? row->buckets[bucket_of(hash)] : nullptr;
  }
  std::span<const Bucket* const> buckets_of(std::size_t part) const {
    constexpr std::size_t kPartsOfRow = kParts / kWidth;
    constexpr std::size_t kBuckets = kWidth / kPartsOfRow;
    const Row* const row = rows_[part / kPartsOfRow];
    if (!row) return {};
    return {row->buckets.data() + part % kPartsOfRow * kBuckets, kBuckets};
  }

  std::array<Row*, kWidth> rows_{};
  std::size_t size_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace hearth::core
