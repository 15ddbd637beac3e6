// SPDX-License-Identifier: Apache-2.0
#include "domains/domain_services.h"

#include <fmt/format.h>

#include "base/log.h"

namespace hearth::domains {

void DomainServices::add_any(DomainService service, Prepare<Entity> prepare, const std::source_location& where) {
  core::ServiceDescription description;
  description.domain = domain_;
  description.service = std::move(service.service);
  description.name = std::move(service.name);
  description.description = std::move(service.description);
  description.fields = std::move(service.fields);
  description.target_domains = {domain_};
  registrations_.push_back(hub_.services.add(
      std::move(description),
      [this, prepare = std::move(prepare)](const core::ServiceCall& call, const core::ServiceReply& reply) {
        if (auto done = run(call, prepare); !done) return reply(std::unexpected(done.error()));
        reply(json::value());
      },
      where));
}

base::Result<void> DomainServices::run(const core::ServiceCall& call, const Prepare<Entity>& prepare) const {
  std::vector<std::pair<std::string, Action>> actions;
  for (const std::string& id : call.entity_ids()) {
    Entity* const entity = entities_.find(id);
    if (!entity || !entity->available()) {
      base::log_warning("services", "{}.{} leaves out {}: {}", domain_, call.request().service, id,
                        entity ? "it is unavailable" : "no integration drives it");
      continue;
    }
    auto action = prepare(*entity, call.data());
    if (!action) return std::unexpected(action.error());
    actions.emplace_back(id, std::move(*action));
  }
  base::Result<void> done;
  for (const auto& [id, action] : actions) {
    // Looked up anew: what one device does may have taken another away.
    Entity* const entity = entities_.find(id);
    if (!entity || entity->command(call.context(), action) || !done) continue;
    done = base::fail(base::ErrorCode::internal, fmt::format("{} failed at the command.", id));
  }
  return done;
}

}  // namespace hearth::domains
