// SPDX-License-Identifier: Apache-2.0
#include "core/state_table.h"

namespace hearth::core {

const StateTable::Bucket* StateTable::bucket(std::size_t hash) const {
  const auto& branch = branches_[branch_of(hash)];
  if (!branch) return nullptr;
  const auto& leaf = (*branch)[leaf_of(hash)];
  return leaf ? (*leaf)[bucket_of(hash)].get() : nullptr;
}

void StateTable::prefetch(const Leaf& leaf) {
  for (const auto& bucket : leaf) __builtin_prefetch(bucket.get());
  for (const auto& bucket : leaf) {
    if (bucket) __builtin_prefetch(bucket->data());
  }
  for (const auto& bucket : leaf) {
    if (!bucket) continue;
    for (const Entry& entry : *bucket) __builtin_prefetch(entry.state.get());
  }
  for (const auto& bucket : leaf) {
    if (!bucket) continue;
    for (const Entry& entry : *bucket) entry.state->prefetch();
  }
}

StatePtr StateTable::find(std::string_view entity_id) const {
  const std::size_t hash = hash_of(entity_id);
  if (const Bucket* entries = bucket(hash)) {
    for (const Entry& entry : *entries) {
      if (entry.hash == hash && entry.state->entity_id() == entity_id) return entry.state;
    }
  }
  return nullptr;
}

std::shared_ptr<const StateTable> StateTable::with(StatePtr state, std::uint64_t sequence) const {
  const std::size_t hash = hash_of(state->entity_id());
  const Bucket* old = bucket(hash);
  auto next = std::make_shared<Bucket>();
  next->reserve((old ? old->size() : 0) + 1);
  bool replaced = false;
  if (old) {
    for (const Entry& entry : *old) {
      const bool same = entry.hash == hash && entry.state->entity_id() == state->entity_id();
      next->push_back(same ? Entry{hash, state} : entry);
      replaced |= same;
    }
  }
  if (!replaced) next->push_back({hash, std::move(state)});
  return with_bucket(hash, std::move(next), size_ + (replaced ? 0 : 1), sequence);
}

std::shared_ptr<const StateTable> StateTable::without(std::string_view entity_id, std::uint64_t sequence) const {
  const std::size_t hash = hash_of(entity_id);
  auto next = std::make_shared<Bucket>();
  if (const Bucket* old = bucket(hash)) {
    for (const Entry& entry : *old) {
      if (entry.hash != hash || entry.state->entity_id() != entity_id) next->push_back(entry);
    }
    const std::size_t size = size_ - (old->size() - next->size());
    return with_bucket(hash, next->empty() ? nullptr : std::move(next), size, sequence);
  }
  return with_bucket(hash, nullptr, size_, sequence);
}

std::shared_ptr<const StateTable> StateTable::with_bucket(std::size_t hash, std::shared_ptr<const Bucket> bucket,
                                                          std::size_t size, std::uint64_t sequence) const {
  auto table = std::make_shared<StateTable>(*this);
  auto& branch_place = table->branches_[branch_of(hash)];
  auto branch = branch_place ? std::make_shared<Branch>(*branch_place) : std::make_shared<Branch>();
  auto& leaf_place = (*branch)[leaf_of(hash)];
  auto leaf = leaf_place ? std::make_shared<Leaf>(*leaf_place) : std::make_shared<Leaf>();
  (*leaf)[bucket_of(hash)] = std::move(bucket);
  leaf_place = std::move(leaf);
  branch_place = std::move(branch);
  table->size_ = size;
  table->sequence_ = sequence;
  return table;
}

}  // namespace hearth::core
