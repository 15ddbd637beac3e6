// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/entity_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/client_entity.h"

namespace hearth::domains {
namespace {

core::OptionalText text_if_any(const std::string& text) {
  return text.empty() ? core::OptionalText() : core::OptionalText(text);
}

core::RegisteredEntity registration(const EntityInfo& info) {
  core::RegisteredEntity entity;
  entity.unique_id = info.unique_id;
  entity.integration = info.integration;
  entity.entry_id = info.entry_id;
  entity.original_name = text_if_any(info.name);
  entity.original_icon = text_if_any(info.icon);
  entity.original_device_class = text_if_any(info.device_class);
  entity.device_id = info.device_id;
  entity.area_id = info.area_id;
  entity.entity_category = text_if_any(info.entity_category);
  entity.has_entity_name = info.has_entity_name;
  entity.translation_key = info.translation_key;
  if (info.disabled) entity.disabled_by = core::ChangedBy::integration;
  return entity;
}

}  // namespace

EntityTable::EntityTable(core::Hub& hub, Failures& failures)
    : hub_(hub), entity_home_{hub, failures, LaterAnswers(hub.bus)}, groups_(hub.bus) {
  entity_updates_ = hub.bus.listen(core::event_type::kEntityRegistryUpdated,
                                   [this](const core::Event& event) { on_entity_updated(event); });
  device_updates_ = hub.bus.listen(core::event_type::kDeviceRegistryUpdated,
                                   [this](const core::Event& event) { on_device_updated(event); });
}

base::Result<void> EntityTable::put(std::unique_ptr<Entity> entity, const std::source_location& where) {
  const EntityInfo& info = entity->info();
  const auto wanted = core::EntityId::parse(fmt::format("{}.{}", entity->domain(), info.object_id));
  if (!wanted) return std::unexpected(wanted.error());
  const auto registered = hub_.registry.put_entity(*wanted, registration(info));
  if (!registered) return std::unexpected(registered.error());
  if (entities_.contains(registered->id)) {
    return base::fail(base::ErrorCode::conflict, fmt::format("{}: {} has the unique id {} already.", info.integration,
                                                             registered->entity_id, info.unique_id));
  }
  std::string().swap(entity->info_.object_id);  // the registry has made an id of it
  entity->where_ = where;
  entity->home_ = &entity_home_;
  entity->adopt(*registered, *hub_.registry.snapshot());
  Entity& added = *entity;
  entities_.emplace(added.registry_id(), std::move(entity));
  added.write();
  return {};
}

void EntityTable::describe(Entity& entity, EntityInfo info) {
  entity.info_ = std::move(info);
  const auto registered =
      hub_.registry.put_entity(core::EntityId::parse(entity.entity_id()).value(), registration(entity.info_));
  // The registry's event comes later; who confirms the change then has the new name already.
  if (registered && registered->id == entity.registry_id())
    follow(entity, *registered, *hub_.registry.snapshot(), core::Context::create(hub_.clock.now()));
}

void EntityTable::customize() {
  const auto registry = hub_.registry.snapshot();
  const auto context = core::Context::create(hub_.clock.now());
  for (const auto& [id, entity] : entities_) {
    if (const core::RegisteredEntity* const registered = registry->find_entity_by_id(id))
      follow(*entity, *registered, *registry, context);
  }
}

std::unique_ptr<Entity> EntityTable::withdraw(std::string_view entity_id) {
  // By the entity's current id: the registry's new one may not have arrived yet.
  auto found = entities_.end();
  if (const core::RegisteredEntity* const known = hub_.registry.snapshot()->entities.find(entity_id))
    found = entities_.find(known->id);
  if (found == entities_.end() || found->second->entity_id() != entity_id) {
    found = std::ranges::find_if(entities_, [&](const auto& each) { return each.second->entity_id() == entity_id; });
  }
  return found == entities_.end() ? nullptr : std::move(entities_.extract(found).mapped());
}

void EntityTable::remove(std::string_view entity_id) {
  const std::unique_ptr<Entity> entity = withdraw(entity_id);
  if (!entity) return;
  hub_.registry.forget_entity(std::string(entity->registry_id()));
  remove_state(entity->entity_id(), core::Context::create(hub_.clock.now()));
}

void EntityTable::release(const core::Connection& connection) {
  for (auto next = entities_.begin(); next != entities_.end();) {
    const auto entry = next++;
    if (!core::is_provided_by(connection, entry->second->info())) continue;
    entry->second->set_available(false);
    entities_.erase(entry);
  }
  const auto registry = hub_.registry.snapshot();
  const auto context = core::Context::create(hub_.clock.now());
  for (const auto& [id, registered] : registry->entities) {
    if (!core::is_provided_by(connection, registered)) continue;
    const core::StatePtr state = hub_.states.find(id);
    if (!state || state->value() == core::kUnavailable) continue;
    static_cast<void>(
        hub_.states.set(core::EntityId::parse(id).value(), {core::kUnavailable, state->attributes_json(), context}));
  }
}

Entity* EntityTable::find(std::string_view entity_id) const {
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const registered = registry->entities.find(entity_id);
  Entity* const entity = registered ? find_brought(*registered) : nullptr;
  return entity && entity->enabled() ? entity : nullptr;
}

Entity* EntityTable::find_brought(const core::RegisteredEntity& registered) const {
  const auto found = entities_.find(registered.id);
  return found == entities_.end() ? nullptr : found->second.get();
}

void EntityTable::on_entity_updated(const core::Event& event) {
  if (!event.registry_change) return;
  const std::string &id = event.registry_change->id, &old_id = event.registry_change->former_entity_id;
  if (!old_id.empty()) groups_.changed();
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const registered = registry->entities.find(id);
  if (Entity* const entity = registered ? find_brought(*registered) : nullptr)
    follow(*entity, *registered, *registry, event.context);
  else
    move_state(old_id.empty() ? id : old_id, registered, *registry, event.context);
}

void EntityTable::on_device_updated(const core::Event& event) {
  if (!event.registry_change) return;
  const auto registry = hub_.registry.snapshot();
  const auto* const ids = registry->entities_of_device.find(event.registry_change->id);
  if (!ids) return;
  for (const auto& [id, registered] : *ids) {
    if (Entity* const entity = find_brought(registered))
      follow(*entity, registered, *registry, event.context);
    else
      move_state(id, &registered, *registry, event.context);
  }
}

void EntityTable::follow(Entity& entity, const core::RegisteredEntity& registered, const core::RegistryData& registry,
                         const core::Context& context) {
  const std::string old_id(entity.entity_id());
  const bool had_state = entity.enabled();
  if (!entity.adopt(registered, registry)) return;
  const bool moved = old_id != entity.entity_id();
  // If two have swapped ids, the other's state is there already, or will be.
  if (had_state && (moved ? !registry.entities.contains(old_id) : !entity.enabled())) remove_state(old_id, context);
  entity.write(&context);
}

void EntityTable::move_state(const std::string& from, const core::RegisteredEntity* to,
                             const core::RegistryData& registry, const core::Context& context) {
  const bool disabled = to && !registry.enabled(*to);
  // Written by others: clients, or another home.
  const bool clients = to && (to->integration == core::kClientIntegration || !core::provider_of(*to).empty());
  const bool leaves = !registry.entities.contains(from) || (disabled && to->entity_id == from) || clients;
  const core::StatePtr state = leaves ? hub_.states.find(from) : nullptr;
  if (!state) return;
  if (to && !disabled) {
    const auto [value, attributes] =
        clients ? core::shown_again(*to, state->value(), state->attributes_json())
                : core::ShownState{std::string(state->value()), std::string(state->attributes_json())};
    static_cast<void>(hub_.states.set(core::EntityId::parse(to->entity_id).value(), {value, attributes, context}));
  }
  if (!to || disabled || to->entity_id != from) remove_state(from, context);
}

void EntityTable::remove_state(std::string_view entity_id, const core::Context& context) {
  // A client may have removed the state before.
  static_cast<void>(hub_.states.remove(entity_id, context));
}

}  // namespace hearth::domains
