// SPDX-License-Identifier: Apache-2.0
// For tests: a home whose clock and bus move only when the test says so. Text in, text out.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domains/integration.h"

namespace hearth::domains {

class TestHome {
 public:
  base::ManualClock clock;
  core::Hub hub{clock};
  Domains domains{hub};
  IntegrationBus bus{hub, domains.failures(), "test"};

  // For an integration.
  IntegrationHome place(const std::string& domain = "test") {
    return {.hub = hub,
            .domains = domains,
            .bus = bus,
            .connection = std::make_shared<const core::Connection>(
                core::Connection{.entry_id = core::fixed_entry_id(domain, ""), .domain = domain, .title = domain})};
  }

  // A running call, with its answer when there is one.
  struct Call {
    base::Id context_id;
    std::optional<base::Result<core::CallOutcome>> outcome;

    // "light.hall on, switch.pump off" in the answer's order; "invalid: …" if it failed; "waiting" until it answers.
    std::string text() const {
      if (!outcome) return "waiting";
      if (!*outcome)
        return (outcome->error().code == base::ErrorCode::invalid ? "invalid: " : "failed: ") +
               outcome->error().message;
      std::string text;
      for (const auto& state : (*outcome)->changed) {
        if (!text.empty()) text += ", ";
        text += std::string(state->entity_id()) + ' ' + std::string(state->value());
      }
      return text;
    }
  };

  // `service` such as light.turn_on, `data` as JSON. Runs what is due.
  std::shared_ptr<Call> begin(std::string_view service, std::string_view data, core::Rights rights = {}) {
    const auto dot = service.find('.');
    core::ServiceRequest request{.domain = std::string(service.substr(0, dot)),
                                 .service = std::string(service.substr(dot + 1)),
                                 .data = base::parse_json(data).value().as_object(),
                                 .context = core::Context::create(clock.now(), "user"),
                                 .rights = rights};
    const auto services = hub.services.snapshot();
    const auto known = services->find(request.domain);
    if (known != services->end() && known->second->contains(request.service)) {
      const auto response = known->second->find(request.service)->second->description.response;
      request.return_response = response == core::ResponseSupport::only;
    }
    auto call = std::make_shared<Call>(Call{request.context.id, {}});
    hub.services.call(std::move(request), [call](base::Result<core::CallOutcome> outcome) { call->outcome = outcome; });
    hub.bus.run_pending();
    return call;
  }
  std::string call(std::string_view service, std::string_view data) { return begin(service, data)->text(); }

  // In steps, so that timers restarted by timers run in turn.
  void advance(base::Duration time, base::Duration step = std::chrono::milliseconds(100)) {
    for (; time > base::Duration(0); time -= step) {
      clock.advance(std::min(time, step));
      hub.bus.run_pending();
    }
  }

  std::string value(std::string_view entity_id) const {
    const auto state = hub.states.find(entity_id);
    return state ? std::string(state->value()) : "";
  }
  // The attribute as JSON; empty if absent.
  std::string attribute(std::string_view entity_id, std::string_view key) const {
    const auto state = hub.states.find(entity_id);
    if (!state) return {};
    const json::object attributes = state->attributes();
    const json::value* found = attributes.if_contains(key);
    return found ? base::to_json(*found) : "";
  }

  template <class EntityType>
  EntityType& add(std::unique_ptr<EntityType> entity) {
    EntityType& added = *domains.entities().add(std::move(entity)).value();
    hub.bus.run_pending();
    return added;
  }
};

inline EntityInfo test_entity(std::string object_id) {
  return {.integration = "test", .unique_id = object_id, .object_id = object_id, .name = object_id};
}

}  // namespace hearth::domains
