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
namespace template_commands {
void render(const CommandCall& call, CommandReply reply);  // fails with template_error
}
namespace event_commands {
CommandResult subscribe(const CommandCall& call);    // fails with unauthorized
CommandResult unsubscribe(const CommandCall& call);  // fails with not_found; ends subscriptions of every kind
CommandResult fire(const CommandCall& call);
}  // namespace event_commands
namespace service_commands {
void converse(const CommandCall& call, CommandReply reply);
CommandResult get(const CommandCall& call);
void call_service(const CommandCall& call, CommandReply reply);  // fails with not_found, unauthorized …
CommandResult extract_from_target(const CommandCall& call);
CommandResult for_target(const CommandCall& call);
CommandResult triggers_for_target(const CommandCall& call);
CommandResult conditions_for_target(const CommandCall& call);
}  // namespace service_commands
namespace config_commands {
CommandResult get(const CommandCall& call);
void update(const CommandCall& call, CommandReply reply);  // fails with invalid_info
}  // namespace config_commands
namespace lovelace_commands {
CommandResult panels(const CommandCall& call);
CommandResult info(const CommandCall& call);
CommandResult config(const CommandCall& call);         // fails with config_not_found
CommandResult save_config(const CommandCall& call);    // fails with config_not_found
CommandResult delete_config(const CommandCall& call);  // fails with config_not_found
CommandResult list_dashboards(const CommandCall& call);
CommandResult create_dashboard(const CommandCall& call);
CommandResult update_dashboard(const CommandCall& call);
CommandResult delete_dashboard(const CommandCall& call);
CommandResult list_resources(const CommandCall& call);
CommandResult create_resource(const CommandCall& call);
CommandResult update_resource(const CommandCall& call);
CommandResult delete_resource(const CommandCall& call);
}  // namespace lovelace_commands
namespace site_commands {
CommandResult list(const CommandCall& call);
void remove(const CommandCall& call, CommandReply reply);
}  // namespace site_commands
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
}  // namespace user_commands
namespace login_attempt_commands {
void list(const CommandCall& call, CommandReply reply);
void clear(const CommandCall& call, CommandReply reply);  // fails with not_found
void own(const CommandCall& call, CommandReply reply);
}  // namespace login_attempt_commands
namespace user_data_commands {
void get(const CommandCall& call, CommandReply reply);
void set(const CommandCall& call, CommandReply reply);
void subscribe(const CommandCall& call, CommandReply reply);
}  // namespace user_data_commands
namespace backup_commands {
void last_restore(const CommandCall& call, CommandReply reply);
}
namespace frontend_commands {
CommandResult translations(const CommandCall& call);
CommandResult icons(const CommandCall& call);
CommandResult themes(const CommandCall& call);
CommandResult system_data(const CommandCall& call);
CommandResult set_system_data(const CommandCall& call);
void subscribe_system_data(const CommandCall& call, CommandReply reply);
}  // namespace frontend_commands
namespace system_commands {
void health(const CommandCall& call, CommandReply reply);
CommandResult list_log(const CommandCall& call);
void backups(const CommandCall& call, CommandReply reply);
CommandResult backup_agents(const CommandCall& call);
}  // namespace system_commands
namespace config_entry_commands {
CommandResult get(const CommandCall& call);
CommandResult get_single(const CommandCall& call);  // fails with not_found
void subscribe(const CommandCall& call, CommandReply reply);
CommandResult flows(const CommandCall& call);
void subscribe_flows(const CommandCall& call, CommandReply reply);
}  // namespace config_entry_commands
namespace integration_commands {
CommandResult manifests(const CommandCall& call);
CommandResult one_manifest(const CommandCall& call);  // fails with not_found
CommandResult descriptions(const CommandCall& call);
CommandResult log_levels(const CommandCall& call);
}  // namespace integration_commands
namespace mqtt_commands {
void device_debug_info(const CommandCall& call, CommandReply reply);
void device_triggers(const CommandCall& call, CommandReply reply);
void subscribe(const CommandCall& call, CommandReply reply);
void status(const CommandCall& call, CommandReply reply);
void config(const CommandCall& call, CommandReply reply);
void save_config(const CommandCall& call, CommandReply reply);    // fails with invalid_info
void delete_config(const CommandCall& call, CommandReply reply);  // fails with invalid_info, not_found
void test_connection(const CommandCall& call, CommandReply reply);
}  // namespace mqtt_commands
namespace energy_commands {
CommandResult preferences(const CommandCall& call);  // fails with not_found
CommandResult save_preferences(const CommandCall& call);
CommandResult info(const CommandCall& call);
}  // namespace energy_commands
namespace absent_commands {
CommandResult pipelines(const CommandCall& call);
CommandResult agents(const CommandCall& call);
CommandResult exposed_entities(const CommandCall& call);  // to assistants
CommandResult trial_features(const CommandCall& call);
void subscribe_trial_feature(const CommandCall& call, CommandReply reply);
}  // namespace absent_commands
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
CommandResult reorder(const CommandCall& call);
}  // namespace floor_registry_commands
namespace collection_commands {
CommandResult list(const CommandCall& call);
CommandResult create(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
CommandResult list_persons(const CommandCall& call);  // those that people made, and those of files
}  // namespace collection_commands
// Sensors that are made of other entities; all fail with not_found if the hub makes none.
namespace derived_commands {
CommandResult kinds(const CommandCall& call);
CommandResult list(const CommandCall& call);  // those whose entities may be read
CommandResult create(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
}  // namespace derived_commands
namespace todo_commands {  // all fail with not_found
CommandResult list(const CommandCall& call);
void subscribe(const CommandCall& call, CommandReply reply);
void move(const CommandCall& call, CommandReply reply);
}  // namespace todo_commands
namespace label_registry_commands {
CommandResult list(const CommandCall& call);
CommandResult create(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
}  // namespace label_registry_commands
namespace category_registry_commands {
CommandResult list(const CommandCall& call);
CommandResult create(const CommandCall& call);
CommandResult update(const CommandCall& call);
CommandResult remove(const CommandCall& call);
}  // namespace category_registry_commands
namespace search_commands {
CommandResult related(const CommandCall& call);
}
namespace repairs_commands {
CommandResult list(const CommandCall& call);
CommandResult ignore(const CommandCall& call);  // fails with not_found
}  // namespace repairs_commands
namespace notification_commands {
CommandResult get(const CommandCall& call);
void subscribe(const CommandCall& call, CommandReply reply);
}  // namespace notification_commands
namespace device_registry_commands {
CommandResult list(const CommandCall& call);
CommandResult update(const CommandCall& call);
}  // namespace device_registry_commands
namespace entity_registry_commands {
void list(const CommandCall& call, CommandReply reply);
CommandResult list_for_display(const CommandCall& call);
CommandResult get(const CommandCall& call);
CommandResult get_entries(const CommandCall& call);
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
void event_stream(const CommandCall& call, CommandReply reply);
}  // namespace logbook_commands
namespace trace_commands {
void contexts(const CommandCall& call, CommandReply reply);
void list(const CommandCall& call, CommandReply reply);
void get(const CommandCall& call, CommandReply reply);  // fails with not_found
void set_breakpoint(const CommandCall& call, CommandReply reply);
void clear_breakpoint(const CommandCall& call, CommandReply reply);
void breakpoints(const CommandCall& call, CommandReply reply);
void subscribe_breakpoints(const CommandCall& call, CommandReply reply);
void go_on(const CommandCall& call, CommandReply reply);  // these fail with not_found
void step(const CommandCall& call, CommandReply reply);
void end(const CommandCall& call, CommandReply reply);
}  // namespace trace_commands
namespace revision_commands {
void list(const CommandCall& call, CommandReply reply);     // fails with not_found
void deleted(const CommandCall& call, CommandReply reply);  // likewise
void restore(const CommandCall& call, CommandReply reply);  // and with what is wrong with the former text
}  // namespace revision_commands
namespace suggestion_commands {
void find(const CommandCall& call, CommandReply reply);
CommandResult dismiss(const CommandCall& call);
}  // namespace suggestion_commands
namespace blueprint_commands {
void list(const CommandCall& call, CommandReply reply);
void get(const CommandCall& call, CommandReply reply);          // fails with not_found
void import_text(const CommandCall& call, CommandReply reply);  // fails with invalid_format, unknown_error
void save(const CommandCall& call, CommandReply reply);
void remove(const CommandCall& call, CommandReply reply);      // fails with not_found
void substitute(const CommandCall& call, CommandReply reply);  // fails with not_found
}  // namespace blueprint_commands
namespace automation_commands {
void automation_config(const CommandCall& call, CommandReply reply);  // fails with not_found
void script_config(const CommandCall& call, CommandReply reply);      // fails with not_found
void missed(const CommandCall& call, CommandReply reply);
void validate(const CommandCall& call, CommandReply reply);
void test_condition(const CommandCall& call, CommandReply reply);
void execute(const CommandCall& call, CommandReply reply);
void subscribe_trigger(const CommandCall& call, CommandReply reply);
void simulate(const CommandCall& call, CommandReply reply);
}  // namespace automation_commands
namespace sensor_commands {
CommandResult numeric_device_classes(const CommandCall& call);
CommandResult convertible_units(const CommandCall& call);
}  // namespace sensor_commands
namespace recorder_commands {
CommandResult info(const CommandCall& call);
void statistics_during_period(const CommandCall& call, CommandReply reply);
void statistic_during_period(const CommandCall& call, CommandReply reply);
void list_statistic_ids(const CommandCall& call, CommandReply reply);
void statistics_metadata(const CommandCall& call, CommandReply reply);
void validate_statistics(const CommandCall& call, CommandReply reply);
void update_statistics_metadata(const CommandCall& call, CommandReply reply);  // fails with not_found
void import_statistics(const CommandCall& call, CommandReply reply);
void clear_statistics(const CommandCall& call, CommandReply reply);       // fails with not_found
void adjust_sum_statistics(const CommandCall& call, CommandReply reply);  // fails with not_found
// Not a command of its own.
void change_imported_unit(const CommandCall& call, const std::string& statistic_id, std::optional<std::string> unit,
                          CommandReply reply);
}  // namespace recorder_commands

}  // namespace hearth::api
