// SPDX-License-Identifier: Apache-2.0
#include "core/state_table_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hearth::core {

StateTableWriter::StateTableWriter() {
  publish(store_->add(), 0);
}

const StateTableWriter::Handle& StateTableWriter::put(StatePtr state, std::uint64_t sequence) noexcept {
  const std::size_t hash = StateTable::hash_of(state->entity_id());
  Version& version = store_->add();
  const auto old = StateTable::entries(version.table.bucket(hash));
  const auto same = std::find_if(old.begin(), old.end(), [&](const Entry& entry) {
    return entry.hash == hash && entry.state->entity_id() == state->entity_id();
  });
  // In the place of the former one, else behind the others.
  Bucket* const bucket = Bucket::create(old.size() + (same == old.end() ? 1 : 0));
  std::copy(old.begin(), old.end(), bucket->entries());
  auto* const leaf = new Leaf;
  leaf->born = version.born;
  leaf->state = std::move(state);
  bucket->entries()[same - old.begin()] = {hash, leaf->state.get(), leaf};
  if (same != old.end()) replace(version, same->leaf);
  put_bucket(version, hash, bucket);
  return publish(version, sequence);
}

const StateTableWriter::Handle& StateTableWriter::remove(std::string_view entity_id, std::uint64_t sequence) noexcept {
  const std::size_t hash = StateTable::hash_of(entity_id);
  Version& version = store_->add();
  const auto old = StateTable::entries(version.table.bucket(hash));
  const auto same = std::find_if(old.begin(), old.end(), [&](const Entry& entry) {
    return entry.hash == hash && entry.state->entity_id() == entity_id;
  });
  if (same != old.end()) {
    Bucket* const bucket = old.size() > 1 ? Bucket::create(old.size() - 1) : nullptr;
    if (bucket) std::copy(same + 1, old.end(), std::copy(old.begin(), same, bucket->entries()));
    replace(version, same->leaf);
    put_bucket(version, hash, bucket);
  }
  return publish(version, sequence);
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
  // Of one place in the order given: the first of two for one entity counts.
  std::sort(added.begin(), added.end(), [](const Added& a, const Added& b) {
    return a.place() != b.place() ? a.place() < b.place() : a.state < b.state;
  });

  Version& version = store_->add();
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
  return publish(version, version.table.sequence());
}

StateTableWriter::Row& StateTableWriter::own_row(Version& version, std::size_t hash) {
  Row*& place = version.table.rows_[StateTable::row_of(hash)];
  if (place && place->born == version.born) return *place;
  auto* const row = place ? new Row(*place) : new Row;
  row->born = version.born;
  if (place) replace(version, place);
  place = row;
  return *row;
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

const StateTableWriter::Handle& StateTableWriter::publish(Version& version, std::uint64_t sequence) {
  version.table.sequence_ = sequence;
  newest_ = Handle(&version.table, [store = store_, &version](const StateTable*) { store->drop(version); });
  return newest_;
}

StateTableWriter::Version& StateTableWriter::Store::add() {
  auto* const version = newest_ ? new Version(newest_) : new Version;
  if (newest_) {
    version->born = newest_->born + 1;
    newest_->newer = version;
  }
  version->table.version_ = version->born;
  newest_ = version;
  return *version;
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
