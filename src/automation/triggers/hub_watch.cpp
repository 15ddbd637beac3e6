// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/hub_watch.h"

namespace hearth::automation {

HubWatch::HubWatch(const Trigger& trigger, Home& home, Fire fire) {
  const bool start = std::get<HubTrigger>(trigger.kind).start;
  const auto type = start ? core::event_type::kPlatformStarted : core::event_type::kPlatformStop;
  subscription_ = home.hub.bus.listen(type, [&home, &trigger, start, fire = std::move(fire)](const core::Event& event) {
    fire({trigger_value(trigger, {{"event", start ? "start" : "shutdown"}}),
          start ? "start of the hub" : "shutdown of the hub", event.context},
         home.now());
  });
}

}  // namespace hearth::automation
