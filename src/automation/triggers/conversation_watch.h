// SPDX-License-Identifier: Apache-2.0
// The trigger `conversation`: sentences that people say. Bus thread only.
#pragma once

#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class ConversationWatch final : public TriggerWatch {
 public:
  ConversationWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  base::Handle listening_;
};

}  // namespace hearth::automation
