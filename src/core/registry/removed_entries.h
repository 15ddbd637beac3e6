// SPDX-License-Identifier: Apache-2.0
// Devices that are gone, and entities of devices, with what the user made of them: one that comes back is what it was.
// Of each there are at most kMost; beyond it those that went first are forgotten, a tenth at a time.
//
// A copy is cheap. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/persistent_map.h"
#include "core/registry/registry_entries.h"

namespace hearth::core {

class RemovedEntries {
 public:
  static constexpr std::size_t kMost = 10'000;
  using Entities = base::PersistentMap<std::string, RegisteredEntity>;
  using Devices = base::PersistentMap<std::string, Device>;

  // Each replaces the one that has the identity, or the id, of the new one. `modified_at` is when it went.
  void add(RegisteredEntity entity);
  void add(Device device);
  // No effect if absent.
  void erase_entity(const EntityIdentity& identity);
  void erase_device(std::string_view id);

  // Null if absent. Valid as long as this is unchanged.
  const RegisteredEntity* find_entity(const EntityIdentity& identity) const;
  // The one that shares an identifier with the device, otherwise one that shares a connection.
  const Device* find_device(const Device& device) const;

  const Entities& entities() const { return entities_; }  // by integration, domain and unique id
  const Devices& devices() const { return devices_; }     // by id

 private:
  Entities entities_;
  Devices devices_;
  base::PersistentMap<std::string, std::string> by_mark_;  // ids of devices, by identifiers and connections
};

}  // namespace hearth::core
