// SPDX-License-Identifier: Apache-2.0
#include "core/services/service_registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json/json_memory.h"
#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "base/text/utf8.h"
#include "core/services/service_target.h"

namespace hearth::core {
namespace {

std::string service_event_data(std::string_view domain, std::string_view service) {
  return base::to_json(json::object{{"domain", domain}, {"service", service}});
}

std::unexpected<base::Error> unknown_service(const ServiceRequest& request) {
  return base::fail(base::ErrorCode::not_found,
                    fmt::format("Service {}.{} not found.", request.domain, request.service));
}

// The data for the handler here; fails with invalid.
base::Result<json::object> check(const ServiceDescription& description, const ServiceRequest& request) {
  if (request.return_response && description.response == ResponseSupport::none) {
    return base::fail(base::ErrorCode::invalid, fmt::format("return_response: {}.{} does not answer with data.",
                                                            request.domain, request.service));
  }
  if (!request.return_response && description.response == ResponseSupport::only) {
    return base::fail(base::ErrorCode::invalid, fmt::format("return_response: {}.{} only answers with data, so ask "
                                                            "for it: ?return_response, or true in a message.",
                                                            request.domain, request.service));
  }
  return validate(description, request.data);
}

json::object without_target(const json::object& data) {
  json::object rest;
  for (const auto& [key, value] : data)
    if (!ServiceTarget::is_key(key)) rest[key] = value;
  return rest;
}

std::unexpected<base::Error> may_not_control(std::string_view entity_id) {
  return base::fail(base::ErrorCode::forbidden,
                    fmt::format("This user may not control {}.", base::utf8_excerpt(entity_id)));
}

}  // namespace

struct ServiceRegistry::CheckedCall {
  std::shared_ptr<const Service> service;
  ServiceRequest request;
  std::optional<json::object> given;  // the data as the caller gave it, without the target, if some provider checks it
  std::optional<base::Error> wrong;   // with it by the description here
  std::string event_data;
  ServiceTarget target;
  Done done;
};

ServiceRegistry::ServiceRegistry(EventBus& bus, const StateMachine& states, const Registry& registry,
                                 const base::Clock& clock)
    : bus_(bus),
      states_(states),
      registry_(registry),
      clock_(clock),
      services_(std::make_shared<const Services>()),
      calls_(bus) {}

template <class Change>
void ServiceRegistry::publish(std::string_view event_type, const ServiceDescription& description, Change&& change) {
  const auto event = std::make_shared<Event>(event_type, service_event_data(description.domain, description.service),
                                             Origin::local, Context::create(clock_.now()));
  if (!description.stands_for.empty())
    event->registry_change = std::make_shared<const RegistryChange>(entity_of(description));
  for (;;) {
    // Freed after the turn, not within it.
    const auto before = services_.load_once();
    auto next = std::make_shared<Services>(*before);
    change(*next);
    EventBus::Turn turn(bus_);
    if (services_.load_once() != before) continue;
    services_.publish(std::move(next));
    return turn.fire(event);
  }
}

Registration ServiceRegistry::add(ServiceDescription description, ServiceHandler handler,
                                  const std::source_location& where) {
  const auto added = std::make_shared<const Service>(Service{std::move(description), std::move(handler), where});
  // Made before: nothing may fail once others see the service.
  std::function<void()> end = [this, added] { remove(added); };
  publish(event_type::kServiceRegistered, added->description, [&](Services& services) {
    std::shared_ptr<const ServicesOfDomain>& in_domain = services[added->description.domain];
    auto next = in_domain ? std::make_shared<ServicesOfDomain>(*in_domain) : std::make_shared<ServicesOfDomain>();
    (*next)[added->description.service] = added;
    in_domain = std::move(next);
  });
  return Registration(std::move(end));
}

void ServiceRegistry::remove(const std::shared_ptr<const Service>& gone) {
  const ServiceDescription& description = gone->description;
  // Another hub's service may have given way to one of this hub.
  if (find(description.domain, description.service) != gone) return;
  publish(event_type::kServiceRemoved, description, [&](Services& services) {
    const auto in_domain = services.find(description.domain);
    auto next = std::make_shared<ServicesOfDomain>(*in_domain->second);
    next->erase(description.service);
    if (next->empty()) {
      services.erase(in_domain);
    } else {
      in_domain->second = std::move(next);
    }
  });
}

std::shared_ptr<const ServiceRegistry::Service> ServiceRegistry::find(std::string_view domain,
                                                                      std::string_view service) const {
  const auto services = services_.load();
  const auto in_domain = services->find(domain);
  if (in_domain == services->end()) return nullptr;
  const auto found = in_domain->second->find(service);
  return found == in_domain->second->end() ? nullptr : found->second;
}

bool ServiceRegistry::has_own(std::string_view domain, std::string_view service) const {
  const auto found = find(domain, service);
  return found && found->description.provider.empty();
}

std::string ServiceRegistry::entity_of(const ServiceDescription& description) const {
  const auto registry = registry_.snapshot();
  const RegisteredEntity* const entity =
      registry->find_entity(description.domain, description.domain, description.stands_for);
  return entity ? entity->entity_id : description.domain + '.' + description.service;
}

bool ServiceRegistry::knows(const Rights& rights, const ServiceDescription& description) const {
  return rights.reads_all() || description.stands_for.empty() ||
         rights.reads(entity_of(description), *registry_.snapshot());
}

std::shared_ptr<const ServiceRegistry::Service> ServiceRegistry::find_known(const Rights& rights,
                                                                            std::string_view domain,
                                                                            std::string_view service) const {
  auto found = find(domain, service);
  return found && knows(rights, found->description) ? found : nullptr;
}

base::Result<void> ServiceRegistry::may_call(std::string_view domain, std::string_view name,
                                             const Rights& rights) const {
  using base::ErrorCode;
  const auto service = find_known(rights, domain, name);
  if (service && service->description.for_everybody) return {};
  if (service && service->description.administrator && !rights.administer())
    return base::fail(ErrorCode::forbidden, fmt::format("{}.{} is for administrators.", domain, name));
  if (!(service && service->description.only_asks())) {
    if (auto may = rights.may_control(); !may) return may;
  }
  const auto controls_what_it_stands_for = [&] {
    return !service->description.stands_for.empty() &&
           rights.controls(entity_of(service->description), *registry_.snapshot());
  };
  if (service && !service->description.has_target && !rights.controls_all() && !controls_what_it_stands_for()) {
    return base::fail(ErrorCode::forbidden,
                      fmt::format("Only who may control everything may call {}.{}.", domain, name));
  }
  return {};
}

void ServiceRegistry::call(ServiceRequest request, Done done) {
  if (auto may = may_call(request.domain, request.service, request.rights); !may)
    return done(std::unexpected(std::move(may.error())));
  const auto service = find_known(request.rights, request.domain, request.service);
  if (!service) return done(unknown_service(request));
  const ServiceDescription& description = service->description;
  ServiceTarget target;
  if (description.has_target) {
    auto parsed = ServiceTarget::parse(request.data, states_.limits());
    if (!parsed) return done(std::unexpected(parsed.error()));
    target = std::move(*parsed);
    if (!target.given && !description.target_optional) {
      return done(base::fail(base::ErrorCode::invalid,
                             fmt::format("entity_id: {}.{} needs a target: entity_id, device_id, area_id, floor_id or "
                                         "label_id.",
                                         request.domain, request.service)));
    }
    if (!target.given && !request.rights.controls_all()) {
      return done(base::fail(base::ErrorCode::forbidden,
                             fmt::format("Only who may control everything may call {}.{} without a target.",
                                         request.domain, request.service)));
    }
    const auto registry = registry_.snapshot();
    for (const auto& id : target.entity_ids) {
      // An entity that the caller may not read is treated as absent.
      if (!description.only_asks() && !request.rights.controls(id, *registry) && request.rights.reads(id, *registry))
        return done(may_not_control(id));
    }
  }
  auto valid = check(description, request);
  std::optional<base::Error> wrong;
  if (!valid) {
    wrong = std::move(valid.error());
    const auto registry = registry_.snapshot();
    if (!providers_.some_check_data() ||
        !providers_.all_check_data(resolve_for(*service, request, target, *registry).entity_ids, *registry))
      return done(std::unexpected(std::move(*wrong)));
  }
  std::optional<json::object> given;
  if (description.has_target && providers_.some_check_data()) given = without_target(request.data);

  // The event contains the request without secrets and with the target among the data; the handler gets the validated
  // data.
  json::object asked = std::exchange(request.data, valid ? std::move(*valid) : json::object());
  for (const Field& field : description.fields) {
    const bool secret = field.secret || (field.name == "pin" && request.rights.presented_pin());
    if (secret && asked.contains(field.name)) asked[field.name] = "…";
  }
  if (json::value* const named = description.has_target ? asked.if_contains("target") : nullptr;
      named && named->is_object()) {
    const json::object inner = std::exchange(named->get_object(), {});
    asked.erase("target");
    for (const auto& [key, value] : inner) asked[key] = value;
  }
  const IfFull if_full = request.if_full;
  std::string event_data = base::to_json(
      json::object{{"domain", request.domain}, {"service", request.service}, {"service_data", std::move(asked)}});
  const std::size_t weight = EventBus::kSmallTask + event_data.size() + base::memory_of(request.data) +
                             (given ? base::memory_of(*given) : 0) + target.weight();
  const auto checked = std::make_shared<CheckedCall>(service, std::move(request), std::move(given), std::move(wrong),
                                                     std::move(event_data), std::move(target), std::move(done));
  if (auto posted = bus_.post(if_full, weight, [this, checked] { begin(*checked); }); !posted)
    checked->done(std::unexpected(std::move(posted.error())));
}

void ServiceRegistry::begin(CheckedCall& call) {
  auto& [service, request, given, wrong, event_data, target, done] = call;
  const base::Id cause = request.context.id;
  const base::LogScope caused({.context = cause});
  // Removed meanwhile: objects that its handler refers to may be gone.
  if (find(request.domain, request.service) != service) return done(unknown_service(request));
  const auto registry = registry_.snapshot();
  ResolvedTarget resolved = resolve_for(*service, request, target, *registry);
  // Entities may have come into the target since the call was checked.
  if (wrong && !providers_.all_check_data(resolved.entity_ids, *registry))
    return done(std::unexpected(std::move(*wrong)));
  if (auto opens = check_pins(service->description, resolved.entity_ids, request.rights); !opens)
    return done(std::unexpected(std::move(opens.error())));
  if (!resolved.left_out.empty()) report_skipped(request, resolved.left_out);
  if (request.announced) bus_.fire(event_type::kCallService, std::move(event_data), Origin::local, request.context);
  run(*service, std::move(request), std::move(given), std::move(resolved), std::move(done));
}

ResolvedTarget ServiceRegistry::resolve_for(const Service& service, const ServiceRequest& request,
                                            const ServiceTarget& target, const RegistryData& registry) const {
  // A group that the caller may not read is treated as absent, too: nothing is reached through it.
  const Expands expands = [&](const std::string& group) { return request.rights.reads(group, registry); };
  ResolvedTarget resolved = resolve(target, service.description.target_domains, *states_.snapshot(), registry, expands);
  resolved.keep_if([&](const std::string& id) {
    return service.description.only_asks() ? request.rights.reads(id, registry) : request.rights.controls(id, registry);
  });
  return resolved;
}

// Of what automations call, each target is named; a user may name what they like, so their lines count together.
void ServiceRegistry::report_skipped(const ServiceRequest& request, std::span<const std::string> left_out) {
  constexpr std::size_t kNamed = 20;
  const std::string service = request.domain + '.' + request.service;
  std::string line = fmt::format("{} skips targets that are missing or out of reach: {}{}", service,
                                 fmt::join(left_out.first(std::min(kNamed, left_out.size())), ", "),
                                 left_out.size() > kNamed ? " …" : "");
  const auto& user = request.context.user_id;
  const std::string key = user ? fmt::format("{} of {}", service, std::string_view(*user)) : line;
  skipped_.log_as(key, std::move(line));
}

base::Result<void> ServiceRegistry::check_pins(const ServiceDescription& description,
                                               const std::vector<std::string>& entity_ids, const Rights& rights) {
  if (description.only_asks()) return {};
  if (!description.stands_for.empty()) return check_pins(description.service, {entity_of(description)}, rights);
  // A service for any domain calls that of each entity's own, which checks.
  if (description.target_domains.empty()) return {};
  return check_pins(description.service, entity_ids, rights);
}

base::Result<void> ServiceRegistry::check_pins(std::string_view service, const std::vector<std::string>& entity_ids,
                                               const Rights& rights) {
  return pins_.check(service, entity_ids, rights, *registry_.snapshot(), *states_.snapshot(), clock_.steady_now());
}

void ServiceRegistry::run(const Service& service, ServiceRequest request, std::optional<json::object> given,
                          ResolvedTarget target, Done done) {
  const std::vector<Providers::Share> shares = providers_.take(target, *registry_.snapshot());
  const bool here = shares.empty() || !target.entity_ids.empty();
  base::Duration longest = service.description.longest;
  for (const Providers::Share& share : shares)
    if (share.provider) longest = std::max(longest, share.provider->longest(request));
  const PendingCalls::Begun begun = calls_.begin(std::move(request), std::move(target), std::move(done), longest);
  const BusWatch::Inner holds(bus_.watch(), service.where);
  const std::size_t parts = shares.size() + (here ? 1 : 0);
  const ServiceReply reply = parts > 1 ? join_replies(parts, begun.reply) : begun.reply;
  const ServiceRequest& made = begun.call->request();
  bool refused = false;
  if (here) {
    // A handler that refuses the call does so before it commands anything: then nothing is commanded elsewhere.
    const auto refuses = std::make_shared<bool*>(&refused);
    const ServiceReply noted = [reply, refuses](base::Result<json::value> response) {
      if (*refuses && !response) **refuses = true;
      reply(std::move(response));
    };
    guarded(made, noted, [&] { service.handler(*begun.call, noted); });
    *refuses = nullptr;
  }
  std::optional<ServiceRequest> as_given;
  for (const Providers::Share& share : shares) {
    if (refused) {
      reply(json::value());
      continue;
    }
    const bool checks = given && share.provider && share.provider->checks_data();
    if (checks && !as_given) {
      as_given = made;
      as_given->data = std::move(*given);
    }
    call_provider(share, checks ? *as_given : made, reply);
  }
}

void ServiceRegistry::call_provider(const Providers::Share& share, const ServiceRequest& request,
                                    const ServiceReply& reply) {
  if (!share.provider) {
    return reply(base::fail(base::ErrorCode::unreachable,
                            fmt::format("{} cannot be reached: {}, which provides it, is not there.",
                                        share.entity_ids.front(), share.name)));
  }
  guarded(request, reply, [&] { share.provider->call(request, share.entity_ids, reply); });
}

void ServiceRegistry::guarded(const ServiceRequest& request, const ServiceReply& reply,
                              const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& failure) {
    base::log_error("services", "{}.{} failed: {}", request.domain, request.service, failure.what());
    reply(base::fail(base::ErrorCode::internal, "The service failed."));
  }
}

}  // namespace hearth::core
