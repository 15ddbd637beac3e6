// SPDX-License-Identifier: Apache-2.0
// The states as of an event that is being delivered, while later writes already wait in the bus: made from the former
// states that these events carry. Bus thread only.
#pragma once

#include <cstdint>
#include <deque>

#include "core/hub.h"
#include "template/values/past_states.h"

namespace hearth::automation {

class StatesAtEvent final : private core::EventListener {
 public:
  explicit StatesAtEvent(core::Hub& hub) : hub_(hub) {}

  // With the changes up to this event and none after it. Null if that is the present, or if the bus does not remember
  // all later events. Valid until the next call; numbers of the calls must not decrease.
  const templates::PastStates* at(std::uint64_t event);

 private:
  void on_event(const core::EventPtr&) override {}
  // Takes the changes after that event. False if the bus has forgotten some.
  bool load(std::uint64_t after);
  void forget();

  core::Hub& hub_;
  std::deque<core::EventPtr> later_;  // state changes that are not delivered yet, in order
  std::uint64_t newest_ = 0;          // event up to which the changes are known
  templates::PastStates past_;
};

}  // namespace hearth::automation
