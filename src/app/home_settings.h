// SPDX-License-Identifier: Apache-2.0
// The home's name, place and units: from configuration.yaml, and for keys that it lacks, as set by an administrator
// while the hub ran, stored in home.db.
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
  // The hub and the settings must outlive this.
  HomeSettings(core::Hub& hub, const Settings& settings) : hub_(hub), settings_(settings) {}

  // Call once, before the others. Skips and logs stored values that are not valid any more.
  base::Result<void> open(const std::filesystem::path& file);

  // The whole configuration: `rest` with the home's own fields. URLs that nobody has set become `own_url`.
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
