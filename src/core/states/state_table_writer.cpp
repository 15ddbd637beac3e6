// SPDX-License-Identifier: Apache-2.0
#include "core/states/state_table_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hearth::core {

StateTableWriter::StateTableWriter() {
  Version& first = store_->add(store_->draft());
  publish(first, handle_of(first), 0);
}

const StateTableWriter::Handle& StateTableWriter::put(StatePtr state, std::uint64_t sequence) {
  const std::size_t hash = StateTable::hash_of(state->entity_id());
  const auto old = StateTable::entries(store_->newest().table.bucket(hash));
  const auto same = std::find_if(old.begin(), old.end(), [&](const Entry& entry) {
    return entry.hash == hash && entry.state->entity_id() == state->entity_id();
  });
  Change change = prepare(hash, old.size() + (same == old.end() ? 1 : 0));
  auto leaf = std::make_unique<Leaf>();
  leaf->born = change.version->born;
  leaf->state = std::move(state);
  // Replaces the former entry, otherwise follows the others.
  Entry* const entries = change.bucket->entries();
  std::copy(old.begin(), old.end(), entries);
  entries[same - old.begin()] = {hash, leaf->state.get(), leaf.get()};
  leaf.release();
  Version& version = apply(change, hash);
  if (same != old.end()) replace(version, same->leaf);
  return publish(version, std::move(change.handle), sequence);
}

const StateTableWriter::Handle& StateTableWriter::remove(std::string_view entity_id, std::uint64_t sequence) {
  const std::size_t hash = StateTable::hash_of(entity_id);
  const auto old = StateTable::entries(store_->newest().table.bucket(hash));
  const auto same = std::find_if(old.begin(), old.end(), [&](const Entry& entry) {
    return entry.hash == hash && entry.state->entity_id() == entity_id;
  });
  if (same == old.end()) return newest_;
  Change change = prepare(hash, old.size() - 1);
  if (change.bucket) std::copy(same + 1, old.end(), std::copy(old.begin(), same, change.bucket->entries()));
  Version& version = apply(change, hash);
  replace(version, same->leaf);
  return publish(version, std::move(change.handle), sequence);
}

StateTableWriter::Change StateTableWriter::prepare(std::size_t hash, std::size_t entries) const {
  Change change;
  change.version = store_->draft();
  change.handle = handle_of(*change.version);
  const Row* const row = change.version->table.rows_[StateTable::row_of(hash)];
  change.row = row ? std::make_unique<Row>(*row) : std::make_unique<Row>();
  if (entries > 0) change.bucket.reset(Bucket::create(entries));
  return change;
}

StateTableWriter::Version& StateTableWriter::apply(Change& change, std::size_t hash) noexcept {
  Version& version = store_->add(std::move(change.version));
  put_row(version, hash, change.row.release());
  put_bucket(version, hash, change.bucket.release());
  return version;
}

const StateTableWriter::Handle& StateTableWriter::put_missing(std::span<const StatePtr> states) noexcept {
  struct Added {
    std::size_t hash;
    const StatePtr* state;
    std::size_t place() const { return hash % (StateTable::kWidth * StateTable::kWidth); }
  };
  std::vector<Added> added;
  added.reserve(states.size());
  for (const StatePtr& state : states) added.push_back({StateTable::hash_of(state->entity_id()), &state});
  // Stable within one position: of two states for one entity the first counts.
  std::sort(added.begin(), added.end(), [](const Added& a, const Added& b) {
    return a.place() != b.place() ? a.place() < b.place() : a.state < b.state;
  });

  Version& version = store_->add(store_->draft());
  std::vector<Entry> entries;
  for (auto next = added.begin(); next != added.end();) {
    const std::size_t hash = next->hash;
    const std::size_t place = next->place();
    const auto old = StateTable::entries(version.table.bucket(hash));
    entries.assign(old.begin(), old.end());
    for (; next != added.end() && next->place() == place; ++next) {
      const bool known = std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.hash == next->hash && entry.state->entity_id() == (*next->state)->entity_id();
      });
      if (known) continue;
      auto* const leaf = new Leaf;
      leaf->born = version.born;
      leaf->state = *next->state;
      entries.push_back({next->hash, leaf->state.get(), leaf});
    }
    Bucket* const bucket = Bucket::create(entries.size());
    std::copy(entries.begin(), entries.end(), bucket->entries());
    put_bucket(version, hash, bucket);
  }
  return publish(version, handle_of(version), version.table.sequence());
}

