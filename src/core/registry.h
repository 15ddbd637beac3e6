// SPDX-License-Identifier: Apache-2.0
// What the home is made of: areas, devices and entities, and which belongs where. Read from an immutable published
// version. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "base/mutex.h"
#include "base/persistent_map.h"
#include "base/published.h"
#include "base/result.h"
#include "core/entity_id.h"

namespace hearth::core {

struct Area {
  std::string id;  // a slug of the name it was made with
  std::string name;
  std::optional<std::string> floor_id;
  std::set<std::string> labels;
};

struct Device {
  std::string id;  // <integration>.<the integration's own id of it>
  std::string name;
  std::string manufacturer;
  std::string model;
  std::optional<std::string> area_id;
  std::set<std::string> labels;
};

struct RegisteredEntity {
  std::string entity_id;
  std::string unique_id;    // the integration's own name of it, which never changes
  std::string integration;  // its folder's name
  std::string name;
  std::optional<std::string> device_id;
  std::optional<std::string> area_id;  // its own; else its device's counts
  std::set<std::string> labels;
};

// One version of the registry. Copies cost nothing: they share what is the same.
struct RegistryData {
  using Ids = base::PersistentMap<std::string, std::monostate>;
  using Index = base::PersistentMap<std::string, Ids>;

  base::PersistentMap<std::string, Area> areas;
  base::PersistentMap<std::string, Device> devices;
  base::PersistentMap<std::string, RegisteredEntity> entities;  // by entity id

  // Who belongs to whom, by the latter's id: made from the three above.
  base::PersistentMap<std::string, std::string> entity_ids;  // by what never changes, see identity
  Index entities_of_device, entities_of_area, entities_of_label, devices_of_area, devices_of_label;

  // Integration, domain and unique id, as one text.
  static std::string identity(std::string_view integration, std::string_view domain, std::string_view unique_id);

  // Puts in, in place of the former one, or takes out; the indexes follow.
  void set(Device device);
  void set(RegisteredEntity entity);
  void erase_entity(std::string_view entity_id);

  // The area an entity stands in: its own or its device's. Null where it has none.
  const Area* area_of(const RegisteredEntity& entity) const;
};

class Registry {
 public:
  Registry() : data_(std::make_shared<const RegistryData>()) {}

  std::shared_ptr<const RegistryData> snapshot() const { return data_.load(); }

  // Creates, or finds by its name: the area with this name.
  Area ensure_area(const std::string& name, std::optional<std::string> floor_id = {});
  void put_device(Device device);

  // Registers the entity under `wanted`, or under wanted_2, _3 … where another entity has that id; one that was
  // registered with the same integration and unique id keeps the entity id it has. Fails with invalid where the id is
  // not one.
  base::Result<EntityId> put_entity(const EntityId& wanted, RegisteredEntity entity);
  void remove_entity(std::string_view entity_id);

 private:
  template <class Change>
  void change(Change&& apply);

  base::Mutex mutex_;  // one writer at a time
  base::Published<RegistryData> data_;
};

}  // namespace hearth::core
