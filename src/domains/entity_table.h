// SPDX-License-Identifier: Apache-2.0
// The entities of all integrations. Owns them, and lets them follow the registry: what the user renames, disables or
// gives another id shows in the states at once. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/hub.h"
#include "domains/entity.h"
#include "domains/failures.h"

namespace hearth::domains {

class EntityTable {
 public:
  using Entities = std::map<std::string, std::unique_ptr<Entity>, std::less<>>;  // by registry id

  // Both must outlive it.
  EntityTable(core::Hub& hub, Failures& failures);

  // Registers the entity, with its area and device, under the id it had or wants (kitchen_2 where that is taken), and
  // writes its first state. The entity's device must outlive it. Fails with invalid where the object id is not one,
  // with conflict where the integration has added this unique id before.
  template <class EntityType>
  base::Result<EntityType*> add(std::unique_ptr<EntityType> entity,
                                const std::source_location& where = std::source_location::current()) {
    EntityType* const added = entity.get();
    if (auto done = put(std::move(entity), where); !done) return std::unexpected(done.error());
    return added;
  }

  // The entity goes, and with it its state and its place in the registry.
  void remove(std::string_view entity_id);

  // The entities of an integration that has failed go: they are unavailable until it brings them again. Those that it
  // did not come to bring are unavailable, too. Their places in the registry stay.
  void release(std::string_view integration);

  // Null where no integration brought the entity, or it is disabled.
  Entity* find(std::string_view entity_id) const;
  const Entities& all() const { return entities_; }

 private:
  base::Result<void> put(std::unique_ptr<Entity> entity, const std::source_location& where);
  Entity* find_brought(const core::RegisteredEntity& registered) const;

  void on_entity_updated(const core::Event& event);
  void on_device_updated(const core::Event& event);
  // The entity shows what the registry says of it now.
  void follow(Entity& entity, const core::RegisteredEntity& registered, const core::RegistryData& registry,
              const core::Context& context);
  // The state of an entity that nobody brings at present goes where its entity went.
  void move_state(const std::string& from, const core::RegisteredEntity* to, const core::RegistryData& registry,
                  const core::Context& context);
  void remove_state(std::string_view entity_id, const core::Context& context);

  core::Hub& hub_;
  Failures& failures_;
  Entities entities_;
  core::Subscription entity_updates_, device_updates_;
};

}  // namespace hearth::domains
