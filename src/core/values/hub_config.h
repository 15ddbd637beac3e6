// SPDX-License-Identifier: Apache-2.0
// The hub's configuration: its name, place and units. A published version is immutable.
#pragma once

#include <set>
#include <string>

namespace hearth::core {

enum class UnitSystem { metric, us_customary };

struct HubConfig {
  std::string location_name = "Home";
  double latitude = 0;   // degrees, north positive
  double longitude = 0;  // degrees, east positive
  int elevation = 0;     // metres above sea level
  std::string time_zone = "UTC";
  UnitSystem unit_system = UnitSystem::metric;
  std::string currency = "EUR";  // ISO 4217
  std::string country;           // ISO 3166-1 alpha-2, or empty
  std::string language = "en";
  std::string internal_url;  // never empty after the server listens
  std::string external_url;
  std::set<std::string> file_keys;  // the keys above that configuration.yaml sets, named as in GET /api/config
  std::string uuid;                 // 32 hex digits, created once for this configuration folder
  std::string config_dir;           // absolute
  std::string version;
  std::set<std::string> components;  // running integrations and domains, and platforms as integration.domain
};

}  // namespace hearth::core
