// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"
#include "api/system/configuration.h"

namespace hearth::api {
namespace {

json::object unit_system(core::UnitSystem system) {
  if (system == core::UnitSystem::us_customary) {
    return {{"length", "mi"},    {"accumulated_precipitation", "in"},
            {"area", "ft²"},     {"mass", "lb"},
            {"pressure", "psi"}, {"temperature", "°F"},
            {"volume", "gal"},   {"wind_speed", "mph"}};
  }
  return {{"length", "km"},   {"accumulated_precipitation", "mm"},
          {"area", "m²"},     {"mass", "g"},
          {"pressure", "Pa"}, {"temperature", "°C"},
          {"volume", "L"},    {"wind_speed", "m/s"}};
}

base::Result<http::Response> get_configuration(const Call& call) {
  return http::Response::json(base::to_json(configuration(call.home)));
}

constexpr Answer kConfiguration[] = {{200, "What the hub is called, where it stands, what it runs.", "Configuration"}};

}  // namespace

json::object configuration(const core::View& home) {
  const auto config = home.config();
  const json::value country = config->country.empty() ? json::value() : json::value(config->country);
  return {
      {"location_name", config->location_name},
      {"version", config->version},
      {"uuid", config->uuid},
      {"base_url", config->internal_url},
      {"internal_url", config->internal_url},
      {"external_url", config->external_url},
      {"state", core::to_string(home.run_state())},
      {"components", json::array(config->components.begin(), config->components.end())},
      {"config_dir", config->config_dir},
      {"latitude", config->latitude},
      {"longitude", config->longitude},
      {"elevation", config->elevation},
      {"time_zone", config->time_zone},
      {"unit_system", unit_system(config->unit_system)},
      {"currency", config->currency},
      {"country", country},
      {"language", config->language},
      {"config_source", config->file_keys.empty() ? "storage" : "yaml"},
      {"yaml_keys", json::array(config->file_keys.begin(), config->file_keys.end())},
      {"allowlist_external_dirs", json::array()},
      {"whitelist_external_dirs", json::array()},
      {"safe_mode", false},
      {"recovery_mode", false},
  };
}

constexpr Endpoint kConfigurationEndpointRows[] = {
    {http::Verb::get, "/api/config", Access::admin, get_configuration, Durable::no, "The configuration",
     kConfiguration},
};
constexpr Endpoints kConfigurationEndpoints = kConfigurationEndpointRows;

}  // namespace hearth::api
