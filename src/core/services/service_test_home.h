// SPDX-License-Identifier: Apache-2.0
// A home for tests of services: no devices and one service, test.run, whose handler each test provides.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "core/services/service_registry.h"

namespace hearth::core {

struct ServiceTestHome {
  ServiceTestHome() {
    description.domain = "test";
    description.service = "run";
    for (const char* id : {"light.a", "light.b", "switch.c"}) set(id, "off", Context::create(clock.now()));
    bus.run_pending();
  }

  void add(ServiceHandler handler) { registration = services.add(description, std::move(handler)); }
  void set(std::string_view id, std::string_view value, const Context& context) {
    states.set(*EntityId::parse(id), {value, "{}", context}).value();
  }
  ServiceRequest request(std::string_view data = R"({"entity_id":"light.a"})") {
    ServiceRequest made;
    made.domain = "test";
    made.service = "run";
    made.data = base::parse_json(data).value().as_object();
    made.context = Context::create(clock.now(), "someone");
    return made;
  }
  ServiceRegistry::Done note_result() {
    return [this](base::Result<CallOutcome> result) { results.push_back(std::move(result)); };
  }
  // Calls, and runs the bus until nothing is left.
  void call(ServiceRequest made) {
    services.call(std::move(made), note_result());
    bus.run_pending();
  }
  void advance(base::Duration step) {
    clock.advance(step);
    bus.run_pending();
  }
  // The first call's answer: `id=value` of each changed state, or the error.
  std::string answer() const {
    if (results.empty()) return "none yet";
    if (!results.front()) return "error: " + results.front().error().message;
    std::string text;
    for (const auto& state : results.front()->changed) {
      text += std::string(state->entity_id()) + "=" + std::string(state->value()) + " ";
    }
    return text;
  }
  // Throws if the first call has not failed.
  base::ErrorCode error() const {
    if (results.at(0)) throw std::logic_error("the call has not failed");
    return results[0].error().code;
  }

  base::ManualClock clock;
  EventBus bus{clock};
  StateMachine states{bus};
  Registry registry{bus, clock};
  ServiceRegistry services{bus, states, registry, clock};
  ServiceDescription description;
  Registration registration;
  std::vector<base::Result<CallOutcome>> results;
};

inline ServiceHandler answers(json::value response = nullptr) {
  return [response](const ServiceCall&, const ServiceReply& reply) { reply(response); };
}

}  // namespace hearth::core
