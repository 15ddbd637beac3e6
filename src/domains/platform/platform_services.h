// SPDX-License-Identifier: Apache-2.0
// The hub-wide services: turn_on, turn_off and toggle for entities of any domain, and update_entity. Each is registered
// under `platform` and, for existing clients, under `homeassistant`.
#pragma once

#include <vector>

#include "core/hub.h"
#include "domains/entity_table.h"

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
  // Calls the service of each entity's domain, with the caller's context and rights, and replies after all have.
  void dispatch(const core::ServiceCall& call, core::ServiceReply reply);
  void update(const core::ServiceCall& call, const core::ServiceReply& reply);

  core::Hub& hub_;
  EntityTable& entities_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::domains
