// SPDX-License-Identifier: Apache-2.0
// A registry whose events are kept, for tests of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "core/bus/event_bus.h"
#include "core/registry/registry.h"

namespace hearth::core {

using Log = std::vector<std::string>;

inline const EntityId kRegisteredLamp = *EntityId::parse("light.lamp");
inline const Context kUser{"C", {}, "user"};

inline RegisteredEntity entity(std::string integration, std::string unique_id) {
  RegisteredEntity made;
  made.unique_id = std::move(unique_id);
  made.integration = std::move(integration);
  return made;
}

// The code and message of an error; otherwise "taken".
template <class T>
std::string refusal(const base::Result<T>& result) {
  using base::ErrorCode;
  if (result) return "taken";
  const char* const code = result.error().code == ErrorCode::not_found  ? "not_found: "
                           : result.error().code == ErrorCode::conflict ? "conflict: "
                           : result.error().code == ErrorCode::invalid  ? "invalid: "
                                                                        : "another error: ";
  return code + result.error().message;
}

struct RegistryTestHome : testing::Test {
  // The type and data of events since the last call.
  Log events() {
    bus.run_pending();
    return std::exchange(log, {});
  }
  std::shared_ptr<const RegistryData> data() const { return registry.snapshot(); }
  void put_lamp() { registry.put_entity(kRegisteredLamp, entity("demo", "1")).value(); }

  base::ManualClock clock;
  EventBus bus{clock};
  Registry registry{bus, clock};
  Log log;
  Context last_context;
  Subscription all = bus.listen("*", [this](const Event& event) {
    log.push_back(event.type.substr(0, event.type.find('_')) + ' ' + std::get<std::string>(event.data));
    last_context = event.context;
  });
};

}  // namespace hearth::core
