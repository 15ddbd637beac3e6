// SPDX-License-Identifier: Apache-2.0
#include "api/commands.h"

#include <map>

namespace hearth::api {
namespace {

constexpr Command kCommands[] = {
    {"ping", Access::user, session_commands::ping, Durable::no},
    {"supported_features", Access::user, session_commands::supported_features, Durable::no},
    {"get_states", Access::user, state_commands::get, Durable::no},
    {"subscribe_entities", Access::user, state_commands::subscribe_entities, Durable::no},
    {"subscribe_events", Access::user, event_commands::subscribe, Durable::no},
    {"unsubscribe_events", Access::user, event_commands::unsubscribe, Durable::no},
    {"fire_event", Access::admin, event_commands::fire, Durable::no},
    {"get_services", Access::user, service_commands::get, Durable::no},
    {"call_service", Access::call, service_commands::call_service, Durable::registry},
    {"hearth/kinds", Access::user, kind_commands::list, Durable::no},
    {"get_config", Access::user, config_commands::get, Durable::no},
    {"config/core/update", Access::admin, config_commands::update, Durable::no},
    {"get_panels", Access::user, config_commands::panels, Durable::no},
    {"auth/current_user", Access::user, auth_commands::current_user, Durable::no},
    {"auth/update_current_user", Access::user, auth_commands::update_current_user, Durable::no},
    {"auth/sign_path", Access::user, auth_commands::sign_path, Durable::no},
    {"auth/long_lived_access_token", Access::user, auth_commands::create_token, Durable::no},
    {"auth/refresh_tokens", Access::user, auth_commands::list_tokens, Durable::no},
    {"auth/delete_refresh_token", Access::user, auth_commands::delete_token, Durable::no},
    {"auth/delete_all_refresh_tokens", Access::user, auth_commands::delete_all_tokens, Durable::no},
    {"auth/login_attempts/list", Access::admin, user_commands::list_login_attempts, Durable::no},
    {"auth/login_attempts/clear", Access::admin, user_commands::clear_login_attempts, Durable::no},
    {"config/auth/list", Access::admin, user_commands::list, Durable::no},
    {"config/auth/create", Access::admin, user_commands::create, Durable::no},
    {"config/auth/update", Access::admin, user_commands::update, Durable::no},
    {"config/auth/delete", Access::admin, user_commands::remove, Durable::no},
    {"config/auth_provider/homeassistant/create", Access::admin, user_commands::set_login, Durable::no},
    {"config/auth_provider/homeassistant/admin_change_password", Access::admin, user_commands::set_password,
     Durable::no},
    {"config/auth_provider/homeassistant/change_password", Access::user, auth_commands::change_password, Durable::no},
    {"frontend/get_user_data", Access::user, user_data_commands::get, Durable::no},
    {"frontend/set_user_data", Access::user, user_data_commands::set, Durable::no},
    {"frontend/subscribe_user_data", Access::user, user_data_commands::subscribe, Durable::no},
    {"system_health/info", Access::admin, system_commands::health, Durable::no},
    {"system_log/list", Access::admin, system_commands::list_log, Durable::no},
    {"config/area_registry/list", Access::user, area_registry_commands::list, Durable::no},
    {"config/area_registry/create", Access::admin, area_registry_commands::create, Durable::registry},
    {"config/area_registry/update", Access::admin, area_registry_commands::update, Durable::registry},
    {"config/area_registry/delete", Access::admin, area_registry_commands::remove, Durable::registry},
    {"config/area_registry/reorder", Access::admin, area_registry_commands::reorder, Durable::registry},
    {"config/floor_registry/list", Access::user, floor_registry_commands::list, Durable::no},
    {"config/floor_registry/create", Access::admin, floor_registry_commands::create, Durable::registry},
    {"config/floor_registry/update", Access::admin, floor_registry_commands::update, Durable::registry},
    {"config/floor_registry/delete", Access::admin, floor_registry_commands::remove, Durable::registry},
    {"zone/list", Access::user, collection_commands::list, Durable::no},
    {"zone/create", Access::admin, collection_commands::create, Durable::registry},
    {"zone/update", Access::admin, collection_commands::update, Durable::registry},
    {"zone/delete", Access::admin, collection_commands::remove, Durable::registry},
    {"config/label_registry/list", Access::user, label_registry_commands::list, Durable::no},
    {"config/device_registry/list", Access::user, device_registry_commands::list, Durable::no},
    {"config/device_registry/update", Access::admin, device_registry_commands::update, Durable::registry},
    {"config/entity_registry/list", Access::user, entity_registry_commands::list, Durable::no},
    {"config/entity_registry/list_for_display", Access::user, entity_registry_commands::list_for_display, Durable::no},
    {"config/entity_registry/get", Access::user, entity_registry_commands::get, Durable::no},
    {"config/entity_registry/update", Access::admin, entity_registry_commands::update, Durable::registry},
    {"config/entity_registry/remove", Access::admin, entity_registry_commands::remove, Durable::registry},
    {"entity/source", Access::user, entity_registry_commands::source, Durable::no},
    {"history/history_during_period", Access::user, history_commands::during_period, Durable::no},
    {"history/stream", Access::user, history_commands::stream, Durable::no},
    {"logbook/get_events", Access::user, logbook_commands::get_events, Durable::no},
    {"recorder/info", Access::user, recorder_commands::info, Durable::no},
    {"recorder/statistics_during_period", Access::user, recorder_commands::statistics_during_period, Durable::no},
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
