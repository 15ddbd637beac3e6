// SPDX-License-Identifier: Apache-2.0
// Owns the entities of all integrations, and applies changes of the registry: a user's new name or id, or a disabled
// entity, shows in the states at once. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/hub.h"
#include "domains/entities/entity.h"
#include "domains/entities/failures.h"
#include "domains/entities/group_index.h"

namespace hearth::domains {

class EntityTable {
 public:
  using Entities = std::map<std::string_view, std::unique_ptr<Entity>>;  // by registry id, which the entity has

  // Both must outlive this.
  EntityTable(core::Hub& hub, Failures& failures);

  // Registers the entity, with its area and device, under its former or wanted id (kitchen_2 if that is taken), and
  // writes its first state. The entity's device must outlive it. Fails with invalid if the object id is not valid, with
  // conflict if the integration has already added this unique id.
  template <class EntityType>
  base::Result<EntityType*> add(std::unique_ptr<EntityType> entity,
                                const std::source_location& where = std::source_location::current()) {
    EntityType* const added = entity.get();
    if (auto done = put(std::move(entity), where); !done) return std::unexpected(done.error());
    return added;
  }

  // Gives the entity of an integration another name or icon. REQUIRES: it is in the home; the ids are the same.
  void describe(Entity& entity, EntityInfo info);

  // Applies the hub's present customizations to all entities.
  void customize();

  // Takes the entity out of the home, which keeps its state and its registry entry: another one with the same
  // identity may be added. Null if no integration provides the entity.
  std::unique_ptr<Entity> withdraw(std::string_view entity_id);

  // Removes the entity, its state and its registry entry.
  void remove(std::string_view entity_id);

  // Removes the entities of a connection that has failed: they are unavailable until it adds them again, and so are
  // those that it did not get to add. Their registry entries stay.
  void release(const core::Connection& connection);

  // Null if no integration provides the entity, or it is disabled.
  Entity* find(std::string_view entity_id) const;
  const Entities& all() const { return entities_; }

  GroupIndex& groups() { return groups_; }
  LaterAnswers& answers() { return entity_home_.answers; }

 private:
  base::Result<void> put(std::unique_ptr<Entity> entity, const std::source_location& where);
  Entity* find_brought(const core::RegisteredEntity& registered) const;

  void on_entity_updated(const core::Event& event);
  void on_device_updated(const core::Event& event);
  // Applies the entity's present registry entry.
  void follow(Entity& entity, const core::RegisteredEntity& registered, const core::RegistryData& registry,
              const core::Context& context);
  // Moves the state of an entity that no integration provides at present, or shows it as its entry says.
  void move_state(const std::string& from, const core::RegisteredEntity* to, const core::RegistryData& registry,
                  const core::Context& context);
  void remove_state(std::string_view entity_id, const core::Context& context);

  core::Hub& hub_;
  EntityHome entity_home_;
  GroupIndex groups_;
  Entities entities_;
  core::Subscription entity_updates_, device_updates_;
};

}  // namespace hearth::domains
