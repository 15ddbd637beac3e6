// SPDX-License-Identifier: Apache-2.0
#include "domains/platform/platform_services.h"

#include <fmt/format.h>

#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "base/text/utf8.h"
#include "domains/entities/domain_services.h"
#include "domains/entities/kinds.h"
#include "domains/entities/reply_all.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kServiceDomains[] = {"platform", "homeassistant"};

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
  for (const std::string_view name : kServiceDomains) {
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
      {"turn_on", "Turn on",
       "Turns entities of any domain on; covers open. Further data goes to each entity's own service."},
      {"turn_off", "Turn off",
       "Turns entities of any domain off; covers close. Further data goes to each entity's own service."},
      {"toggle", "Toggle",
       "Turns entities of any domain on that are off, and off that are on. Further data goes to each entity's own "
       "service."},
  };
  const auto describe = [](const Service& service) {
    core::ServiceDescription description;
    description.service = service.service;
    description.name = service.name;
    description.description = service.description;
    description.hands_on = service.service != std::string_view("update_entity");
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

base::Result<PlatformServices::Part*> PlatformServices::part_of(Parts& parts, const core::ServiceCall& call,
                                                                const std::string& entity_id) const {
  const std::string domain = entity_id.substr(0, entity_id.find('.'));
  if (const auto known = parts.find(domain); known != parts.end()) return &known->second;
  const std::string name = service_of(domain, call.request().service);
  Part part{hub_.services.find(domain, name), {}};
  if (!part.service) {
    const base::LogScope own({.entity = entity_id});
    base::log_warning("services", "{}.{} leaves out {}: its domain has no {}", call.request().domain,
                      call.request().service, entity_id, name);
    return nullptr;
  }
  for (const auto& [key, value] : call.data()) {
    if (part.service->description.find(key))
      part.data[key] = value;
    else
      base::log_debug("services", "{}.{} knows no {}: it goes on without", domain, name, base::utf8_excerpt(key));
  }
  auto valid = core::validate(part.service->description, part.data);
  if (!valid) return std::unexpected(std::move(valid.error()));
  part.data = std::move(*valid);
  return &parts.emplace(domain, std::move(part)).first->second;
}

base::Result<PlatformServices::Parts> PlatformServices::parts_of(const core::ServiceCall& call) const {
  Parts parts;
  for (std::size_t i = 0; i < call.entity_ids().size(); ++i) {
    const std::string& id = call.entity_ids()[i];
    auto part = part_of(parts, call, id);
    if (!part) return std::unexpected(std::move(part.error()));
    if (!*part) continue;
    auto opens = hub_.services.check_pins((*part)->service->description.service, {id}, call.request().rights);
    if (!opens) return std::unexpected(std::move(opens.error()));
    if (Entity* const entity = entities_.find(id)) {
      entity->set_caller(call.request().rights);
      auto able = entity->can((*part)->service->description.service, (*part)->data);
      if (!able && goes_on_without(call, i, able.error())) continue;
      if (!able) return std::unexpected(std::move(able.error()));
    }
    (*part)->entity_ids.emplace_back(id);
  }
  std::erase_if(parts, [](const auto& part) { return part.second.entity_ids.empty(); });
  return parts;
}

void PlatformServices::dispatch(const core::ServiceCall& call, core::ServiceReply reply) {
  auto parts = parts_of(call);
  if (!parts) return reply(std::unexpected(std::move(parts.error())));
  if (parts->empty()) return reply(json::value());

  const auto joined = std::make_shared<ReplyAll>(parts->size(), std::move(reply));
  for (auto& [domain, part] : *parts) {
    json::object data = std::move(part.data);
    data["entity_id"] = std::move(part.entity_ids);
    core::ServiceRequest request{.domain = domain,
                                 .service = part.service->description.service,
                                 .data = std::move(data),
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
