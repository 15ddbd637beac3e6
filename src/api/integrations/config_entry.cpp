// SPDX-License-Identifier: Apache-2.0
#include "api/integrations/config_entry.h"

#include "api/frontend/names.h"
#include "api/parts.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

std::string_view state_text(core::IntegrationStatus::State state) {
  using enum core::IntegrationStatus::State;
  switch (state) {
    case starting:
      return "setup_in_progress";
    case running:
      return "loaded";
    case failed:
      return "setup_retry";
    case stopped:
      return "not_loaded";
  }
  return "not_loaded";
}

}  // namespace

ConfigEntryIds::ConfigEntryIds(const core::View& home) {
  for (const core::IntegrationStatus& status : home.integrations()) names_.insert(status.name);
}

json::value ConfigEntryIds::of(std::string_view integration) const {
  return names_.contains(integration) ? json::value(integration) : json::value();
}

json::object config_entry(const core::IntegrationStatus& status, std::string_view title) {
  const double since = std::chrono::duration<double>(status.since.time_since_epoch()).count();
  return {{"created_at", since},
          {"modified_at", since},
          {"entry_id", status.name},
          {"domain", status.name},
          {"title", title},
          {"source", "import"},  // configuration.yaml
          {"state", state_text(status.state)},
          {"supports_options", false},
          {"supports_remove_device", false},
          {"supports_unload", false},
          {"supports_reconfigure", false},
          {"supported_subentry_types", json::object()},
          {"pref_disable_new_entities", false},
          {"pref_disable_polling", false},
          {"disabled_by", nullptr},
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
