// SPDX-License-Identifier: Apache-2.0
#include "domains/domain_services.h"

#include <fmt/format.h>

#include "base/log.h"
#include "domains/thing.h"

namespace hearth::domains {

void DomainServices::add_all() {
  for (const Action& action : kind_.actions) {
    add<Thing>(action.service, [&action](Thing& thing, const json::object& data) -> Prepared {
      auto order = thing.order(action, data);
      if (!order) return std::unexpected(order.error());
      return [&thing, order = std::move(*order)] { thing.obey(order); };
    });
  }
}

void DomainServices::add_any(const Action& action, Prepare<Entity> prepare, const std::source_location& where) {
  core::ServiceDescription description;
  description.domain = kind_.domain;
  description.service = action.service;
  description.name = action.name;
  description.description = action.description;
  for (const Input& input : action.fields) description.fields.push_back(input.field);
  description.target_domains = {std::string(kind_.domain)};
  registrations_.push_back(hub_.services.add(
      std::move(description),
      [this, prepare = std::move(prepare)](const core::ServiceCall& call, const core::ServiceReply& reply) {
        if (auto done = run(call, prepare); !done) return reply(std::unexpected(done.error()));
        reply(json::value());
      },
      where));
}

base::Result<void> DomainServices::run(const core::ServiceCall& call, const Prepare<Entity>& prepare) const {
  std::vector<std::pair<std::string, Command>> commands;
  for (const std::string& id : call.entity_ids()) {
    Entity* const entity = entities_.find(id);
    if (!entity || !entity->available()) {
      base::log_warning("services", "{}.{} leaves out {}: {}", kind_.domain, call.request().service, id,
                        entity ? "it is unavailable" : "no integration drives it");
      continue;
    }
    auto command = prepare(*entity, call.data());
    if (!command) return std::unexpected(command.error());
    commands.emplace_back(id, std::move(*command));
  }
  base::Result<void> done;
  for (const auto& [id, command] : commands) {
    // Looked up anew: what one device does may have taken another away.
    Entity* const entity = entities_.find(id);
    if (!entity || entity->command(call.context(), command) || !done) continue;
    done = base::fail(base::ErrorCode::internal, fmt::format("{} failed at the command.", id));
  }
  return done;
}

}  // namespace hearth::domains
