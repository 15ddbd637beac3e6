// SPDX-License-Identifier: Apache-2.0
// The trigger `webhook`. Bus thread only.
#pragma once

#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class WebhookWatch final : public TriggerWatch {
 public:
  WebhookWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  void on_call(const core::WebhookCall& call) const;

  const Trigger& trigger_;
  const WebhookTrigger& kind_;
  Home& home_;
  const Fire fire_;
  base::Handle listening_;
};

}  // namespace hearth::automation
