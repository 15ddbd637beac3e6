// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/instance_table.h"

#include <algorithm>

namespace hearth::net {

bool InstanceTable::appeared(const Key& key, int interface) {
  if (!entries_.contains(key) && entries_.size() >= kMaxInstances) {
    ++ignored_;
    return false;
  }
  return entries_[key].interfaces.insert(interface).second;
}

void InstanceTable::disappeared(const Key& key, int interface, Time now) {
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.interfaces.erase(interface) == 0) return;
  found->second.addresses.erase({interface, false});
  found->second.addresses.erase({interface, true});
  touch(key, found->second, now);
}

void InstanceTable::resolved(const Key& key, int interface, bool v6, MdnsInstance instance,
                             std::optional<Address> address, Time now) {
  const auto found = entries_.find(key);
  if (found == entries_.end() || !found->second.interfaces.contains(interface)) return;
  Entry& entry = found->second;
  if (address && is_reachable(*address))
    entry.addresses[{interface, v6}] = *address;
  else
    entry.addresses.erase({interface, v6});
  if (address) {
    entry.known = std::move(instance);
    entry.known.type = key.first;
    entry.known.name = key.second;
    entry.known.addresses.clear();
  }
  touch(key, entry, now);
}

void InstanceTable::clear(Time now) {
  for (auto& [key, entry] : entries_) {
    entry.interfaces.clear();
    entry.addresses.clear();
    touch(key, entry, now);
  }
}

void InstanceTable::touch(const Key& key, Entry& entry, Time now) {
  if (due_of_.contains(key)) return;
  const Time due = std::max(now, entry.quiet_until);
  due_.emplace(due, key);
  due_of_.emplace(key, due);
}

MdnsInstance InstanceTable::present(const Entry& entry) const {
  MdnsInstance instance = entry.known;
  for (const auto& [place, address] : entry.addresses) {
    if (instance.addresses.size() < kMaxAddresses) instance.addresses.push_back(address);
  }
  std::ranges::sort(instance.addresses);
  const auto repeated = std::ranges::unique(instance.addresses);
  instance.addresses.erase(repeated.begin(), repeated.end());
  return instance;
}

std::vector<MdnsChange> InstanceTable::take(Time now) {
  std::vector<MdnsChange> changes;
  while (!due_.empty() && due_.begin()->first <= now) {
    const Key key = due_.extract(due_.begin()).value().second;
    due_of_.erase(key);
    const auto found = entries_.find(key);
    Entry& entry = found->second;
    const bool was_told = entry.told.has_value();
    if (entry.interfaces.empty()) {
      if (was_told) {
        changes.push_back({*std::exchange(entry.told, {}), true});
        entry.quiet_until = now + kPause;
        touch(key, entry, now);  // it is forgotten then, unless it is back
      } else {
        entries_.erase(found);
      }
      continue;
    }
    MdnsInstance instance = present(entry);
    if (instance.addresses.empty() || instance.port == 0) {
      if (!was_told) continue;
      changes.push_back({*std::exchange(entry.told, {}), true});
    } else {
      if (entry.told == instance) continue;
      entry.told = instance;
      changes.push_back({std::move(instance), false});
    }
    entry.quiet_until = now + kPause;
  }
  return changes;
}

std::optional<InstanceTable::Time> InstanceTable::next() const {
  if (due_.empty()) return {};
  return due_.begin()->first;
}

std::vector<MdnsInstance> InstanceTable::told(const std::string& type) const {
  std::vector<MdnsInstance> all;
  for (auto at = entries_.lower_bound({type, {}}); at != entries_.end() && at->first.first == type; ++at) {
    if (at->second.told) all.push_back(*at->second.told);
  }
  return all;
}

}  // namespace hearth::net
