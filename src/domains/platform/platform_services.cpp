// SPDX-License-Identifier: Apache-2.0
#include "domains/platform/platform_services.h"

#include <fmt/format.h>

#include <map>

#include "base/log.h"
#include "domains/joined_reply.h"
#include "domains/kinds.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kNames[] = {"platform", "homeassistant"};

// The domain's name for turning on or off.
std::string service_of(std::string_view domain, const std::string& service) {
  const Kind* const kind = find_kind(domain);
  const std::string_view own = !kind ? "" : service == "turn_on" ? kind->on : service == "turn_off" ? kind->off : "";
  return own.empty() ? service : std::string(own);
}

}  // namespace

std::vector<core::Registration> add_platform_service(core::ServiceRegistry& services,
                                                     core::ServiceDescription description,
                                                     const core::ServiceHandler& handler,
                                                     const std::source_location& where) {
  std::vector<core::Registration> registrations;
  for (const std::string_view name : kNames) {
    description.domain = name;
    registrations.push_back(services.add(description, handler, where));
  }
  return registrations;
}

PlatformServices::PlatformServices(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  struct Service {
    const char *service, *name, *description;
  };
  constexpr Service power[] = {
      {"turn_on", "Turn on", "Turns entities of any domain on; covers open."},
      {"turn_off", "Turn off", "Turns entities of any domain off; covers close."},
      {"toggle", "Toggle", "Turns entities of any domain on that are off, and off that are on."},
  };
  const auto describe = [](const Service& service) {
    core::ServiceDescription description;
    description.service = service.service;
    description.name = service.name;
    description.description = service.description;
    return description;
  };
  for (const Service& service : power) {
    add(describe(service),
        [this](const core::ServiceCall& call, core::ServiceReply reply) { dispatch(call, std::move(reply)); });
  }
  add(describe({"update_entity", "Update entity", "Asks devices to report their state now."}),
      [this](const core::ServiceCall& call, const core::ServiceReply& reply) { update(call, reply); });
}

void PlatformServices::add(core::ServiceDescription description, const core::ServiceHandler& handler) {
  for (auto& registration : add_platform_service(hub_.services, std::move(description), handler)) {
    registrations_.push_back(std::move(registration));
  }
}

void PlatformServices::dispatch(const core::ServiceCall& call, core::ServiceReply reply) {
  std::map<std::pair<std::string, std::string>, json::array> targets;  // by domain and service
  for (const std::string& id : call.entity_ids()) {
    const std::string domain = id.substr(0, id.find('.'));
    const std::string service = service_of(domain, call.request().service);
    if (!hub_.services.find(domain, service)) {
      base::log_warning("services", "{}.{} leaves out {}: its domain has no {}", call.request().domain,
                        call.request().service, id, service);
      continue;
    }
    // Before any call, so that a call that fails has done nothing.
    if (const Entity* entity = entities_.find(id)) {
      if (auto able = entity->supports(service); !able) return reply(std::unexpected(able.error()));
    }
    targets[{domain, service}].emplace_back(id);
  }
  if (targets.empty()) return reply(json::value());

  const auto joined = std::make_shared<JoinedReply>(targets.size(), std::move(reply));
  for (auto& [name, ids] : targets) {
    core::ServiceRequest request{.domain = name.first,
                                 .service = name.second,
                                 .data = {{"entity_id", std::move(ids)}},
                                 .context = call.context(),
                                 .rights = call.request().rights,
                                 .return_response = false,
                                 // The original call waits for the devices, for all of them at once.
                                 .wait = base::Duration(0)};
    hub_.services.call(std::move(request),
                       [joined](base::Result<core::CallOutcome> outcome) { joined->add(std::move(outcome)); });
  }
}

void PlatformServices::update(const core::ServiceCall& call, const core::ServiceReply& reply) {
  base::Result<json::value> done;
  for (const std::string& id : call.entity_ids()) {
    if (Entity* const entity = entities_.find(id)) {
      if (entity->command(call.context(), [entity] { entity->refresh(); }) || !done) continue;
      done = base::fail(base::ErrorCode::internal, fmt::format("{} failed at the command.", id));
    } else {
      base::log_warning("services", "{}.update_entity leaves out {}: no integration drives it", call.request().domain,
                        id);
    }
  }
  reply(std::move(done));
}

}  // namespace hearth::domains
