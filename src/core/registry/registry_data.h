// SPDX-License-Identifier: Apache-2.0
// Floors, areas, devices and entities, how they belong together, and the items of collections. The fields of
// integrations and those of the user are separate: the former change with every start, the latter only by the user.
//
// A published version is immutable, and cheap to copy. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/persistent_map.h"
#include "base/text/optional_text.h"
#include "core/registry/collection.h"

namespace hearth::core {

using Texts = std::set<std::string>;
using base::OptionalText;
using TextMap = std::map<std::string, std::string>;

struct Floor {
  std::string id;  // a slug of the name it was created with
  std::string name;
  std::optional<int> level = {};  // 0 is the ground floor
  OptionalText icon = {};
  Texts aliases = {};
  int position = 0;  // among the floors, as the user arranged them
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Floor&) const = default;
};

struct Area {
  std::string id;  // a slug of the name it was created with
  std::string name;
  OptionalText floor_id = {};
  Texts labels = {};
  Texts aliases = {};
  OptionalText icon = {}, picture = {};
  OptionalText temperature_entity_id = {}, humidity_entity_id = {};  // the sensors that speak for the area
  int position = 0;                                                  // among the areas, as the user arranged them
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Area&) const = default;
};

// Who disabled or hid something.
enum class ChangedBy { user, integration };

struct Device {
  std::string id;  // <integration>.<the integration's own id of it>
  std::string integration = {};
  OptionalText name = {}, manufacturer = {}, model = {}, model_id = {}, sw_version = {}, hw_version = {};
  OptionalText serial_number = {}, via_device_id = {}, configuration_url = {};
  OptionalText entry_type = {};  // service: not a physical thing
  std::set<std::pair<std::string, std::string>> identifiers = {}, connections = {};

  // The user's fields; integrations may set them at the first registration only.
  OptionalText name_by_user = {}, area_id = {};
  Texts labels = {};
  std::optional<ChangedBy> disabled_by = {};
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Device&) const = default;
};

struct RegisteredEntity {
  std::string id = {};  // 32 hexadecimal digits; unchanged if the user renames the entity
  std::string entity_id = {};
  std::string unique_id = {};    // the integration's own id, which never changes
  std::string integration = {};  // the integration's folder
  OptionalText original_name = {}, original_icon = {}, original_device_class = {};
  OptionalText device_id = {}, translation_key = {};
  OptionalText entity_category = {};  // config or diagnostic
  bool has_entity_name = false;       // its name is that of the part, without the device's name

  // The user's fields; integrations may set them at the first registration only.
  OptionalText name = {}, icon = {}, device_class = {};  // override the original ones
  OptionalText area_id = {};                             // its own; otherwise its device's counts
  Texts labels = {}, aliases = {};
  TextMap categories = {};  // by scope, such as `automation`: the category's id
  std::optional<ChangedBy> disabled_by = {}, hidden_by = {};
  json::object options = {};
  std::string pin_hash = {};  // of the PIN that it demands; empty: none. Clients never see it
  base::Timestamp created_at = {}, modified_at = {};

  bool provided = false;  // its integration provides it now; not stored

  std::string_view domain() const { return std::string_view(entity_id).substr(0, entity_id.find('.')); }
  bool operator==(const RegisteredEntity&) const = default;
};

// The integration that entries of entities of other homes name. Their unique id is
// <site>.<domain>.<object id there>.
constexpr std::string_view kFleetIntegration = "fleet";

// The site that the entity is from; empty for one of this home. Valid as long as the entity.
inline std::string_view site_of(const RegisteredEntity& entity) {
  if (entity.integration != kFleetIntegration) return {};
  return std::string_view(entity.unique_id).substr(0, entity.unique_id.find('.'));
}

// The parts of an entity that never change.
using EntityIdentity =
    std::tuple<std::string_view, std::string_view, std::string_view>;  // integration, domain, unique id

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

  // Indexes, derived from the maps of devices and entities.
  base::PersistentSet<Entities::Entry, IdOf, std::hash<std::string>> entities_by_id;  // by registry id
  base::PersistentSet<Entities::Entry, IdentityOf, IdentityHash> entities_by_identity;
  base::PersistentMap<std::string, EntityGroup> entities_of_device, entities_of_area, entities_of_label;
  base::PersistentMap<std::string, DeviceGroup> devices_of_area, devices_of_label;

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

  // Whether neither the entity nor its device is disabled.
  bool enabled(const RegisteredEntity& entity) const;
  // The name for people: the user's, otherwise the integration's, after the device's name if that is not part of it.
  std::string friendly_name(const RegisteredEntity& entity) const;
};

}  // namespace hearth::core
