// SPDX-License-Identifier: Apache-2.0
#include "domains/integration_bus.h"

#include <utility>

namespace hearth::domains {

IntegrationBus::IntegrationBus(core::EventBus& bus, Failures& failures, std::string integration)
    : bus_(bus), failures_(failures), integration_(std::move(integration)) {}

void IntegrationBus::post(std::size_t weight, Task task, const std::source_location& where) {
  bus_.post(
      weight,
      [this, alive = std::weak_ptr(alive_), task = std::move(task)] {
        if (!alive.expired()) failures_.guard(integration_, "a task", task);
      },
      where);
}

core::Timer IntegrationBus::schedule(base::Duration delay, Task task, const std::source_location& where) {
  return bus_.schedule(
      delay,
      [this, alive = std::weak_ptr(alive_), task = std::move(task)] {
        if (!alive.expired()) failures_.guard(integration_, "a timer", task);
      },
      where);
}

core::Subscription IntegrationBus::listen(std::string_view type, std::function<void(const core::Event&)> callback,
                                          core::Pace pace, const std::source_location& where) {
  return bus_.listen(
      type,
      [this, alive = std::weak_ptr(alive_), callback = std::move(callback)](const core::Event& event) {
        if (!alive.expired()) failures_.guard(integration_, "a listener", [&] { callback(event); });
      },
      pace, where);
}

}  // namespace hearth::domains
