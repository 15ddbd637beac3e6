// SPDX-License-Identifier: Apache-2.0
// The services of one domain: registered while this lives. Each call is checked for all its entities before the first
// of them is commanded, so that a call that fails has done nothing. Bus thread, but for construction and destruction.
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "core/hub.h"
#include "domains/entity_table.h"

namespace hearth::domains {

// A service as its domain describes it.
struct DomainService {
  std::string service;
  std::string name;         // for people: "Turn on"
  std::string description;  // one sentence
  std::vector<core::Field> fields = {};
};

class DomainServices {
 public:
  // Commands the entity; nothing can fail any more.
  using Action = std::function<void()>;
  using Prepared = base::Result<Action>;
  // Checks the data against what the entity can do. Fails with invalid.
  template <class EntityType>
  using Prepare = std::function<Prepared(EntityType& entity, const json::object& data)>;

  DomainServices(core::Hub& hub, EntityTable& entities, std::string domain)
      : hub_(hub), entities_(entities), domain_(std::move(domain)) {}

  // REQUIRES: EntityType is the class of this domain's entities.
  template <class EntityType>
  void add(DomainService service, Prepare<EntityType> prepare,
           const std::source_location& where = std::source_location::current()) {
    add_any(
        std::move(service),
        [prepare = std::move(prepare)](Entity& entity, const json::object& data) {
          return prepare(static_cast<EntityType&>(entity), data);
        },
        where);
  }

 private:
  void add_any(DomainService service, Prepare<Entity> prepare, const std::source_location& where);
  base::Result<void> run(const core::ServiceCall& call, const Prepare<Entity>& prepare) const;

  core::Hub& hub_;
  EntityTable& entities_;
  std::string domain_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::domains
