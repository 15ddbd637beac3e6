// SPDX-License-Identifier: Apache-2.0
#include "core/hub.h"

namespace hearth::core {

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::not_running:
      return "NOT_RUNNING";
    case RunState::starting:
      return "STARTING";
    case RunState::running:
      return "RUNNING";
    case RunState::stopping:
      return "STOPPING";
    case RunState::final_write:
      return "FINAL_WRITE";
  }
  return "NOT_RUNNING";
}

void update_config(Hub& hub, HubConfig config, const Context& context, std::string changes_json) {
  hub.config.publish(std::make_shared<const HubConfig>(std::move(config)));
  hub.bus.fire(event_type::kCoreConfigUpdated, std::move(changes_json), Origin::local, context);
}

}  // namespace hearth::core
