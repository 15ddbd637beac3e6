// SPDX-License-Identifier: Apache-2.0
// A stated expectation for each endpoint and each command: recorded, or why not.
#include "api/gateway/audited.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "api/routes.h"

namespace hearth::api {
namespace {

using Names = std::set<std::string_view>;

// Whatever ends so is recorded, as are these.
constexpr std::string_view kRecordedEndings[] = {"/create", "/update", "/delete", "/reorder", "/remove", "/save"};
const Names kRecordedCommands{"auth/delete_all_refresh_tokens",
                              "auth/delete_refresh_token",
                              "auth/login_attempts/clear",
                              "auth/long_lived_access_token",
                              "auth/setup_mfa",
                              "auth/depose_mfa",
                              "auth/recovery_codes",
                              "auth/update_current_user",
                              "automation/suggestions/dismiss",
                              "blueprint/import",
                              "config_entries/disable",
                              "config_entries/ignore_flow",
                              "config/auth/reset_mfa",
                              "config/auth_provider/homeassistant/admin_change_password",
                              "config/auth_provider/homeassistant/change_password",
                              "config/auth/view_as",
                              "config/revisions/restore",
                              "energy/save_prefs",
                              "execute_script",
                              "frontend/set_system_data",
                              "hearth/import/cancel",
                              "hearth/import/done",
                              "hearth/import/restart",
                              "hearth/import/start",
                              "recorder/adjust_sum_statistics",
                              "recorder/clear_statistics",
                              "recorder/import_statistics",
                              "recorder/update_statistics_metadata",
                              "repairs/ignore_issue"};
// Administrators read with them, try something, or watch a run.
const Names kReadByAdministrators{"audit/list",
                                  "auth/login_attempts/list",
                                  "automation/config",
                                  "automation/explain",
                                  "automation/missed",
                                  "automation/simulate",
                                  "automation/suggestions",
                                  "backup/agents/info",
                                  "backup/info",
                                  "blueprint/get",
                                  "blueprint/list",
                                  "blueprint/substitute",
                                  "config/auth/invitations/list",
                                  "config/auth/list",
                                  "config/revisions/deleted",
                                  "config/revisions/list",
                                  "config_entries/flow/progress",
                                  "config_entries/flow/subscribe",
                                  "device_automation/trigger/list",
                                  "fire_event",
                                  "hearth/doctor",
                                  "hearth/import/look",
                                  "hearth/import/report",
                                  "hearth/integrations/list",
                                  "hearth/integrations/parts",
                                  "hearth/last_restore",
                                  "hearth/mqtt",
                                  "mqtt/config",
                                  "mqtt/device/debug_info",
                                  "mqtt/subscribe",
                                  "mqtt/test_connection",
                                  "script/config",
                                  "subscribe_trigger",
                                  "system_health/info",
                                  "system_log/list",
                                  "test_condition",
                                  "trace/contexts",
                                  "trace/debug/breakpoint/clear",
                                  "trace/debug/breakpoint/list",
                                  "trace/debug/breakpoint/set",
                                  "trace/debug/breakpoint/subscribe",
                                  "trace/debug/continue",
                                  "trace/debug/step",
                                  "trace/debug/stop",
                                  "trace/get",
                                  "trace/list"};
// Everybody reads with them, commands devices, or keeps what is their own; of calls of services those for
// administrators are recorded.
const Names kOfEverybody{"alerts/snooze",
                         "alerts/subscribe",
                         "alerts/unsnooze",
                         "auth/current_user",
                         "auth/login_attempts/own",
                         "auth/passkeys/options",
                         "auth/second_factor",
                         "auth/refresh_tokens",
                         "auth/sign_path",
                         "calendar/event/create",
                         "calendar/event/delete",
                         "calendar/event/update",
                         "call_service",
                         "hearth/notifications/browser/add",
                         "hearth/notifications/browser/remove",
                         "hearth/notifications/choice",
                         "hearth/notifications/choose",
                         "hearth/notifications/push_key",
                         "hearth/notifications/test",
                         "mobile_app/push_notification_channel",
                         "mobile_app/push_notification_confirm",
                         "config/entity_registry/get",
                         "config/entity_registry/get_entries",
                         "config/entity_registry/list_for_display",
                         "config_entries/get",
                         "config_entries/get_single",
                         "config_entries/subscribe",
                         "conversation/process",
                         "energy/get_prefs",
                         "energy/fossil_energy_consumption",
                         "energy/info",
                         "energy/solar_forecast",
                         "energy/validate",
                         "entity/source",
                         "extract_from_target",
                         "frontend/get_icons",
                         "frontend/get_system_data",
                         "frontend/get_themes",
                         "frontend/get_translations",
                         "frontend/get_user_data",
                         "frontend/set_user_data",
                         "frontend/subscribe_system_data",
                         "frontend/subscribe_user_data",
                         "get_conditions_for_target",
                         "get_config",
                         "get_panels",
                         "get_services",
                         "get_services_for_target",
                         "get_states",
                         "get_triggers_for_target",
                         "hearth/derived_kinds",
                         "hearth/kinds",
                         "hearth/sites",
                         "hearth/energy",
                         "history/history_during_period",
                         "history/stream",
                         "integration/descriptions",
                         "labs/subscribe",
                         "logbook/event_stream",
                         "logbook/get_events",
                         "logger/log_info",
                         "lovelace/config",
                         "lovelace/info",
                         "lovelace/resources",
                         "manifest/get",
                         "persistent_notification/get",
                         "persistent_notification/subscribe",
                         "ping",
                         "recorder/get_statistics_metadata",
                         "recorder/info",
                         "recorder/list_statistic_ids",
                         "recorder/statistic_during_period",
                         "recorder/statistics_during_period",
                         "recorder/validate_statistics",
                         "render_template",
                         "repairs/list_issues",
                         "search/related",
                         "sensor/device_class_convertible_units",
                         "sensor/numeric_device_classes",
                         "subscribe_entities",
                         "subscribe_events",
                         "supported_features",
                         "todo/item/move",
                         "todo/item/subscribe",
                         "unsubscribe_events",
                         "validate_config",
                         "calendar/event/subscribe",
                         "camera/capabilities",
                         "camera/get_prefs",
                         "camera/stream",
                         "camera/web_rtc_offer",
                         "camera/webrtc/candidate",
                         "camera/webrtc/get_client_config",
                         "camera/webrtc/offer",
                         "media_player/browse_media",
                         "media_player/search_media",
                         "media_source/browse_media",
                         "media_source/resolve_media",
                         "update/release_notes",
                         "weather/subscribe_forecast"};

const Names kRecordedEndpoints{"POST /api/backups",
                               "GET /api/backups/{name}",
                               "DELETE /api/backups/{name}",
                               "POST /api/config/config_entries/flow",
                               "POST /api/config/config_entries/flow/{flow_id}",
                               "DELETE /api/config/config_entries/flow/{flow_id}",
                               "DELETE /api/config/config_entries/entry/{entry_id}",
                               "POST /api/config/config_entries/entry/{entry_id}/reload",
                               "POST /api/home_assistant/take_names/{instance}",
                               "POST /api/home_assistant/automations/{instance}",
                               "POST /api/onboarding/backup",
                               "POST /api/onboarding/restore",
                               "POST /api/imports",
                               "DELETE /api/imports/{name}",
                               "POST /api/onboarding/import",
                               "POST /api/mobile_app/registrations",
                               "POST /api/onboarding/import/start",
                               "POST /api/onboarding/import/cancel",
                               "POST /api/config/automation/config/{id}",
                               "DELETE /api/config/automation/config/{id}",
                               "POST /api/config/script/config/{id}",
                               "DELETE /api/config/script/config/{id}",
                               "POST /api/config/scene/config/{id}",
                               "DELETE /api/config/scene/config/{id}"};
const Names kOtherEndpoints{// Recorded where it happens: logins, sessions, the first user.
                            "POST /auth/login_flow", "POST /auth/login_flow/{flow_id}",
                            "DELETE /auth/login_flow/{flow_id}", "POST /auth/authorize", "POST /auth/token",
                            "POST /auth/revoke", "POST /api/onboarding/users", "POST /auth/invitation/accept",
                            // The history has these; of calls of services those for administrators are recorded.
                            "POST /api/states/{entity_id}", "DELETE /api/states/{entity_id}",
                            "POST /api/events/{event_type}", "POST /api/services/{domain}/{service}",
                            "POST /api/webhook/{webhook_id}", "PUT /api/webhook/{webhook_id}",
                            // They change nothing.
                            "POST /auth/invitation", "POST /api/template", "POST /api/config/core/check_config",
                            "POST /api/home_assistant/test/{instance}", "POST /api/onboarding/import/look",
                            "POST /api/onboarding/import/state"};

TEST(Audited, HasAStatedExpectationForEachCommand) {
  for (const auto& [type, command] : commands_by_type()) {
    const bool recorded = audited(*command) == Audited::yes;
    if (kReadByAdministrators.contains(type) || kOfEverybody.contains(type)) {
      EXPECT_FALSE(recorded) << type;
    } else if (type.ends_with("/list") && command->access != Access::admin) {
      EXPECT_FALSE(recorded) << type;
    } else {
      EXPECT_TRUE(kRecordedCommands.contains(type) ||
                  std::ranges::any_of(kRecordedEndings, [&](std::string_view end) { return type.ends_with(end); }))
          << type << ": state here if it is recorded, and if not, why";
      EXPECT_TRUE(recorded) << type;
    }
  }
  EXPECT_EQ(audited(*find_command("call_service")), Audited::if_for_administrators);
}

TEST(Audited, HasAStatedExpectationForEachEndpoint) {
  for (const Endpoint& endpoint : endpoints()) {
    const std::string name =
        fmt::format("{} {}", std::string_view(boost::beast::http::to_string(endpoint.method)), endpoint.path);
    const bool recorded = audited(endpoint) == Audited::yes;
    if (endpoint.method == http::Verb::get && !kRecordedEndpoints.contains(name)) {
      EXPECT_FALSE(recorded) << name;
    } else if (kOtherEndpoints.contains(name)) {
      EXPECT_FALSE(recorded) << name;
    } else {
      EXPECT_TRUE(kRecordedEndpoints.contains(name)) << name << ": state here if it is recorded, and if not, why";
      EXPECT_TRUE(recorded) << name;
    }
  }
}

TEST(Audited, NamesOnlyWhatIsThere) {
  for (const Names* names : {&kRecordedCommands, &kReadByAdministrators, &kOfEverybody}) {
    for (const std::string_view type : *names) EXPECT_TRUE(find_command(type)) << type;
  }
}

}  // namespace
}  // namespace hearth::api
