// SPDX-License-Identifier: Apache-2.0
// The hub-wide services: turn_on, turn_off and toggle for entities of any domain, and update_entity. Each is registered
// under `platform` and, for existing clients, under `homeassistant`. The first three pass further data to each entity's
// own service, which gets only the fields that it has.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/hub.h"
#include "domains/entities/entity_table.h"

namespace hearth::domains {

// Registers the service under both names and sets the description's domain. Any thread.
[[nodiscard]] std::vector<core::Registration> add_platform_service(
    core::ServiceRegistry& services, core::ServiceDescription description, const core::ServiceHandler& handler,
    const std::source_location& where = std::source_location::current());

class PlatformServices {
 public:
  PlatformServices(core::Hub& hub, EntityTable& entities);

 private:
  void add(core::ServiceDescription description, const core::ServiceHandler& handler);
  // A call of a domain's own service.
  struct Part {
    std::shared_ptr<const core::ServiceRegistry::Service> service;
    json::object data;  // what is handed on
    json::array entity_ids = {};
  };
  using Parts = std::map<std::string, Part, std::less<>>;  // by domain

  // Calls the service of each entity's domain, with the caller's context and rights, and replies after all have.
  void dispatch(const core::ServiceCall& call, core::ServiceReply reply);
  // Checks everything, so that a call that fails has done nothing. Fails with invalid.
  base::Result<Parts> parts_of(const core::ServiceCall& call) const;
  // Null, with the reason in the log, if the domain has no such service. Fails with invalid if its data are wrong.
  base::Result<Part*> part_of(Parts& parts, const core::ServiceCall& call, const std::string& entity_id) const;
  void update(const core::ServiceCall& call, const core::ServiceReply& reply);

  core::Hub& hub_;
  EntityTable& entities_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::domains
