// SPDX-License-Identifier: Apache-2.0
// What the home is made of: floors, areas, devices and entities, and which belongs where. What an integration says and
// what the user says stand apart: the former changes with every start, the latter only by the user.
//
// One version of it is immutable once published, and costs nothing to copy. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/json.h"
#include "base/persistent_map.h"

namespace hearth::core {

using Texts = std::set<std::string>;
using OptionalText = std::optional<std::string>;

struct Floor {
  std::string id;  // a slug of the name it was made with
  std::string name;
  std::optional<int> level = {};  // 0 is the ground floor
  OptionalText icon = {};
  Texts aliases = {};
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Floor&) const = default;
};

struct Area {
  std::string id;  // a slug of the name it was made with
  std::string name;
  OptionalText floor_id = {};
  Texts labels = {};
  Texts aliases = {};
  OptionalText icon = {}, picture = {};
  int position = 0;  // among the areas, as the user arranged them
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Area&) const = default;
};

// Who switched something off or hid it.
enum class By { user, integration };

struct Device {
  std::string id;  // <integration>.<the integration's own id of it>
  std::string integration = {};
  OptionalText name = {}, manufacturer = {}, model = {}, model_id = {}, sw_version = {}, hw_version = {};
  OptionalText serial_number = {}, via_device_id = {}, configuration_url = {};
  OptionalText entry_type = {};  // service: no thing that one can touch
  std::set<std::pair<std::string, std::string>> identifiers = {}, connections = {};

  // The user's, from the first registration on.
  OptionalText name_by_user = {}, area_id = {};
  Texts labels = {};
  std::optional<By> disabled_by = {};
  base::Timestamp created_at = {}, modified_at = {};

  bool operator==(const Device&) const = default;
};

struct RegisteredEntity {
  std::string id = {};  // 32 hexadecimal digits; stays when the user renames the entity
  std::string entity_id = {};
  std::string unique_id = {};    // the integration's own name of it, which never changes
  std::string integration = {};  // its folder's name
  OptionalText original_name = {}, original_icon = {}, original_device_class = {};
  OptionalText device_id = {}, translation_key = {};
  OptionalText entity_category = {};  // config or diagnostic
  bool has_entity_name = false;       // its name says what it is of its device, whose name is not in it

  // The user's, from the first registration on.
  OptionalText name = {}, icon = {}, device_class = {};  // in place of the original ones
  OptionalText area_id = {};                             // its own; else its device's counts
  Texts labels = {}, aliases = {};
  std::optional<By> disabled_by = {}, hidden_by = {};
  json::object options = {};
  base::Timestamp created_at = {}, modified_at = {};

  bool provided = false;  // its integration brings it at present; not kept over a restart

  std::string_view domain() const { return std::string_view(entity_id).substr(0, entity_id.find('.')); }
  bool operator==(const RegisteredEntity&) const = default;
};

struct RegistryData {
  using Ids = base::PersistentMap<std::string, std::monostate>;
  using Index = base::PersistentMap<std::string, Ids>;

  std::uint64_t version = 0;  // rises by one with each change
  base::PersistentMap<std::string, Floor> floors;
  base::PersistentMap<std::string, Area> areas;
  base::PersistentMap<std::string, Device> devices;
  base::PersistentMap<std::string, RegisteredEntity> entities;  // by entity id

  // Who belongs to whom, by the latter's id: made from the four above.
  base::PersistentMap<std::string, std::string> entity_ids;              // by registry id
  base::PersistentMap<std::string, std::string> entity_ids_by_identity;  // see identity
  Index entities_of_device, entities_of_area, entities_of_label, devices_of_area, devices_of_label;

  // What never changes about an entity, as one text.
  static std::string identity(std::string_view integration, std::string_view domain, std::string_view unique_id);

  // Puts in, in place of the former one of that id, or takes out. The indexes follow.
  void set(Device device);
  void set(RegisteredEntity entity);
  void erase_device(std::string_view id);
  void erase_entity(std::string_view entity_id);

  // Null where there is none. They live as long as this.
  const RegisteredEntity* find_entity(std::string_view integration, std::string_view domain,
                                      std::string_view unique_id) const;
  const RegisteredEntity* find_entity_by_id(std::string_view id) const;
  const Device* device_of(const RegisteredEntity& entity) const;
  // Its own or its device's.
  const Area* area_of(const RegisteredEntity& entity) const;

  // Whether neither it nor its device is disabled.
  bool enabled(const RegisteredEntity& entity) const;
  // What people call it: the user's name, else the integration's, behind the device's name where that is not in it.
  std::string friendly_name(const RegisteredEntity& entity) const;
};

}  // namespace hearth::core
