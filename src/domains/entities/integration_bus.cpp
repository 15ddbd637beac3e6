// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/integration_bus.h"

#include <utility>

namespace hearth::domains {

IntegrationBus::IntegrationBus(core::Hub& hub, Failures& failures, std::string integration)
    : bus_(hub.bus), entities_(hub.entity_listeners), failures_(failures), integration_(std::move(integration)) {}

IntegrationBus::Task IntegrationBus::guarded(Task task) const {
  return [this, alive = std::weak_ptr(alive_), task = std::move(task)] {
    if (!alive.expired()) failures_.guard(integration_, "a task", task);
  };
}

void IntegrationBus::post(std::size_t weight, Task task, const std::source_location& where) {
  bus_.post(weight, guarded(std::move(task)), where);
}

void IntegrationBus::post_past_bound(Task task, const std::source_location& where) {
  static_cast<void>(bus_.post(core::IfFull::pass, core::EventBus::kSmallTask, guarded(std::move(task)), where));
}

std::function<bool(std::size_t, IntegrationBus::Task)> IntegrationBus::poster() const {
  return [this, &bus = bus_, alive = std::weak_ptr(alive_)](std::size_t weight, Task task) {
    Task own = [this, alive, task = std::move(task)] {
      if (!alive.expired()) failures_.guard(integration_, "a task", task);
    };
    return bus.post(core::IfFull::fail, weight, std::move(own)).has_value();
  };
}

core::Timer IntegrationBus::schedule(base::Duration delay, Task task, const std::source_location& where) {
  return bus_.schedule(
      delay,
      [this, alive = std::weak_ptr(alive_), task = std::move(task)] {
        if (!alive.expired()) failures_.guard(integration_, "a timer", task);
      },
      where);
}

core::Timer IntegrationBus::schedule_at(base::Timestamp time, Task task, const std::source_location& where) {
  return bus_.schedule_at(
      time,
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

IntegrationBus::Heard IntegrationBus::hear(core::EventFilter filter,
                                           std::function<void(const core::EventPtr&)> callback,
                                           const std::source_location& where) {
  class Listener final : public core::EventListener {
   public:
    explicit Listener(std::function<void(const core::EventPtr&)> used) : callback_(std::move(used)) {}
    void on_event(const core::EventPtr& event) override { callback_(event); }

   private:
    const std::function<void(const core::EventPtr&)> callback_;
  };
  Heard heard{std::make_unique<Listener>(
      [this, alive = std::weak_ptr(alive_), callback = std::move(callback)](const core::EventPtr& event) {
        if (!alive.expired()) failures_.guard(integration_, "a listener", [&] { callback(event); });
      })};
  heard.subscription = bus_.listen(std::move(filter), *heard.listener, core::Pace::prompt, where);
  return heard;
}

core::EntityListeners::Listening IntegrationBus::listen(std::vector<std::string> entity_ids,
                                                        core::EntityListeners::Callback callback,
                                                        const std::source_location& where) {
  return entities_.listen(
      std::move(entity_ids),
      [this, alive = std::weak_ptr(alive_), callback = std::move(callback)](const core::StateChange& change,
                                                                            const core::Event& event) {
        if (!alive.expired()) failures_.guard(integration_, "a listener", [&] { callback(change, event); });
      },
      where);
}

}  // namespace hearth::domains
