// SPDX-License-Identifier: Apache-2.0
// The bus as an integration uses it: exceptions of its tasks are counted as the integration's, and no task runs after
// the integration is destroyed, even if it still waits.
#pragma once

#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "core/hub.h"
#include "domains/entities/failures.h"

namespace hearth::domains {

class IntegrationBus {
 public:
  using Task = core::EventBus::Task;

  // Both must outlive this. Destroyed after its integration, on the bus thread or while the bus does not run.
  IntegrationBus(core::Hub& hub, Failures& failures, std::string integration);
  IntegrationBus(const IntegrationBus&) = delete;
  IntegrationBus& operator=(const IntegrationBus&) = delete;

  // As the bus's. Any thread, as long as the integration lives.
  void post(Task task, const std::source_location& where = std::source_location::current()) {
    post(core::EventBus::kSmallTask, std::move(task), where);
  }
  void post(std::size_t weight, Task task, const std::source_location& where = std::source_location::current());
  // Ignores the bus's bound: for a thread that must not wait for the bus, because the bus waits for its end. REQUIRES:
  // few such tasks wait at a time.
  void post_past_bound(Task task, const std::source_location& where = std::source_location::current());
  // A function for queues of other threads, which must not wait and may outlive the integration: posts a task of so
  // many bytes, which does not run after the integration's end. False if the bus is full. Any thread, as long as the
  // hub lives.
  std::function<bool(std::size_t weight, Task task)> poster() const;
  [[nodiscard]] core::Timer schedule(base::Duration delay, Task task,
                                     const std::source_location& where = std::source_location::current());
  [[nodiscard]] core::Timer schedule_at(base::Timestamp time, Task task,
                                        const std::source_location& where = std::source_location::current());
  [[nodiscard]] core::Subscription listen(std::string_view type, std::function<void(const core::Event&)> callback,
                                          core::Pace pace = core::Pace::prompt,
                                          const std::source_location& where = std::source_location::current());
  // As above, of several types, also of events that clients have fired.
  struct Heard {
    std::unique_ptr<core::EventListener> listener;  // outlives the subscription
    core::Subscription subscription = {};
  };
  [[nodiscard]] Heard hear(core::EventFilter filter, std::function<void(const core::EventPtr&)> callback,
                           const std::source_location& where = std::source_location::current());
  // As in EntityListeners.
  [[nodiscard]] core::EntityListeners::Listening listen(
      std::vector<std::string> entity_ids, core::EntityListeners::Callback callback,
      const std::source_location& where = std::source_location::current());

 private:
  Task guarded(Task task) const;

  core::EventBus& bus_;
  core::EntityListeners& entities_;
  Failures& failures_;
  const std::string integration_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
};

}  // namespace hearth::domains
