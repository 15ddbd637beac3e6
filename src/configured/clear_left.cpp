// SPDX-License-Identifier: Apache-2.0
#include "configured/clear_left.h"

namespace hearth::configured {

void clear_left(core::Hub& hub, bool complete, const IsLeft& is_left) {
  const auto registry = hub.registry.snapshot();
  const auto context = core::Context::create(hub.clock.now());
  for (const auto& [id, registered] : registry->entities) {
    if (!is_left(id, registered)) continue;
    const core::StatePtr state = hub.states.find(id);
    if (!state) continue;
    if (complete)
      static_cast<void>(hub.states.remove(id, context));
    else
      static_cast<void>(
          hub.states.set(core::EntityId::parse(id).value(), {core::kUnavailable, state->attributes_json(), context}));
  }
}

}  // namespace hearth::configured
