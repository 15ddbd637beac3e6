// SPDX-License-Identifier: Apache-2.0
// The home's name, place and units: from configuration.yaml, and for keys missing there, as set by an administrator
// while the hub ran, stored in home.db.
//
// open and config: one thread, before the hub answers requests. change and take: the accounts' thread. check_file: the
// configuration's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/system/home_settings.h"
#include "app/settings/settings.h"
#include "core/hub.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::app {

class HomeSettings final : public api::HomeSettings {
 public:
  // Reads configuration.yaml.
  using Load = std::function<base::Result<std::shared_ptr<const Settings>>()>;
  // The hub and the settings must outlive this.
  HomeSettings(core::Hub& hub, const Settings& settings, Load load)
      : hub_(hub), first_settings_(settings), load_(std::move(load)) {}

  // Of its tables.
  static storage::Schema schema();

  // Of values as they are stored. Fails with invalid.
  static base::Result<void> check_values(const base::ConfigNode& values);

  // Call once, before the others. Skips and logs stored values that are not valid any more.
  base::Result<void> open(const std::filesystem::path& file);

  // The whole configuration: `rest` with the home's own fields. URLs that nobody has set become `own_url`.
  core::HubConfig config(core::HubConfig rest, std::string own_url);

  base::Result<void> change(const base::ConfigNode& changes, const core::Context& context) override;
  base::Result<std::string> check_file() const override;
  // Puts the section `home`, as it was read again, in force. Fails with invalid; then everything stays as it is.
  base::Result<void> apply(const Settings& loaded, const core::Context& context);

 private:
  const Settings& settings() const { return reloaded_ ? *reloaded_ : first_settings_; }
  // Puts the settings in force, and fires core_config_updated if they differ.
  void publish(const core::Context& context);
  core::HubConfig with_home(core::HubConfig rest) const;
  base::Result<void> store(const base::ConfigNode& changes);

  core::Hub& hub_;
  const Settings& first_settings_;
  const Load load_;
  std::optional<Settings> reloaded_;
  std::optional<storage::Database> database_;
  std::map<std::string, std::string> stored_;  // values by key, all valid
  std::string own_url_;
};

}  // namespace hearth::app
