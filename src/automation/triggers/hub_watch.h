// SPDX-License-Identifier: Apache-2.0
// The trigger `homeassistant`: the start and the end of the hub. Bus thread only.
#pragma once

#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class HubWatch final : public TriggerWatch {
 public:
  HubWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  core::Subscription subscription_;
};

}  // namespace hearth::automation
