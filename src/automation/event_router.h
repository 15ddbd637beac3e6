// SPDX-License-Identifier: Apache-2.0
// Hands each event to those who want its type, with one subscription of the bus for all of them: an event that nobody
// here wants costs nothing. Events of clients count, because people make automations for them. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/event_bus.h"

namespace hearth::automation {

class EventRouter final : private core::EventListener {
 public:
  using Callback = std::function<void(const core::Event& event)>;

  // Ends the listening when destroyed. Move-only.
  class Listening {
   public:
    Listening() = default;
    Listening(Listening&& other) noexcept
        : router_(std::exchange(other.router_, nullptr)), number_(other.number_), types_(std::move(other.types_)) {}
    Listening& operator=(Listening&& other) noexcept;
    ~Listening();

   private:
    friend class EventRouter;
    EventRouter* router_ = nullptr;
    std::uint64_t number_ = 0;
    std::vector<std::string> types_;
  };

  explicit EventRouter(core::EventBus& bus) : bus_(bus) {}
  EventRouter(const EventRouter&) = delete;
  EventRouter& operator=(const EventRouter&) = delete;

  // Callbacks of one event run in the order of listening; they may listen and end listening.
  [[nodiscard]] Listening listen(std::vector<std::string> types, Callback callback);

 private:
  using Callbacks = std::map<std::uint64_t, std::shared_ptr<const Callback>>;  // by number

  void on_event(const core::EventPtr& event) override;
  void end(const Listening& listening);
  void subscribe();

  core::EventBus& bus_;
  std::map<std::string, Callbacks, std::less<>> by_type_;
  std::uint64_t last_number_ = 0;
  core::Subscription subscription_;
};

}  // namespace hearth::automation
