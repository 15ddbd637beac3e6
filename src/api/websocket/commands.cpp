// SPDX-License-Identifier: Apache-2.0
#include "api/websocket/commands.h"

#include <map>

namespace hearth::api {
namespace {

constexpr Command kCommands[] = {
    {"ping", Access::user, session_commands::ping},
    {"supported_features", Access::user, session_commands::supported_features},
    {"get_states", Access::user, state_commands::get},
    {"subscribe_entities", Access::user, state_commands::subscribe_entities},
    {"subscribe_events", Access::user, event_commands::subscribe},
    {"unsubscribe_events", Access::user, event_commands::unsubscribe},
    {"fire_event", Access::admin, event_commands::fire},
    {"get_services", Access::user, service_commands::get},
    {"call_service", Access::control, service_commands::call_service},
    {"get_config", Access::user, config_commands::get},
    {"get_panels", Access::user, config_commands::panels},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view type) {
  static const auto by_type = [] {
    std::map<std::string_view, const Command*> map;
    for (const Command& command : kCommands) map.emplace(command.type, &command);
    return map;
  }();
  const auto found = by_type.find(type);
  return found == by_type.end() ? nullptr : found->second;
}

}  // namespace hearth::api
