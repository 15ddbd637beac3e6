// SPDX-License-Identifier: Apache-2.0
#include "core/registry/removed_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hearth::core {
namespace {

constexpr std::size_t kForgottenAtOnce = RemovedEntries::kMost / 10;

std::string identity_key(const EntityIdentity& identity) {
  const auto& [integration, domain, unique_id] = identity;
  return fmt::format("{}\n{}\n{}", integration, domain, unique_id);
}

// The identifiers, then the connections.
std::vector<std::string> marks_of(const Device& device) {
  std::vector<std::string> marks;
  for (const auto& [first, second] : device.identifiers)
    marks.push_back(fmt::format("identifier\n{}\n{}", first, second));
  for (const auto& [first, second] : device.connections)
    marks.push_back(fmt::format("connection\n{}\n{}", first, second));
  return marks;
}

// The entries that went first, if there are too many.
template <class Entry>
std::vector<Entry> overdue(const base::PersistentMap<std::string, Entry>& entries) {
  std::vector<Entry> oldest;
  if (entries.size() <= RemovedEntries::kMost) return oldest;
  std::vector<const Entry*> all;
  all.reserve(entries.size());
  for (const auto& [key, entry] : entries) all.push_back(&entry);
  std::ranges::nth_element(all, all.begin() + kForgottenAtOnce, {},
                           [](const Entry* entry) { return entry->modified_at; });
  for (std::size_t i = 0; i < kForgottenAtOnce; ++i) oldest.push_back(*all[i]);
  return oldest;
}

}  // namespace

void RemovedEntries::add(RegisteredEntity entity) {
  entity.provided = false;
  entity.provider.clear();
  entity.origin.reset();
  entity.hops = 0;
  std::string key = identity_key({entity.integration, entity.domain(), entity.unique_id});
  entities_.set(std::move(key), std::move(entity));
  for (const RegisteredEntity& old : overdue(entities_)) erase_entity({old.integration, old.domain(), old.unique_id});
}

void RemovedEntries::add(Device device) {
  erase_device(device.id);
  for (std::string& mark : marks_of(device)) by_mark_.set(std::move(mark), device.id);
  std::string id = device.id;
  devices_.set(std::move(id), std::move(device));
  for (const Device& old : overdue(devices_)) erase_device(old.id);
}

void RemovedEntries::erase_entity(const EntityIdentity& identity) {
  entities_.erase(identity_key(identity));
}

void RemovedEntries::erase_device(std::string_view id) {
  const Device* const device = devices_.find(id);
  if (!device) return;
  for (const std::string& mark : marks_of(*device)) {
    const std::string* const of = by_mark_.find(mark);
    if (of && *of == id) by_mark_.erase(mark);
  }
  devices_.erase(id);
}

const RegisteredEntity* RemovedEntries::find_entity(const EntityIdentity& identity) const {
  return entities_.find(identity_key(identity));
}

const Device* RemovedEntries::find_device(const Device& device) const {
  for (const std::string& mark : marks_of(device)) {
    if (const std::string* const id = by_mark_.find(mark)) return devices_.find(*id);
  }
  return nullptr;
}

}  // namespace hearth::core
