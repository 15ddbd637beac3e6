// SPDX-License-Identifier: Apache-2.0
// The bus as an integration uses it. What it lets run there is the integration's: what that throws is counted against
// it, and nothing of it runs after the integration has gone, whatever still waits.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/event_bus.h"
#include "domains/failures.h"

namespace hearth::domains {

class IntegrationBus {
 public:
  using Task = core::EventBus::Task;

  // Both must outlive it. Destroyed after its integration, on the bus thread or while the bus does not run.
  IntegrationBus(core::EventBus& bus, Failures& failures, std::string integration);
  IntegrationBus(const IntegrationBus&) = delete;
  IntegrationBus& operator=(const IntegrationBus&) = delete;

  // As the bus's. Any thread, for as long as the integration lives.
  void post(Task task);
  [[nodiscard]] core::Timer schedule(base::Duration delay, Task task);
  [[nodiscard]] core::Subscription listen(std::string_view type, std::function<void(const core::Event&)> callback,
                                          core::Pace pace = core::Pace::prompt);

 private:
  core::EventBus& bus_;
  Failures& failures_;
  const std::string integration_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // gone with this
};

}  // namespace hearth::domains
