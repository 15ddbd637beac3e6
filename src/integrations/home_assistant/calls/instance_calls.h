// SPDX-License-Identifier: Apache-2.0
// All that goes to one hub there and comes from it, beside the states: calls, services, events, delegated triggers. Bus
// thread only.
#pragma once

#include <string_view>
#include <utility>

#include "integrations/home_assistant/calls/call_sender.h"
#include "integrations/home_assistant/calls/calls_home.h"
#include "integrations/home_assistant/calls/delegation.h"
#include "integrations/home_assistant/calls/event_exchange.h"
#include "integrations/home_assistant/calls/instance_provider.h"
#include "integrations/home_assistant/calls/mirrored_services.h"

namespace hearth::integrations::home_assistant {

class InstanceCalls {
 public:
  // As the service home_assistant.call has it; ids of both hubs are understood.
  struct Direct {
    std::string domain, service;
    json::object target = {}, data = {};
    core::Context context;
    bool return_response = false;
  };

  // It is the core::Provider of the mirrored entities from now on.
  InstanceCalls(CallsHome home, MirroredServices& services);

  // The news of the session, in their order. Answers and messages go to the Requests.
  void take(const Opened& opened);
  void take(const Services& services);
  void take(const Picture& picture);
  void take(const Running& running);
  void take(const OtherEvent& event);
  void lost();

  // Fails as InstanceProvider. Answers with the response, if asked.
  void call(Direct direct, core::ServiceReply reply);
  std::string_view name() const { return home_.options.name; }
  std::size_t services() const { return services_.offered(); }

 private:
  void call_service(const core::ServiceCall& call, core::ServiceReply reply);

  const CallsHome home_;
  CallSender sender_;
  Delegation delegation_;
  InstanceProvider provider_;
  EventExchange events_;
  MirroredServices::Instance services_;
};

}  // namespace hearth::integrations::home_assistant
