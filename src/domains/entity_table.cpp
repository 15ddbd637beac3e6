// SPDX-License-Identifier: Apache-2.0
#include "domains/entity_table.h"

#include <fmt/format.h>

namespace hearth::domains {

base::Result<void> EntityTable::put(std::unique_ptr<Entity> entity) {
  const EntityInfo& info = entity->info();
  const auto wanted = core::EntityId::parse(fmt::format("{}.{}", entity->domain(), info.object_id));
  if (!wanted) return std::unexpected(wanted.error());
  auto id = hub_.registry.put_entity(
      *wanted, {{}, info.unique_id, info.integration, info.name, info.device_id, info.area_id, {}});
  if (!id) return std::unexpected(id.error());
  if (entities_.contains(id->str()) || id->domain() != entity->domain()) {
    return base::fail(base::ErrorCode::conflict,
                      fmt::format("{}: {} has the unique id {} already.", info.integration, id->str(), info.unique_id));
  }
  entity->hub_ = &hub_;
  entity->id_ = *id;
  Entity& added = *entity;
  entities_.emplace(id->str(), std::move(entity));
  added.write();
  return {};
}

void EntityTable::remove(std::string_view entity_id) {
  const auto found = entities_.find(entity_id);
  if (found == entities_.end()) return;
  const auto node = entities_.extract(found);
  hub_.registry.remove_entity(node.key());
  // A client may have deleted the state before.
  static_cast<void>(hub_.states.remove(node.key(), core::Context::create(hub_.clock.now())));
}

Entity* EntityTable::find(std::string_view entity_id) const {
  const auto found = entities_.find(entity_id);
  return found == entities_.end() ? nullptr : found->second.get();
}

}  // namespace hearth::domains
