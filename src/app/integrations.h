// SPDX-License-Identifier: Apache-2.0
// The list of integrations: a line for each folder under integrations/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/settings.h"
#include "base/config/config_reader.h"
#include "base/result.h"
#include "domains/integration.h"

namespace hearth::app {

struct IntegrationFactory {
  std::string_view name;  // its key in configuration.yaml
  // Checks the options without a home.
  std::vector<base::ConfigProblem> (*check)(const base::ConfigNode& options);
  // REQUIRES: check has passed.
  std::unique_ptr<domains::Integration> (*create)(const domains::IntegrationHome& home,
                                                  const base::ConfigNode& options);
  // Gives other options to one that runs. False if it has to be started anew. REQUIRES: likewise.
  bool (*change)(domains::Integration& integration, const base::ConfigNode& options);
};

template <class Integration>
constexpr IntegrationFactory integration_factory(std::string_view name) {
  return {name, Integration::Options::check,
          [](const domains::IntegrationHome& home, const base::ConfigNode& options) {
            return std::unique_ptr<domains::Integration>(
                std::make_unique<Integration>(home, Integration::Options::parse(options).value()));
          },
          []([[maybe_unused]] domains::Integration& integration, [[maybe_unused]] const base::ConfigNode& options) {
            if constexpr (requires(Integration& one) { one.change(Integration::Options::parse(options).value()); })
              return static_cast<Integration&>(integration).change(Integration::Options::parse(options).value());
            else
              return false;
          }};
}

using Integrations = std::span<const IntegrationFactory>;

// The integrations of this program.
Integrations all_integrations();
// Null if absent.
const IntegrationFactory* find_integration(Integrations integrations, std::string_view name);
std::vector<std::string> names_of(Integrations integrations);
// In the form that the settings need.
std::vector<KnownIntegration> known_integrations(Integrations integrations);

}  // namespace hearth::app
