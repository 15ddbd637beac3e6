// SPDX-License-Identifier: Apache-2.0
// Files of scenarios, with the automations that they test: a file, a list, or the configuration's own. Reads only, and
// also while the hub runs. One thread.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/settings/settings.h"
#include "base/clock.h"
#include "core/registry/registry_data.h"
#include "simulation/scenario.h"

namespace hearth::app {

class ScenarioFiles {
 public:
  // `folder`: of the configuration, which need not exist; then scenarios must have automations of their own.
  ScenarioFiles(std::filesystem::path folder, std::span<const KnownIntegration> integrations);

  // The configuration's own, and the home as it is set. Settings: as load_settings.
  const base::Result<Settings>& settings() const { return settings_; }
  const core::HubConfig& home() const { return home_; }

  // The registry's entries of entities that automations, scripts and templates make. Empty if it cannot be read.
  std::vector<core::RegisteredEntity> registered() const;

  // An automation, or a YAML text of one, that is tried in the place of the configuration's own with that `id`, and the
  // id. Fails with invalid.
  base::Result<std::string> put_edited(std::string_view text);

  // Fails with invalid or not_found; a line for each error.
  base::Result<std::vector<simulation::Scenario>> load(const std::string& file, base::Timestamp now);
  // As load, of a text that may name only files of the configuration folder.
  base::Result<std::vector<simulation::Scenario>> load_text(const std::string& text, base::Timestamp now);

 private:
  enum class Reach { anywhere, folder };  // what a scenario may name

  base::Result<std::vector<simulation::Scenario>> load(const std::string& text, const std::filesystem::path& path,
                                                       Reach reach, base::Timestamp now);
  // Sets what the scenario's automations and parts mean.
  base::Result<void> resolve(simulation::Scenario& scenario, const std::filesystem::path& folder, Reach reach);
  base::Result<base::ConfigNode> load_automations(const base::ConfigNode& name, const std::filesystem::path& folder,
                                                  Reach reach);
  // The folder whose files a file there may include.
  std::filesystem::path root_of(const std::filesystem::path& path) const;

  const std::filesystem::path folder_;
  base::Result<Settings> settings_;
  core::HubConfig home_;
  std::map<std::string, base::ConfigNode> loaded_;  // by path
};

}  // namespace hearth::app
