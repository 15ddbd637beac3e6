// SPDX-License-Identifier: Apache-2.0
// The table of WebSocket commands, and their handlers: each namespace is a source of the same name.
#pragma once

#include <span>

#include "api/gateway/command.h"

namespace hearth::api {

std::span<const Command> commands();
// Null where there is none of that type.
const Command* find_command(std::string_view type);

namespace session_commands {
std::string ping(const CommandCall& call);
CommandResult supported_features(const CommandCall& call);
}  // namespace session_commands
namespace state_commands {
void get(const CommandCall& call, CommandReply reply);
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
void update(const CommandCall& call, CommandReply reply);  // fails with invalid_info
CommandResult panels(const CommandCall& call);
}  // namespace config_commands
namespace kind_commands {
CommandResult list(const CommandCall& call);
}
namespace auth_commands {
CommandResult current_user(const CommandCall& call);
void update_current_user(const CommandCall& call, CommandReply reply);
CommandResult sign_path(const CommandCall& call);
void create_token(const CommandCall& call, CommandReply reply);
void list_tokens(const CommandCall& call, CommandReply reply);
void delete_token(const CommandCall& call, CommandReply reply);  // fails with invalid_token_id
void delete_all_tokens(const CommandCall& call, CommandReply reply);
void change_password(const CommandCall& call, CommandReply reply);  // fails with invalid_current_password
}  // namespace auth_commands
namespace user_commands {
void list(const CommandCall& call, CommandReply reply);
void create(const CommandCall& call, CommandReply reply);
void update(const CommandCall& call, CommandReply reply);
void remove(const CommandCall& call, CommandReply reply);  // fails with no_self_delete
void set_login(const CommandCall& call, CommandReply reply);
void set_password(const CommandCall& call, CommandReply reply);
CommandResult list_login_attempts(const CommandCall& call);
CommandResult clear_login_attempts(const CommandCall& call);  // fails with not_found
}  // namespace user_commands
namespace user_data_commands {
void get(const CommandCall& call, CommandReply reply);
void set(const CommandCall& call, CommandReply reply);
void subscribe(const CommandCall& call, CommandReply reply);
}  // namespace user_data_commands
namespace system_commands {
void health(const CommandCall& call, CommandReply reply);
CommandResult list_log(const CommandCall& call);
}  // namespace system_commands
// All of the registry's fail with not_found, and with invalid_info where it refuses a value.
namespace area_registry_commands {
CommandResult list(const CommandCall& call);
CommandResult create(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
CommandResult reorder(const CommandCall& call);
}  // namespace area_registry_commands
namespace floor_registry_commands {
CommandResult list(const CommandCall& call);
CommandResult create(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
}  // namespace floor_registry_commands
namespace collection_commands {
CommandResult list(const CommandCall& call);
CommandResult create(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
}  // namespace collection_commands
namespace label_registry_commands {
CommandResult list(const CommandCall& call);
}
namespace device_registry_commands {
CommandResult list(const CommandCall& call);
CommandResult update(const CommandCall& call);
}  // namespace device_registry_commands
namespace entity_registry_commands {
CommandResult list(const CommandCall& call);
CommandResult list_for_display(const CommandCall& call);
CommandResult get(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
CommandResult source(const CommandCall& call);
}  // namespace entity_registry_commands

namespace history_commands {
void during_period(const CommandCall& call, CommandReply reply);
void stream(const CommandCall& call, CommandReply reply);
}  // namespace history_commands
namespace logbook_commands {
void get_events(const CommandCall& call, CommandReply reply);
}
namespace recorder_commands {
CommandResult info(const CommandCall& call);
void statistics_during_period(const CommandCall& call, CommandReply reply);
}  // namespace recorder_commands

}  // namespace hearth::api
