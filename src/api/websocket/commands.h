// SPDX-License-Identifier: Apache-2.0
// The table of WebSocket commands, and their handlers: each namespace is a source of the same name.
#pragma once

#include <span>

#include "api/websocket/command.h"

namespace hearth::api {

std::span<const Command> commands();
// Null where there is none of that type.
const Command* find_command(std::string_view type);

namespace session_commands {
std::string ping(const CommandCall& call);
CommandResult supported_features(const CommandCall& call);
}  // namespace session_commands
namespace state_commands {
CommandResult get(const CommandCall& call);
void subscribe_entities(const CommandCall& call, CommandReply reply);
}  // namespace state_commands
namespace event_commands {
CommandResult subscribe(const CommandCall& call);    // fails with unauthorized
CommandResult unsubscribe(const CommandCall& call);  // fails with not_found; ends subscriptions of every kind
CommandResult fire(const CommandCall& call);
}  // namespace event_commands
namespace service_commands {
CommandResult get(const CommandCall& call);
void call_service(const CommandCall& call, CommandReply reply);  // fails with not_found, unauthorized …
}  // namespace service_commands
namespace config_commands {
CommandResult get(const CommandCall& call);
CommandResult panels(const CommandCall& call);
}  // namespace config_commands

}  // namespace hearth::api
