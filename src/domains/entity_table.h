// SPDX-License-Identifier: Apache-2.0
// The entities of all integrations, by entity id. Owns them. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/hub.h"
#include "domains/entity.h"

namespace hearth::domains {

class EntityTable {
 public:
  using Entities = std::map<std::string, std::unique_ptr<Entity>, std::less<>>;

  explicit EntityTable(core::Hub& hub) : hub_(hub) {}

  // Registers the entity, with its area and device, under the id it had or wants (kitchen_2 where that is taken), and
  // writes its first state. The entity's device must outlive it. Fails with invalid where the object id is not one,
  // with conflict where the integration has added this unique id before.
  template <class EntityType>
  base::Result<EntityType*> add(std::unique_ptr<EntityType> entity) {
    EntityType* const added = entity.get();
    if (auto done = put(std::move(entity)); !done) return std::unexpected(done.error());
    return added;
  }

  // The entity goes, and with it its state and its place in the registry.
  void remove(std::string_view entity_id);

  // Null where no integration brought the entity.
  Entity* find(std::string_view entity_id) const;
  const Entities& all() const { return entities_; }

 private:
  base::Result<void> put(std::unique_ptr<Entity> entity);

  core::Hub& hub_;
  Entities entities_;
};

}  // namespace hearth::domains