StateTableWriter::Row& StateTableWriter::own_row(Version& version, std::size_t hash) {
  Row* const row = version.table.rows_[StateTable::row_of(hash)];
  if (row && row->born == version.born) return *row;
  put_row(version, hash, row ? new Row(*row) : new Row);
  return *version.table.rows_[StateTable::row_of(hash)];
}

void StateTableWriter::put_row(Version& version, std::size_t hash, Row* row) {
  Row*& place = version.table.rows_[StateTable::row_of(hash)];
  row->born = version.born;
  if (place) replace(version, place);
  place = row;
}

void StateTableWriter::put_bucket(Version& version, std::size_t hash, Bucket* bucket) {
  Bucket*& place = own_row(version, hash).buckets[StateTable::bucket_of(hash)];
  if (bucket) {
    bucket->born = version.born;
    version.table.size_ += bucket->size;
  }
  if (place) {
    version.table.size_ -= place->size;
    replace(version, place);
  }
  place = bucket;
}

void StateTableWriter::replace(Version& version, Node* node) {
  Version& before = *version.older;
  node->next = std::exchange(before.replaced, node);
}

// If there is no memory for the handle, the version is released at once, and does not enter the store.
StateTableWriter::Handle StateTableWriter::handle_of(Version& version) const {
  return Handle(&version.table, [store = store_, &version](const StateTable*) {
    if (version.linked) store->drop(version);
  });
}

const StateTableWriter::Handle& StateTableWriter::publish(Version& version, Handle handle,
                                                          std::uint64_t sequence) noexcept {
  version.table.sequence_ = sequence;
  newest_ = std::move(handle);
  return newest_;
}

std::unique_ptr<StateTableWriter::Version> StateTableWriter::Store::draft() const {
  auto version = newest_ ? std::make_unique<Version>(newest_) : std::make_unique<Version>();
  if (newest_) version->born = newest_->born + 1;
  version->table.version_ = version->born;
  return version;
}

StateTableWriter::Version& StateTableWriter::Store::add(std::unique_ptr<Version> version) noexcept {
  version->linked = true;
  if (newest_) newest_->newer = version.get();
  newest_ = version.release();
  return *newest_;
}

void StateTableWriter::Store::drop(Version& version) {
  version.next_dropped = dropped_.load(std::memory_order_relaxed);
  while (!dropped_.compare_exchange_weak(version.next_dropped, &version, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
}

void StateTableWriter::Store::collect(Garbage& garbage, std::size_t most) {
  for (Version* next = dropped_.exchange(nullptr, std::memory_order_acquire); next;) {
    Version* const version = std::exchange(next, next->next_dropped);
    version->next_dropped = std::exchange(dying_, version);
  }
  while (dying_) {
    Version& version = *dying_;
    for (; version.replaced; --most) {
      if (most == 0) return;
      Node* const node = std::exchange(version.replaced, version.replaced->next);
      const bool kept = version.older && node->born <= version.older->born;
      Node*& list = kept ? version.older->replaced : garbage.nodes_;
      node->next = std::exchange(list, node);
    }
    dying_ = version.next_dropped;
    unlink(version);
    version.next = std::exchange(garbage.nodes_, &version);
  }
}

void StateTableWriter::Store::unlink(Version& version) {
  if (version.older) version.older->newer = version.newer;
  if (version.newer) version.newer->older = version.older;
}

StateTableWriter::Store::~Store() {
  for (Row* const row : newest_->table.rows_) {
    if (!row) continue;
    for (Bucket* const bucket : row->buckets) {
      for (const Entry& entry : StateTable::entries(bucket)) delete entry.leaf;
      delete bucket;
    }
    delete row;
  }
  while (newest_) {
    Version* const version = std::exchange(newest_, newest_->older);
    while (version->replaced) delete std::exchange(version->replaced, version->replaced->next);
    delete version;
  }
}

StateTableWriter::Garbage::~Garbage() {
  while (nodes_) delete std::exchange(nodes_, nodes_->next);
}

}  // namespace hearth::core
