// SPDX-License-Identifier: Apache-2.0
// Passes each event to the listeners for its type. The bus has one subscription for each type that is watched here, so
// an event that nobody wants costs nothing, and the other types are undisturbed when a type begins or ceases to be
// watched. Events that clients fire count, because people make automations for them. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/handle.h"
#include "core/bus/event_bus.h"

namespace hearth::automation {

class EventRouter final : private core::EventListener {
 public:
  using Callback = std::function<void(const core::Event& event)>;

  explicit EventRouter(core::EventBus& bus) : bus_(bus) {}
  EventRouter(const EventRouter&) = delete;
  EventRouter& operator=(const EventRouter&) = delete;

  // Delivers the events after number `since`; by default those that are fired from now on. Callbacks of one event run
  // in the order of listening; they may listen and end listening.
  base::Handle listen(std::vector<std::string> types, Callback callback, std::optional<std::uint64_t> since = {});

 private:
  struct Listener {
    Callback callback;
    std::uint64_t since;
  };
  struct Watched {
    core::Subscription subscription;
    std::map<std::uint64_t, std::shared_ptr<const Listener>> listeners = {};  // by number
  };

  void on_event(const core::EventPtr& event) override;
  void end(const std::vector<std::string>& types, std::uint64_t number);

  core::EventBus& bus_;
  std::map<std::string, Watched, std::less<>> by_type_;
  std::uint64_t last_number_ = 0;
};

}  // namespace hearth::automation
