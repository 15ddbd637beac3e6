// SPDX-License-Identifier: Apache-2.0
// The list of integrations: a line for each folder under integrations/.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "app/settings.h"
#include "base/config_node.h"
#include "base/result.h"
#include "core/hub.h"
#include "domains/domains.h"
#include "domains/integration.h"

namespace hearth::app {

struct IntegrationFactory {
  std::string_view name;  // its key in configuration.yaml
  // Fails with invalid; a line for each error. Needs no home.
  base::Result<void> (*check)(const base::ConfigNode& options);
  // REQUIRES: check has passed.
  std::unique_ptr<domains::Integration> (*create)(core::Hub& hub, domains::Domains& domains,
                                                  const base::ConfigNode& options);
};

std::span<const IntegrationFactory> integration_factories();
// Null where there is none of that name.
const IntegrationFactory* find_integration(std::string_view name);
// As the settings want to know them.
std::vector<KnownIntegration> known_integrations();

}  // namespace hearth::app
