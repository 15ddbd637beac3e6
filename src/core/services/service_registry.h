// SPDX-License-Identifier: Apache-2.0
// The hub's services: lists them, and checks the rights and data of each call before it runs. Any thread lists and
// calls services; handlers run on the bus thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/handle.h"
#include "base/log/repeated_log.h"
#include "base/result.h"
#include "base/threads/published.h"
#include "core/bus/event_bus.h"
#include "core/registry/registry.h"
#include "core/services/pending_calls.h"
#include "core/services/pin_guard.h"
#include "core/services/provider.h"
#include "core/services/service_call.h"
#include "core/services/service_description.h"
#include "core/states/state_machine.h"

namespace hearth::core {

class ServiceRegistry;

// Removes the service when destroyed: on the bus thread, or while the bus does not run, the handler is not called
// afterwards.
using Registration = base::Handle;

class ServiceRegistry {
 public:
  using Done = PendingCalls::Done;

  ServiceRegistry(EventBus& bus, const StateMachine& states, const Registry& registry, const base::Clock& clock);

  // Any thread. Fires service_registered. `where` is named if the handler holds the bus too long. REQUIRES: no service
  // of that name, or one of another hub, whose place it takes.
  [[nodiscard]] Registration add(ServiceDescription description, ServiceHandler handler,
                                 const std::source_location& where = std::source_location::current());

  struct Service {
    ServiceDescription description;
    ServiceHandler handler;
    std::source_location where;
  };
  // By name, and by domain. A new service copies those of its domain only.
  using ServicesOfDomain = std::map<std::string, std::shared_ptr<const Service>, std::less<>>;
  using Services = std::map<std::string, std::shared_ptr<const ServicesOfDomain>, std::less<>>;
  std::shared_ptr<const Services> snapshot() const { return services_.load(); }
  std::shared_ptr<const Service> find(std::string_view domain, std::string_view service) const;
  // True if there is one of that name that is called in this hub.
  bool has_own(std::string_view domain, std::string_view service) const;
  // True if somebody with these rights knows of the service. To others it is absent.
  bool knows(const Rights& rights, const ServiceDescription& description) const;

  // Any thread. Checks the request (unknown service: not_found; bad data: invalid; a right missing: forbidden; bus
  // full, with IfFull::fail: unavailable), then fires call_service and runs the handler. `done` is called once: on this
  // thread before the return if the check fails, otherwise on the bus thread after the handler has answered and the
  // devices it commanded have reported, or after `wait`, or PendingCalls::kLongest after the start, while the handler
  // continues. If the hub ends first, it is destroyed uncalled.
  void call(ServiceRequest request, Done done);
  // Any thread. Whether somebody with these rights may call it at all, whatever its target. Fails with forbidden, but
  // not for a service that is absent.
  base::Result<void> may_call(std::string_view domain, std::string_view service, const Rights& rights) const;

  // Bus thread. Fails as PinGuard::check, if one of the entities demands a PIN that the rights do not present.
  base::Result<void> check_pins(std::string_view service, const std::vector<std::string>& entity_ids,
                                const Rights& rights);

  // Entities of these are called there.
  Providers& providers() { return providers_; }

  // Bus thread. As in PendingCalls.
  void expect_report(const Context& context, std::string_view entity_id) { calls_.expect_report(context, entity_id); }
  void reported(const Context& context, std::string_view entity_id) { calls_.reported(context, entity_id); }

 private:
  // A checked call that waits for the bus thread.
  struct CheckedCall;
  void begin(CheckedCall& call);
  void report_skipped(const ServiceRequest& request, std::span<const std::string> left_out);
  base::Result<void> check_pins(const ServiceDescription& description, const std::vector<std::string>& entity_ids,
                                const Rights& rights);
  // If `given` is there, providers that check the data of calls themselves get it in the place of the request's.
  void run(const Service& service, ServiceRequest request, std::optional<json::object> given, ResolvedTarget target,
           Done done);
  static void call_provider(const Providers::Share& share, const ServiceRequest& request, const ServiceReply& reply);
  ResolvedTarget resolve_for(const Service& service, const ServiceRequest& request, const ServiceTarget& target,
                             const RegistryData& registry) const;
  // Does the work; if it throws, logs and replies that the service failed.
  static void guarded(const ServiceRequest& request, const ServiceReply& reply, const std::function<void()>& work);
  void remove(const std::shared_ptr<const Service>& gone);
  // Of the entity that the service stands for.
  std::string entity_of(const ServiceDescription& description) const;
  std::shared_ptr<const Service> find_known(const Rights& rights, std::string_view domain,
                                            std::string_view service) const;
  // Publishes the services as change(services) modifies them, and fires the event, in one turn.
  template <class Change>
  void publish(std::string_view event_type, const ServiceDescription& description, Change&& change);

  EventBus& bus_;
  const StateMachine& states_;
  const Registry& registry_;
  const base::Clock& clock_;

  base::Published<Services> services_;     // written within the bus's turn
  PinGuard pins_;                          // bus thread
  base::RepeatedLog skipped_{"services"};  // bus thread
  PendingCalls calls_;
  Providers providers_;
};

}  // namespace hearth::core
