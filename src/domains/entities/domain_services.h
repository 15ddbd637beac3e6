// SPDX-License-Identifier: Apache-2.0
// The services of one domain, registered while this lives. A call is checked for all its entities before the first of
// them is commanded, so that a call that fails has done nothing. If an entity lacks a feature that the service needs,
// the call fails if it names the entity, and skips it if it reached it through an area, a device or the like. A call
// waits for the answers that devices have promised (Entity::answer_later), and fails with their words. Bus thread,
// except construction and destruction.
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "core/hub.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/kind.h"

namespace hearth::domains {

// True if a call goes on without entity_ids()[index], which cannot do what is asked; logs that. Otherwise the error
// becomes the call's.
bool goes_on_without(const core::ServiceCall& call, std::size_t index, base::Error& error);

// The service as clients see it, with entities of the domain as its target.
core::ServiceDescription describe(const Kind& kind, const Action& action);

class DomainServices {
 public:
  // Commands the entity; only its device can still refuse.
  using Command = std::function<void()>;
  using Prepared = base::Result<Command>;
  // Checks the data against the entity's features. Fails with invalid, or with unsupported if it lacks one.
  template <class EntityType>
  using Prepare = std::function<Prepared(EntityType& entity, const json::object& data)>;

  DomainServices(core::Hub& hub, EntityTable& entities, const Kind& kind)
      : hub_(hub), entities_(entities), kind_(kind) {}

  // All services of a kind that is only a table.
  void add_all();

  // A service of a kind that has code. REQUIRES: it is one of the kind's, and EntityType is the class of its entities.
  template <class EntityType>
  void add(std::string_view service, Prepare<EntityType> prepare,
           const std::source_location& where = std::source_location::current()) {
    add_any(
        *kind_.find_action(service),
        [prepare = std::move(prepare)](Entity& entity, const json::object& data) {
          return prepare(static_cast<EntityType&>(entity), data);
        },
        where);
  }

 private:
  void add_any(const Action& action, Prepare<Entity> prepare, const std::source_location& where);
  // A service that only returns data.
  void add_question(const Action& action, const std::source_location& where = std::source_location::current());
  base::Result<json::object> answers(const core::ServiceCall& call, const Action& action) const;
  // Null, with the reason in the log, if it cannot be reached.
  Entity* reach(const core::ServiceCall& call, const std::string& entity_id) const;
  void run(const core::ServiceCall& call, const Prepare<Entity>& prepare, core::ServiceReply reply) const;

  core::Hub& hub_;
  EntityTable& entities_;
  const Kind& kind_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::domains
