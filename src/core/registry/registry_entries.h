// SPDX-License-Identifier: Apache-2.0
// Floors, areas, devices and entities. The fields of integrations and those of the user are separate: the former change
// with every start, the latter only by the user.
//
// Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/text/optional_text.h"

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

// The one who disabled or hid something.
enum class ChangedBy { user, integration };

struct Device {
  std::string id;  // <integration>.<the integration's own id of it>
  std::string integration = {};
  std::string entry_id = {};  // the connection that provides it; empty: the only one of its integration
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
  std::string entry_id = {};     // the connection that provides it; empty: the only one of its integration
  OptionalText original_name = {}, original_icon = {}, original_device_class = {};
  OptionalText device_id = {}, translation_key = {};
  OptionalText entity_category = {};     // config or diagnostic
  bool has_entity_name = false;          // its name is that of the part, without the device's name
  std::string suggested_object_id = {};  // the integration's wish for the entity id; clients do not see it

  // The user's fields; integrations may set them at the first registration only.
  OptionalText name = {}, icon = {}, device_class = {};  // override the original ones
  OptionalText area_id = {};                             // its own; otherwise its device's counts
  Texts labels = {}, aliases = {};
  TextMap categories = {};  // by scope, such as `automation`: the category's id
  std::optional<ChangedBy> disabled_by = {}, hidden_by = {};
  json::object options = {};
  std::string pin_hash = {};  // of the PIN that it demands; empty: none. Clients never see it
  // Of one that came from another hub, until something provides it: what it could do there ("capabilities",
  // "supported_features", "unit_of_measurement").
  json::object abilities = {};
  base::Timestamp created_at = {}, modified_at = {};

  bool provided = false;      // its integration provides it now; not stored
  std::string provider = {};  // the core::Provider that does so, as `home_assistant.home`; not stored; see provider_of
  // Of one that a provider has from another hub, not stored: the hub that it is from at first, as its uuid or a name,
  // and how many hubs it has come to, this one included. 0: it is from nowhere else.
  OptionalText origin = {};
  std::uint8_t hops = 0;

  std::string_view domain() const { return std::string_view(entity_id).substr(0, entity_id.find('.')); }
  bool operator==(const RegisteredEntity&) const = default;
};

// The integration of entities that clients write by POST /api/states, as the registry names it.
constexpr std::string_view kClientIntegration = "api";

// Nothing provides it now: it waits, with all that people made of it, for what will bring its identity.
inline bool is_reserved(const RegisteredEntity& entity) {
  return !entity.provided && entity.integration != kClientIntegration;
}

// The integration that entries of entities of other homes name. Their unique id is
// <site>.<domain>.<object id there>.
constexpr std::string_view kFleetIntegration = "fleet";

// The name of the core::Provider that has the entity elsewhere, to which services for it go; empty for an entity that
// an integration here or a client provides. Valid as long as the entity.
inline std::string_view provider_of(const RegisteredEntity& entity) {
  if (!entity.provider.empty()) return entity.provider;
  return entity.integration == kFleetIntegration ? kFleetIntegration : std::string_view();
}

// The site that the entity is from; empty for one of this home. Valid as long as the entity.
inline std::string_view site_of(const RegisteredEntity& entity) {
  if (entity.integration != kFleetIntegration) return {};
  return std::string_view(entity.unique_id).substr(0, entity.unique_id.find('.'));
}

// The parts of an entity that never change.
using EntityIdentity =
    std::tuple<std::string_view, std::string_view, std::string_view>;  // integration, domain, unique id

}  // namespace hearth::core
