// SPDX-License-Identifier: Apache-2.0
// The registry as a whole: floors, areas, devices and entities, how they belong together, those that are gone, and the
// items of collections.
//
// A published version is immutable, and cheap to copy. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/persistent_map.h"
#include "core/registry/collection.h"
#include "core/registry/registry_entries.h"
#include "core/registry/removed_entries.h"

namespace hearth::core {

struct RegistryData {
  using Devices = base::PersistentMap<std::string, Device>;
  using Entities = base::PersistentMap<std::string, RegisteredEntity>;

  // Some of the devices or entities, by their ids. An index shares the entries of the map.
  template <class Entry>
  using Group = base::PersistentSet<Entry, base::KeyOfPair, std::hash<std::string>>;
  using DeviceGroup = Group<Devices::Entry>;
  using EntityGroup = Group<Entities::Entry>;

  struct IdOf {
    const std::string& operator()(const Entities::Entry& entry) const { return entry.second.id; }
  };
  struct IdentityOf {
    EntityIdentity operator()(const Entities::Entry& entry) const {
      return {entry.second.integration, entry.second.domain(), entry.second.unique_id};
    }
  };
  struct IdentityHash {
    std::size_t operator()(const EntityIdentity& identity) const;
  };

  std::uint64_t version = 0;  // increases by one with each change
  base::PersistentMap<std::string, Floor> floors;
  base::PersistentMap<std::string, Area> areas;
  Devices devices;
  Entities entities;  // by entity id

  base::PersistentMap<std::string, Item> items;  // by item_key
  RemovedEntries removed;

  // Indexes, derived from the maps of devices and entities.
  base::PersistentSet<Entities::Entry, IdOf, std::hash<std::string>> entities_by_id;  // by registry id
  base::PersistentSet<Entities::Entry, IdentityOf, IdentityHash> entities_by_identity;
  base::PersistentMap<std::string, EntityGroup> entities_of_device, entities_of_area, entities_of_label;
  base::PersistentMap<std::string, DeviceGroup> devices_of_area, devices_of_label;
  std::size_t entities_elsewhere = 0;  // those of providers

  static std::string item_key(std::string_view collection, std::string_view id);

  // Adds or replaces the entry of that id, or removes it. Updates the indexes.
  void set(Device device);
  void set(RegisteredEntity entity);
  void set(Item item);  // and its number of bytes
  // Adds a label for each that something carries and that is not there. Beyond the bounds of labels it adds none.
  void add_missing_labels(base::Timestamp now);
  void erase_device(std::string_view id);
  void erase_entity(std::string_view entity_id);

  // Null if absent. Valid as long as this.
  const RegisteredEntity* find_entity(std::string_view integration, std::string_view domain,
                                      std::string_view unique_id) const;
  const RegisteredEntity* find_entity_by_id(std::string_view id) const;
  const Item* find_item(std::string_view collection, std::string_view id) const;
  const Device* device_of(const RegisteredEntity& entity) const;
  // In their order. Valid as long as this.
  std::vector<const Item*> items_of(std::string_view collection) const;
  // The item's position in its collection: that of the one with its id, which it replaces; otherwise behind all others.
  // Fails with invalid if it is not within the bounds of the collection.
  base::Result<int> place_of(const Item& item) const;
  // Its own area or its device's.
  const Area* area_of(const RegisteredEntity& entity) const;

  // True if neither the entity nor its device is disabled.
  bool enabled(const RegisteredEntity& entity) const;
  // The name for people: the user's, otherwise the integration's, after the device's name if that is not part of it.
  std::string friendly_name(const RegisteredEntity& entity) const;
};

}  // namespace hearth::core
