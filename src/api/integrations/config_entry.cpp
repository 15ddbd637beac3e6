// SPDX-License-Identifier: Apache-2.0
#include "api/integrations/config_entry.h"

#include "api/frontend/names.h"
#include "api/parts.h"
#include "base/text/timestamp.h"

namespace hearth::api {
ConfigEntryIds::ConfigEntryIds(const core::View& home) {
  for (const core::IntegrationStatus& status : home.integrations()) {
    const core::Connection& connection = *status.connection;
    ids_.insert(connection.entry_id);
    if (connection.unique_id.empty()) only_ones_.emplace(connection.domain, connection.entry_id);
  }
}

json::value ConfigEntryIds::of(std::string_view integration, std::string_view entry_id) const {
  if (!entry_id.empty()) return ids_.contains(entry_id) ? json::value(entry_id) : json::value();
  const auto found = only_ones_.find(integration);
  return found == only_ones_.end() ? json::value() : json::value(found->second);
}

json::object config_entry(const core::IntegrationStatus& status, std::string_view title) {
  const core::Connection& connection = *status.connection;
  const auto seconds = [](base::Timestamp time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
  };
  return {{"created_at", seconds(connection.created_at)},
          {"modified_at", seconds(connection.modified_at)},
          {"entry_id", connection.entry_id},
          {"domain", connection.domain},
          {"title", connection.title == connection.domain ? title : std::string_view(connection.title)},
          {"source", core::to_string(connection.source)},
          {"state", core::entry_state(status.state)},
          {"supports_options", false},
          {"supports_remove_device", false},
          {"supports_unload", true},
          {"supports_reconfigure", connection.changes_by_flow},
          {"supported_subentry_types", json::object()},
          {"pref_disable_new_entities", false},
          {"pref_disable_polling", false},
          {"disabled_by", connection.disabled ? json::value("user") : json::value()},
          {"reason", status.error.empty() ? json::value() : json::value(status.error)},
          {"error_reason_translation_key", nullptr},
          {"error_reason_translation_placeholders", nullptr},
          {"num_subentries", 0}};
}

json::object manifest(const Parts& parts, const core::HubConfig& config, std::string_view name, bool is_domain) {
  return {{"domain", name},
          {"name", parts.names ? parts.names->domain_name("en", name) : std::string(name)},
          {"version", config.version},
          {"integration_type", is_domain ? "entity" : "hub"},
          {"iot_class", is_domain ? json::value() : json::value("local_push")},
          {"is_built_in", true},
          {"config_flow", false},
          {"documentation", ""},
          {"codeowners", json::array()},
          {"dependencies", json::array()},
          {"requirements", json::array()}};
}

}  // namespace hearth::api
