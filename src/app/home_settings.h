// SPDX-License-Identifier: Apache-2.0
// What the home is called and where it stands: what configuration.yaml says, and for the keys that it does not have
// what an administrator has set while the hub ran, which home.db keeps.
//
// open and config: one thread, before the hub answers requests. change: the accounts' thread.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "api/system/home_settings.h"
#include "app/settings.h"
#include "core/hub.h"
#include "storage/database.h"

namespace hearth::app {

class HomeSettings final : public api::HomeSettings {
 public:
  // The hub and the settings must outlive it.
  HomeSettings(core::Hub& hub, const Settings& settings) : hub_(hub), settings_(settings) {}

  // Once, first. What is stored and no longer valid is left out and logged.
  base::Result<void> open(const std::filesystem::path& file);

  // The whole configuration: `rest` with the home's own fields. URLs that nobody has set are `own_url`, from now on.
  core::HubConfig config(core::HubConfig rest, std::string own_url);

  base::Result<void> change(const base::ConfigNode& changes, const core::Context& context) override;

 private:
  core::HubConfig with_home(core::HubConfig rest) const;
  base::Result<void> store(const base::ConfigNode& changes);

  core::Hub& hub_;
  const Settings& settings_;
  std::optional<storage::Database> database_;
  std::map<std::string, std::string> stored_;  // values by key, all valid
  std::string own_url_;
};

}  // namespace hearth::app
