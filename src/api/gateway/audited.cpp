// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/audited.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/automations/automation_files.h"
#include "api/lovelace/dashboard.h"
#include "api/parts.h"
#include "api/system/configuration_task.h"
#include "audit/kinds.h"
#include "base/digest.h"
#include "core/registry/collection.h"
#include "core/services/service_registry.h"

namespace hearth::api {
namespace {

// Commands for administrators, and about the own account, that change nothing but what they answer, or what a run that
// is watched does next.
constexpr std::string_view kReading[] = {
    "audit/list",
    "auth/login_attempts/list",
    "auth/login_attempts/own",
    "auth/refresh_tokens",
    "auth/second_factor",
    "auth/passkeys/list",
    "auth/passkeys/options",
    "config/auth/list",
    "config/auth/invitations/list",
    "config/revisions/list",
    "config/revisions/deleted",
    "automation/simulate",
    "automation/config",
    "automation/explain",
    "automation/missed",
    "automation/suggestions",
    "script/config",
    "test_condition",
    "subscribe_trigger",
    "trace/contexts",
    "trace/list",
    "trace/get",
    "trace/debug/breakpoint/set",
    "trace/debug/breakpoint/clear",
    "trace/debug/breakpoint/list",
    "trace/debug/breakpoint/subscribe",
    "trace/debug/continue",
    "trace/debug/step",
    "trace/debug/stop",
    "blueprint/list",
    "blueprint/get",
    "blueprint/substitute",
    "config_entries/flow/progress",
    "config_entries/flow/subscribe",
    "hearth/integrations/list",
    "hearth/integrations/parts",
    "mqtt/config",
    "mqtt/test_connection",
    "mqtt/device/debug_info",
    "mqtt/subscribe",
    "device_automation/trigger/list",
    "hearth/mqtt",
    "hearth/doctor",
    "hearth/import/look",
    "hearth/import/report",
    "hearth/last_restore",
    "backup/info",
    "backup/agents/info",
    "system_health/info",
    "system_log/list",
};

// Endpoints likewise, that are not GET.
constexpr std::string_view kAnswering[] = {"/api/config/core/check_config", "/api/home_assistant/test/{instance}"};
// Without a token, and recorded all the same: they make a home of a backup.
constexpr std::string_view kOpen[] = {"/api/onboarding/backup", "/api/onboarding/restore", "/api/onboarding/import",
                                      "/api/onboarding/import/start", "/api/onboarding/import/cancel"};
// With a token, not for administrators alone, and recorded: who brings what may act for them.
constexpr std::string_view kJoining[] = {"/api/mobile_app/registrations"};
// GET of something that leaves the home.
constexpr std::string_view kTaken[] = {"/api/backups/{name}"};

// Their bodies may have PINs and passwords, which a hash would not hide.
constexpr std::string_view kSecretPath = "/api/config/config_entries/flow";

// Keys that name what a command is about, the first that is there. None of them ever has a secret.
constexpr std::string_view kSubjects[] = {
    "entity_id",     "entry_id",   "flow_id",      "device_id",  "area_id",     "floor_id",      "label_id",
    "category_id",   "user_id",    "dashboard_id", "url_path",   "issue_id",    "path",          "resource_id",
    "statistic_id",  "item_id",    "domain",       "key",        "client_name", "mfa_module_id", "refresh_token_id",
    "invitation_id", "token_type", "username",     "passkey_id", "name",        "site",          "unique_id",
    "source"};

// Their messages may have passwords and other short secrets, which a hash would not hide.
constexpr std::string_view kSecretPrefixes[] = {"auth/", "config/auth", "mqtt/", "webauthn/", "hearth/import/"};

template <class List>
bool has(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != std::end(list);
}

std::string_view text_of(const json::object& message, std::string_view key) {
  const json::value* const value = message.if_contains(key);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

// `zone/update` is about what its key `zone_id` names.
std::string_view subject_of(std::string_view type, const json::object& message) {
  const std::string own_key = fmt::format("{}_id", type.substr(0, type.find('/')));
  if (const std::string_view own = text_of(message, own_key); !own.empty()) return own;
  for (const std::string_view key : kSubjects) {
    if (const std::string_view found = text_of(message, key); !found.empty()) return found;
  }
  return {};
}

// The item that the command changes, as it is; empty if there is none, or it is no item of a collection.
std::string hash_before(std::string_view type, const json::object& message, const core::View& home) {
  std::string collection(type.substr(0, type.find('/')));
  std::string_view id = subject_of(type, message);
  if (type.starts_with("lovelace/config/")) {
    if (id.empty()) id = kDefaultDashboard;
  } else if (type.starts_with("lovelace/dashboards/")) {
    collection = core::kDashboards;
  } else if (type.starts_with("lovelace/resources/")) {
    collection = core::kPageResources;
  }
  if (id.empty()) return {};
  const auto registry = home.registry();
  const core::Item* const item = registry.find_item(collection, id);
  return item ? base::sha256_hex(base::to_json(item->fields)) : std::string();
}

std::string hash_after(const json::object& message) {
  json::object given = message;
  given.erase("id");
  given.erase("type");
  return given.empty() ? std::string() : base::sha256_hex(base::to_json(given));
}

// The service's name if only administrators may call it.
std::optional<std::string> administrators_service(std::string_view domain, std::string_view service,
                                                  const core::View& home) {
  if (!home.rights().administer()) return {};
  const auto services = home.services();
  const auto of_domain = services->find(domain);
  if (of_domain == services->end()) return {};
  const auto found = of_domain->second->find(service);
  if (found == of_domain->second->end() || !found->second->description.administrator) return {};
  return fmt::format("{}.{}", domain, service);
}

}  // namespace

Audited audited(const Endpoint& endpoint) {
  if (endpoint.method == http::Verb::get) return has(kTaken, endpoint.path) ? Audited::yes : Audited::no;
  if (endpoint.access == Access::call) return Audited::if_for_administrators;
  if (has(kOpen, endpoint.path) || has(kJoining, endpoint.path)) return Audited::yes;
  const bool changes = endpoint.access == Access::admin && !has(kAnswering, endpoint.path);
  return changes ? Audited::yes : Audited::no;
}

Audited audited(const Command& command) {
  if (command.type == "call_service") return Audited::if_for_administrators;
  const bool may_change = command.access == Access::admin || command.access == Access::account;
  return may_change && !has(kReading, command.type) ? Audited::yes : Audited::no;
}

void with_item_before(const Parts& parts, const http::Target& target, audit::Entry entry,
                      std::function<void(audit::Entry)> then) {
  const bool is_item = target.size() == 5 && target.segment(1) == "config" && target.segment(3) == "config";
  if (!is_item || !parts.automation_files) return then(std::move(entry));
  const auto read = [files = parts.automation_files, domain = std::string(target.segment(2)),
                     id = std::string(target.segment(4)), entry, then]() mutable {
    if (const auto found = files->read(domain, id))
      entry.before = base::sha256_hex(found->text ? *found->text : base::to_json(found->content));
    then(std::move(entry));
  };
  if (!post_to_configuration(parts, read)) then(std::move(entry));
}

void name_caller(audit::Entry& entry, const auth::Identity& caller) {
  entry.user_id = caller.user->id.str();
  entry.user = caller.user->name;
  const bool is_session = caller.type == auth::TokenType::normal;
  entry.client = fmt::format("{} {}", is_session ? "session" : "token", caller.token_id);
}

std::optional<audit::Entry> audit_entry(Audited audited, const Endpoint& endpoint, const http::Request& request,
                                        const auth::Identity* caller, const core::View& home) {
  if (audited == Audited::no) return {};
  audit::Entry entry{
      .what = fmt::format("{} {}", std::string_view(boost::beast::http::to_string(endpoint.method)), endpoint.path)};
  if (audited == Audited::if_for_administrators) {
    auto service = administrators_service(request.target.segment(2), request.target.segment(3), home);
    if (!service) return {};
    entry.what = audit::kind::kService;
    entry.subject = std::move(*service);
  } else if (endpoint.path.ends_with('}')) {
    entry.subject = request.target.segment(request.target.size() - 1);
    if (!request.body.empty() && !request.sink && !endpoint.path.starts_with(kSecretPath))
      entry.after = base::sha256_hex(request.body);
  }
  entry.address = request.client.to_string();
  if (caller) name_caller(entry, *caller);
  return entry;
}

std::optional<audit::Entry> audit_entry(Audited audited, const Command& command, const json::object& message,
                                        const auth::Identity& caller, const boost::asio::ip::address& from,
                                        const core::View& home) {
  if (audited == Audited::no) return {};
  audit::Entry entry{.what = std::string(command.type)};
  if (audited == Audited::if_for_administrators) {
    auto service = administrators_service(text_of(message, "domain"), text_of(message, "service"), home);
    if (!service) return {};
    entry.what = audit::kind::kService;
    entry.subject = std::move(*service);
  } else {
    entry.subject = subject_of(command.type, message);
    const bool secret =
        std::ranges::any_of(kSecretPrefixes, [&](std::string_view prefix) { return command.type.starts_with(prefix); });
    if (!secret) {
      entry.before = hash_before(command.type, message, home);
      entry.after = hash_after(message);
    }
  }
  entry.address = from.to_string();
  name_caller(entry, caller);
  return entry;
}

audit::Entry denied_entry(const auth::Identity& caller, std::string_view subject) {
  audit::Entry entry{.what = std::string(audit::kind::kDenied), .subject = std::string(subject)};
  name_caller(entry, caller);
  return entry;
}

}  // namespace hearth::api
