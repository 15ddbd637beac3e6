// SPDX-License-Identifier: Apache-2.0
// Files of scenarios, with the automations that they test: a file, a list, or the configuration's own. Reads only, and
// also while the hub runs. One thread.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/settings.h"
#include "base/clock.h"
#include "simulation/scenario.h"

namespace hearth::app {

class ScenarioFiles {
 public:
  // `folder`: of the configuration, which need not exist; then scenarios must have automations of their own.
  ScenarioFiles(std::filesystem::path folder, std::span<const KnownIntegration> integrations);

  // The configuration's own, and the home as it is set. Settings: as load_settings.
  const base::Result<Settings>& settings() const { return settings_; }
  const core::HubConfig& home() const { return home_; }

  // Fails with invalid or not_found; a line for each error.
  base::Result<std::vector<simulation::Scenario>> load(const std::string& file, base::Timestamp now);

 private:
  // Sets what the scenario's automations and parts mean.
  base::Result<void> resolve(simulation::Scenario& scenario, const std::filesystem::path& folder);
  base::Result<base::ConfigNode> load_automations(const base::ConfigNode& name, const std::filesystem::path& folder);

  const std::filesystem::path folder_;
  base::Result<Settings> settings_;
  core::HubConfig home_;
  std::map<std::string, base::ConfigNode> loaded_;  // by path
};

}  // namespace hearth::app
