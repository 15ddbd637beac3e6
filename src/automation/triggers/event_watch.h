// SPDX-License-Identifier: Apache-2.0
// The trigger `event`, and the triggers of devices that are events. Bus thread only.
#pragma once

#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class EventWatch final : public TriggerWatch {
 public:
  EventWatch(const Trigger& trigger, Home& home, Fire fire, std::optional<std::uint64_t> since);

 private:
  void on_event(const core::Event& event) const;

  const Trigger& trigger_;
  const EventTrigger& kind_;
  Home& home_;
  const Fire fire_;
  base::Handle listening_;
};

}  // namespace hearth::automation
