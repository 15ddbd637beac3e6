// SPDX-License-Identifier: Apache-2.0
#include "core/state_table.h"

#include <algorithm>
#include <vector>

namespace hearth::core {

std::span<const StateTable::Entry> StateTable::entries(Place place) const {
  const auto& branch = branches_[place.branch];
  if (!branch) return {};
  const auto& row = (*branch)[place.row];
  if (!row) return {};
  return (*row)[place.bucket].span();
}

void StateTable::prefetch(const Row& row) {
  for (const Bucket& bucket : row) __builtin_prefetch(bucket.entries.get());
  for (const Bucket& bucket : row) {
    for (const Entry& entry : bucket.span()) entry.state->prefetch();
  }
}

StatePtr StateTable::find(std::string_view entity_id) const {
  const std::size_t hash = hash_of(entity_id);
  for (const Entry& entry : entries(place_of(hash))) {
    if (entry.hash == hash && entry.state->entity_id() == entity_id) return entry.state;
  }
  return nullptr;
}

std::shared_ptr<const StateTable> StateTable::with(StatePtr state, std::uint64_t sequence) const {
  const std::size_t hash = hash_of(state->entity_id());
  const auto old = entries(place_of(hash));
  const auto same = std::find_if(old.begin(), old.end(), [&](const Entry& entry) {
    return entry.hash == hash && entry.state->entity_id() == state->entity_id();
  });
  // In the place of the former one, else behind the others.
  const std::size_t size = old.size() + (same == old.end() ? 1 : 0);
  auto next = std::make_shared<Entry[]>(size);
  std::copy(old.begin(), same, next.get());
  if (same != old.end()) std::copy(same + 1, old.end(), next.get() + (same - old.begin()) + 1);
  next[same - old.begin()] = {hash, std::move(state)};
  return with_bucket(place_of(hash), {std::move(next), size}, sequence);
}

std::shared_ptr<const StateTable> StateTable::without(std::string_view entity_id, std::uint64_t sequence) const {
  const std::size_t hash = hash_of(entity_id);
  const auto old = entries(place_of(hash));
  const auto other = [&](const Entry& entry) { return entry.hash != hash || entry.state->entity_id() != entity_id; };
  const auto size = static_cast<std::size_t>(std::count_if(old.begin(), old.end(), other));
  if (size == 0) return with_bucket(place_of(hash), {}, sequence);
  auto next = std::make_shared<Entry[]>(size);
  std::copy_if(old.begin(), old.end(), next.get(), other);
  return with_bucket(place_of(hash), {std::move(next), size}, sequence);
}

std::shared_ptr<const StateTable> StateTable::with_missing(std::span<const StatePtr> states) const {
  constexpr std::size_t kBuckets = 16 * 16 * 16;
  std::vector<std::vector<Entry>> added(kBuckets);
  for (const StatePtr& state : states) {
    const std::size_t hash = hash_of(state->entity_id());
    added[hash % kBuckets].push_back({hash, state});
  }

  auto table = std::make_shared<const StateTable>(*this);
  for (auto& entries_added : added) {
    if (entries_added.empty()) continue;
    const Place place = place_of(entries_added.front().hash);
    const auto old = entries(place);
    std::vector<Entry> bucket(old.begin(), old.end());
    for (Entry& entry : entries_added) {
      const bool known = std::any_of(bucket.begin(), bucket.end(), [&](const Entry& other) {
        return other.hash == entry.hash && other.state->entity_id() == entry.state->entity_id();
      });
      if (!known) bucket.push_back(std::move(entry));
    }
    auto next = std::make_shared<Entry[]>(bucket.size());
    std::move(bucket.begin(), bucket.end(), next.get());
    table = table->with_bucket(place, {std::move(next), bucket.size()}, sequence_);
  }
  return table;
}

std::shared_ptr<const StateTable> StateTable::with_bucket(Place place, Bucket bucket, std::uint64_t sequence) const {
  const auto copy = [](const auto& old) {
    using Node = std::remove_const_t<typename std::remove_reference_t<decltype(old)>::element_type>;
    return old ? std::make_shared<Node>(*old) : std::make_shared<Node>();
  };
  auto table = std::make_shared<StateTable>(*this);
  auto branch = copy(branches_[place.branch]);
  auto row = copy((*branch)[place.row]);
  table->size_ = size_ - (*row)[place.bucket].size + bucket.size;
  table->sequence_ = sequence;
  (*row)[place.bucket] = std::move(bucket);
  (*branch)[place.row] = std::move(row);
  table->branches_[place.branch] = std::move(branch);
  return table;
}

}  // namespace hearth::core
