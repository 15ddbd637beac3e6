// SPDX-License-Identifier: Apache-2.0
// Runs that triggers have requested. They begin in a task of the bus, so that none begins within a trigger's callback,
// in one order: by event, then by time, then by automation in the order of the files, then by trigger. Bus thread only.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "automation/values/local_times.h"
#include "core/bus/event_bus.h"

namespace hearth::automation {

class RunQueue {
 public:
  struct Place {
    std::uint64_t event;         // its number
    std::optional<DueTime> due;  // of a time; absent for an event, which comes first
    std::size_t item, trigger;
    std::size_t number = 0;  // of the firings of one trigger
    auto operator<=>(const Place&) const = default;
  };
  // The caller must outlive it, or `begin` must know.
  using Begin = std::function<void()>;

  explicit RunQueue(core::EventBus& bus) : bus_(bus), alive_(std::make_shared<RunQueue*>(this)) {}
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  void add(Place place, Begin begin);

 private:
  struct Waiting {
    Place place;
    Begin begin;
  };
  void run();

  core::EventBus& bus_;
  std::vector<Waiting> waiting_;
  std::size_t last_number_ = 0;
  const std::shared_ptr<RunQueue*> alive_;  // for the task of the bus
};

}  // namespace hearth::automation
