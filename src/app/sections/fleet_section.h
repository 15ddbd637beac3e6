// SPDX-License-Identifier: Apache-2.0
// `fleet:` in configuration.yaml.
#pragma once

#include <optional>
#include <string>

#include "base/config/config_reader.h"
#include "core/rights/rights.h"
#include "fleet/link.h"

namespace hearth::app {

struct FleetSettings {
  enum class Role { none, site, portal };
  Role role = Role::none;
  std::string site;       // of a site: its name
  core::PolicyPtr calls;  // of a site: what portals may control; null: everything that a user may
  fleet::LinkOptions link;
};

// Null if there is no fleet.
std::optional<FleetSettings> read_fleet(base::ConfigReader& in);

}  // namespace hearth::app
