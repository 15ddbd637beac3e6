// SPDX-License-Identifier: Apache-2.0
// Makes the versions of the state table from one another, and frees what no version needs any more.
//
// A version costs four small blocks of memory and no atomic operation on what it shares. In exchange, the writer does
// the bookkeeping: each version that may still be held has a list of the nodes that are in it but not in the next such
// version. When a version is released, each node of its list is freed or, if the version before has it too, moved to
// that version's list. So an old version keeps alive only what it contains, however many follow.
//
// One thread at a time. A change that runs out of memory throws and has changed nothing (except put_missing, which ends
// the process). Handles may be kept for any time, even after the writer, and dropped on any thread: that only marks the
// version, and the writer frees it when it collects.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/states/state_table.h"

namespace hearth::core {

class StateTableWriter {
 public:
  using Handle = std::shared_ptr<const StateTable>;

  StateTableWriter();
  StateTableWriter(const StateTableWriter&) = delete;
  StateTableWriter& operator=(const StateTableWriter&) = delete;

  const Handle& newest() const { return newest_; }

  // Each makes a version with one state added (or replaced) or removed.
  const Handle& put(StatePtr state, std::uint64_t sequence);
  const Handle& remove(std::string_view entity_id, std::uint64_t sequence);
  // Makes a version with all states whose entities have none yet. If an entity occurs twice, its first state counts.
  const Handle& put_missing(std::span<const StatePtr> states) noexcept;

  // Nodes that nobody can see any more; destroyed when the caller likes.
  class Garbage {
   public:
    Garbage() = default;
    Garbage(const Garbage&) = delete;
    Garbage& operator=(const Garbage&) = delete;
    ~Garbage();

   private:
    friend class StateTableWriter;
    StateTable::Node* nodes_ = nullptr;
  };
  // Collects unneeded nodes, at most kMaxCollected, so that releasing an old version of a large home does not delay the
  // writer; further calls collect the rest.
  static constexpr std::size_t kMaxCollected = 64;
  void collect(Garbage& garbage) { store_->collect(garbage, kMaxCollected); }

 private:
  using Node = StateTable::Node;
  using Leaf = StateTable::Leaf;
  using Entry = StateTable::Entry;
  using Bucket = StateTable::Bucket;
  using Row = StateTable::Row;

  struct Version final : Node {
    Version() = default;
    explicit Version(Version* before) : table(before->table), older(before) {}

    StateTable table;
    Version* older = nullptr;
    Version* newer = nullptr;
    Node* replaced = nullptr;         // nodes of this version that the newer one lacks
    Version* next_dropped = nullptr;  // links versions without handles
    bool linked = false;              // in the store
  };
  // The versions, which own all memory. Lives until the writer and all handles are gone.
  class Store {
   public:
    ~Store();
    // A copy of the newest version, not yet in the store.
    std::unique_ptr<Version> draft() const;
    // Makes it the newest, to be changed before it is published.
    Version& add(std::unique_ptr<Version> version) noexcept;
    void collect(Garbage& garbage, std::size_t most);
    // Any thread.
    void drop(Version& version);
    const Version& newest() const { return *newest_; }

   private:
    void unlink(Version& version);

    Version* newest_ = nullptr;
    Version* dying_ = nullptr;
    std::atomic<Version*> dropped_ = nullptr;
  };

  // A version, and the memory for one change, allocated before anything changes.
  struct Change {
    std::unique_ptr<Version> version;
    Handle handle;
    std::unique_ptr<Row> row;
    std::unique_ptr<Bucket> bucket;  // null if it would be empty
  };
  Change prepare(std::size_t hash, std::size_t entries) const;
  // Completes the newest version with the row and the bucket.
  Version& apply(Change& change, std::size_t hash) noexcept;

  // Gives the new version its own copy of the row, to replace a bucket in it.
  Row& own_row(Version& version, std::size_t hash);
  void put_row(Version& version, std::size_t hash, Row* row);
  void put_bucket(Version& version, std::size_t hash, Bucket* bucket);
  void replace(Version& version, Node* node);
  Handle handle_of(Version& version) const;
  const Handle& publish(Version& version, Handle handle, std::uint64_t sequence) noexcept;

  std::shared_ptr<Store> store_ = std::make_shared<Store>();
  Handle newest_;
};

}  // namespace hearth::core
