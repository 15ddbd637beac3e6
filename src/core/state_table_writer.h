// SPDX-License-Identifier: Apache-2.0
// Makes the versions of the state table, one from the other, and frees what no version needs any more.
//
// A version costs four small blocks of memory and no atomic operation on what it shares. In exchange the writer keeps
// the books: each version that somebody may still hold has a list of the nodes that are in it but not in the next such
// version. When a version is let go of, each node of its list is freed, or, where the version before it has it too,
// moves to that one's list. So an old version keeps no more alive than what it shows, however many came after it.
//
// One thread at a time. A change that runs out of memory throws and has changed nothing (but put_missing, which ends
// the process). The handles may be kept for any time, even beyond the writer's, and dropped on any thread: that only
// notes the version, for the writer to free it when it collects.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/state_table.h"

namespace hearth::core {

class StateTableWriter {
 public:
  using Handle = std::shared_ptr<const StateTable>;

  StateTableWriter();
  StateTableWriter(const StateTableWriter&) = delete;
  StateTableWriter& operator=(const StateTableWriter&) = delete;

  const Handle& newest() const { return newest_; }

  // Each makes a version with one state put in (in place of the entity's former one) or taken out.
  const Handle& put(StatePtr state, std::uint64_t sequence);
  const Handle& remove(std::string_view entity_id, std::uint64_t sequence);
  // One with all states whose entities have none yet. Of one entity's states the first counts.
  const Handle& put_missing(std::span<const StatePtr> states) noexcept;

  // What nobody can see any more; freed with it, at a time of the caller's choice.
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
  // Adds what is known to be unneeded: at most kMaxCollected nodes, so that letting go of an old version of a large
  // home does not hold up the writer; the rest comes with the next calls.
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
    Node* replaced = nullptr;         // in this version, not in the newer one
    Version* next_dropped = nullptr;  // among those whose handles are gone
    bool linked = false;              // in the store
  };
  // The versions, and with them all memory. Lives until the writer and all handles are gone.
  class Store {
   public:
    ~Store();
    // A copy of the newest version, which is nothing yet.
    std::unique_ptr<Version> draft() const;
    // It is the newest, to be changed before it is published.
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

  // A version with what one change needs of memory, taken before anything changes.
  struct Change {
    std::unique_ptr<Version> version;
    Handle handle;
    std::unique_ptr<Row> row;
    std::unique_ptr<Bucket> bucket;  // null if it would be empty
  };
  Change prepare(std::size_t hash, std::size_t entries) const;
  // The version is the newest, with the row and the bucket in place.
  Version& apply(Change& change, std::size_t hash) noexcept;

  // In the new version: its own copy of the row, and the bucket in it replaced.
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
