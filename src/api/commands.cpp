// SPDX-License-Identifier: Apache-2.0
#include "api/commands.h"

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
    {"hearth/kinds", Access::user, kind_commands::list},
    {"get_config", Access::user, config_commands::get},
    {"config/core/update", Access::admin, config_commands::update},
    {"get_panels", Access::user, config_commands::panels},
    {"auth/current_user", Access::user, auth_commands::current_user},
    {"auth/update_current_user", Access::user, auth_commands::update_current_user},
    {"auth/sign_path", Access::user, auth_commands::sign_path},
    {"auth/long_lived_access_token", Access::user, auth_commands::create_token},
    {"auth/refresh_tokens", Access::user, auth_commands::list_tokens},
    {"auth/delete_refresh_token", Access::user, auth_commands::delete_token},
    {"auth/delete_all_refresh_tokens", Access::user, auth_commands::delete_all_tokens},
    {"auth/login_attempts/list", Access::admin, user_commands::list_login_attempts},
    {"auth/login_attempts/clear", Access::admin, user_commands::clear_login_attempts},
    {"config/auth/list", Access::admin, user_commands::list},
    {"config/auth/create", Access::admin, user_commands::create},
    {"config/auth/update", Access::admin, user_commands::update},
    {"config/auth/delete", Access::admin, user_commands::remove},
    {"config/auth_provider/homeassistant/create", Access::admin, user_commands::set_login},
    {"config/auth_provider/homeassistant/admin_change_password", Access::admin, user_commands::set_password},
    {"config/auth_provider/homeassistant/change_password", Access::user, auth_commands::change_password},
    {"frontend/get_user_data", Access::user, user_data_commands::get},
    {"frontend/set_user_data", Access::user, user_data_commands::set},
    {"frontend/subscribe_user_data", Access::user, user_data_commands::subscribe},
    {"system_health/info", Access::admin, system_commands::health},
    {"system_log/list", Access::admin, system_commands::list_log},
    {"config/area_registry/list", Access::user, area_registry_commands::list},
    {"config/area_registry/create", Access::admin, area_registry_commands::create},
    {"config/area_registry/update", Access::admin, area_registry_commands::update},
    {"config/area_registry/delete", Access::admin, area_registry_commands::remove},
    {"config/area_registry/reorder", Access::admin, area_registry_commands::reorder},
    {"config/floor_registry/list", Access::user, floor_registry_commands::list},
    {"config/floor_registry/create", Access::admin, floor_registry_commands::create},
    {"config/floor_registry/update", Access::admin, floor_registry_commands::update},
    {"config/floor_registry/delete", Access::admin, floor_registry_commands::remove},
    {"config/label_registry/list", Access::user, label_registry_commands::list},
    {"config/device_registry/list", Access::user, device_registry_commands::list},
    {"config/device_registry/update", Access::admin, device_registry_commands::update},
    {"config/entity_registry/list", Access::user, entity_registry_commands::list},
    {"config/entity_registry/list_for_display", Access::user, entity_registry_commands::list_for_display},
    {"config/entity_registry/get", Access::user, entity_registry_commands::get},
    {"config/entity_registry/update", Access::admin, entity_registry_commands::update},
    {"config/entity_registry/remove", Access::admin, entity_registry_commands::remove},
    {"entity/source", Access::user, entity_registry_commands::source},
    {"history/history_during_period", Access::user, history_commands::during_period},
    {"history/stream", Access::user, history_commands::stream},
    {"logbook/get_events", Access::user, logbook_commands::get_events},
    {"recorder/info", Access::user, recorder_commands::info},
    {"recorder/statistics_during_period", Access::user, recorder_commands::statistics_during_period},
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
