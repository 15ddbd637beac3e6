// SPDX-License-Identifier: Apache-2.0
// The services of the hub and the calls under way. Services are listed and called from any thread; handlers run on the
// bus thread.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "base/published.h"
#include "base/result.h"
#include "core/event_bus.h"
#include "core/registry.h"
#include "core/rights.h"
#include "core/service_description.h"
#include "core/state_machine.h"

namespace hearth::core {

struct ServiceRequest {
  std::string domain;  // both lower-cased
  std::string service;
  json::object data;
  Context context;
  Rights rights = {};
  bool return_response = false;
  base::Duration wait = std::chrono::seconds(2);  // at most, for the devices that were commanded to report
  IfFull if_full = IfFull::wait;
};

struct CallOutcome {
  std::vector<StatePtr> changed;  // one per entity, its last state, in order of first change
  json::value response;           // null unless asked for
};

// A call as its handler sees it. Bus thread only.
class ServiceCall {
 public:
  ServiceCall(ServiceRequest request, std::vector<std::string> entity_ids)
      : request_(std::move(request)), entity_ids_(std::move(entity_ids)) {}

  const json::object& data() const { return request_.data; }                  // validated
  const std::vector<std::string>& entity_ids() const { return entity_ids_; }  // resolved
  const Context& context() const { return request_.context; }
  const ServiceRequest& request() const { return request_; }

 private:
  ServiceRequest request_;
  std::vector<std::string> entity_ids_;
};

// How a handler answers: once, from the bus thread, at once or later. Destroyed unanswered it counts as a failure of
// the hub.
using ServiceReply = std::function<void(base::Result<json::value> response)>;
// `call` lives until the reply. An error with code invalid says that the data was at fault (400), else the hub was
// (500).
using ServiceHandler = std::function<void(const ServiceCall& call, ServiceReply reply)>;

class ServiceRegistry;

// Takes the service away when destroyed: destroyed on the bus thread, or while the bus does not run, the handler is not
// called afterwards. Move-only.
class Registration {
 public:
  Registration() = default;
  Registration(Registration&& other) noexcept { *this = std::move(other); }
  Registration& operator=(Registration&& other) noexcept;
  ~Registration();

 private:
  friend class ServiceRegistry;
  ServiceRegistry* services_ = nullptr;
  std::string domain_, service_;
};

class ServiceRegistry final : private EventListener {
 public:
  using Done = std::function<void(base::Result<CallOutcome>)>;
  static constexpr base::Duration kLongestAnswer = std::chrono::seconds(60);

  ServiceRegistry(EventBus& bus, const StateMachine& states, const Registry& registry, const base::Clock& clock);
  ~ServiceRegistry() override;

  // Any thread. Fires service_registered. `where` is who holds the bus while the handler runs. REQUIRES: no service of
  // that name.
  [[nodiscard]] Registration add(ServiceDescription description, ServiceHandler handler,
                                 const std::source_location& where = std::source_location::current());

  struct Service {
    ServiceDescription description;
    ServiceHandler handler;
    std::source_location where;
  };
  using Services =
      std::map<std::string, std::map<std::string, std::shared_ptr<const Service>, std::less<>>, std::less<>>;
  std::shared_ptr<const Services> snapshot() const { return services_.load(); }
  std::shared_ptr<const Service> find(std::string_view domain, std::string_view service) const;

  // Any thread. Checks the request (unknown service: not_found; bad data: invalid; a right missing: forbidden; the bus
  // full, with IfFull::fail: unavailable), then fires call_service and runs the handler. `done` is called once: on this
  // thread before the return if the check fails, otherwise on the bus thread when the handler has answered and the
  // devices it commanded have reported, or `wait` has passed since, or kLongestAnswer since the call began; the handler
  // goes on then. If the hub ends first it is destroyed uncalled.
  void call(ServiceRequest request, Done done);

  // Bus thread. For a handler's side: the call with this context has commanded the entity and waits for its report …
  void expect_report(const Context& context, std::string_view entity_id);
  // … and here it is, whether or not it changed anything.
  void reported(const Context& context, std::string_view entity_id);

 private:
  friend class Registration;

  struct PendingCall {
    std::unique_ptr<ServiceCall> call;
    Done done;                    // empty once called
    std::set<base::Id> contexts;  // the call's own and those known to descend from it
    std::set<std::string, std::less<>> expected;
    std::vector<std::string> order;
    std::map<std::string, StatePtr, std::less<>> changed;
    bool answered = false;  // by the handler
    json::value response;
    Timer longest;  // runs from the start of the call
    Timer wait;     // runs from the handler's answer

    // Whether the context is one of `contexts`, or a child of one and so from now on one itself.
    bool follows(const Context& context);
  };
  using Pending = std::shared_ptr<PendingCall>;

  void on_event(const EventPtr& event) override;
  // A call that was found good and waits for the bus thread.
  struct CheckedCall;
  void begin(CheckedCall& call);
  void begin(std::shared_ptr<const Service> service, ServiceRequest request, std::vector<std::string> entity_ids,
             Done done);
  void answered(const Pending& pending, base::Result<json::value> response);
  void finish_when_reported(const Pending& pending);
  void finish_behind_events(const Pending& pending);
  void finish(const Pending& pending);
  void remove(const std::string& domain, const std::string& service);
  // Publishes what change(services) makes of the services and fires the event, in one turn.
  template <class Change>
  void publish(std::string_view event_type, std::string_view domain, std::string_view service, Change&& change);

  EventBus& bus_;
  const StateMachine& states_;
  const Registry& registry_;
  const base::Clock& clock_;

  base::Published<Services> services_;  // written within the bus's turn
  std::list<Pending> pending_;          // bus thread only
  Subscription changes_;
};

}  // namespace hearth::core
