// SPDX-License-Identifier: Apache-2.0
// Service calls in progress. A call ends when its handler has answered and the devices that it commanded have reported,
// or at its time limit; its answer lists the changes it made until then: under its context, or one that descends from
// it.
//
// Bus thread only, except construction and destruction, which need the bus stopped or not started.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/event_bus.h"
#include "core/services/service_call.h"

namespace hearth::core {

class PendingCalls final : private EventListener {
 public:
  using Done = std::function<void(base::Result<CallOutcome>)>;
  static constexpr base::Duration kLongest = std::chrono::seconds(60);

  // The bus must outlive this.
  explicit PendingCalls(EventBus& bus);
  ~PendingCalls() override;
  PendingCalls(const PendingCalls&) = delete;
  PendingCalls& operator=(const PendingCalls&) = delete;

  struct Begun {
    std::shared_ptr<const ServiceCall> call;
    ServiceReply reply;  // the handler's answer
  };
  // `done` is called once: when the handler has answered and all reports have come, or the request's `wait` has passed
  // since the answer, or `longest` since the start. If the hub ends first, it is destroyed uncalled.
  [[nodiscard]] Begun begin(ServiceRequest request, ResolvedTarget target, Done done,
                            base::Duration longest = kLongest);

  // The call with this context has commanded the entity and waits for its report.
  void expect_report(const Context& context, std::string_view entity_id);
  // The report has come, whether or not it changed anything.
  void reported(const Context& context, std::string_view entity_id);

 private:
  struct Call {
    std::shared_ptr<const ServiceCall> made;
    Done done;                    // empty after it was called
    std::set<base::Id> contexts;  // the call's own and those known to descend from it
    std::set<std::string, std::less<>> expected;
    std::vector<std::string> order;
    std::map<std::string, StatePtr, std::less<>> changed;
    bool answered = false;  // by the handler
    json::value response;
    Timer longest;  // runs from the start of the call
    Timer wait;     // runs from the handler's answer

    // True if the context is one of `contexts`, or a child of one, which is then added.
    bool follows(const Context& context);
  };
  using CallPtr = std::shared_ptr<Call>;

  void on_event(const EventPtr& event) override;
  void answered(const CallPtr& call, base::Result<json::value> response);
  void finish_when_reported(const CallPtr& call);
  void finish_after_events(const CallPtr& call);
  void finish(const CallPtr& call);

  EventBus& bus_;
  std::list<CallPtr> calls_;
  Subscription changes_;
};

}  // namespace hearth::core
