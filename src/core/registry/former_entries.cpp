// SPDX-License-Identifier: Apache-2.0
#include "core/registry/former_entries.h"

#include <fmt/format.h>

namespace hearth::core {

using base::Result;

namespace {

// True if the entity's id is as its integration wished, with a number at most: the user has not chosen it.
bool is_as_suggested(const RegisteredEntity& entity) {
  const std::string_view id = std::string_view(entity.entity_id).substr(entity.domain().size() + 1);
  if (entity.suggested_object_id.empty() || !id.starts_with(entity.suggested_object_id)) return false;
  const std::string_view rest = id.substr(entity.suggested_object_id.size());
  return rest.empty() ||
         (rest.size() > 1 && rest[0] == '_' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

}  // namespace

void keep_user_fields(const Device& former, Device& device) {
  device.name_by_user = former.name_by_user;
  device.area_id = former.area_id;
  device.labels = former.labels;
  device.disabled_by = former.disabled_by;
}

void keep_user_fields(const RegisteredEntity& former, RegisteredEntity& entity) {
  entity.name = former.name;
  entity.icon = former.icon;
  entity.device_class = former.device_class;
  entity.area_id = former.area_id;
  entity.labels = former.labels;
  entity.aliases = former.aliases;
  entity.categories = former.categories;
  entity.disabled_by = former.disabled_by;
  entity.hidden_by = former.hidden_by;
  entity.options = former.options;
  entity.pin_hash = former.pin_hash;
}

Result<EntityId> free_entity_id(const EntityId& wanted, const RegistryData& data) {
  auto free = Result<EntityId>(wanted);
  for (int n = 2; free && data.entities.contains(free->str()); ++n) {
    free = EntityId::parse(fmt::format("{}_{}", wanted.str(), n));
  }
  return free;
}

Result<EntityId> former_entity_id(const RegisteredEntity& gone, const EntityId& wanted) {
  if (is_as_suggested(gone) && gone.suggested_object_id != wanted.object_id()) return wanted;
  return EntityId::parse(gone.entity_id);
}

}  // namespace hearth::core
