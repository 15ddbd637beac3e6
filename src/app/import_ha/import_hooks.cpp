// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/import_hooks.h"

#include "app/files/configuration_file.h"
#include "app/import_ha/imported_home.h"
#include "app/settings/config_folder.h"
#include "app/settings/home_settings.h"
#include "app/settings/known_words.h"
#include "app/upgrade/home_schemas.h"
#include "integrations/mqtt/manual/manual_items.h"
#include "integrations/mqtt/protocol/options.h"
#include "storage/home_uuid.h"
#include "storage/migrate.h"

namespace hearth::app {
namespace {

using base::Result;

Result<void> make_databases(const std::filesystem::path& folder) {
  for (const std::string_view name : kDatabases) {
    auto database = storage::Database::open(folder / name);
    if (!database) return std::unexpected(std::move(database.error()));
    for (const storage::Schema& schema : schemas_of(name)) {
      if (auto made = storage::migrate(*database, schema.module, schema.steps); !made) return made;
    }
    if (name != kDatabaseName) continue;
    if (auto uuid = storage::home_uuid(*database); !uuid) return std::unexpected(std::move(uuid.error()));
  }
  return {};
}

Result<void> check_mqtt(const base::ConfigNode& values) {
  const auto options = integrations::mqtt::Options::parse(values);
  if (!options) return std::unexpected(options.error());
  return {};
}

}  // namespace

import_ha::ImportHooks import_hooks(std::span<const KnownIntegration> integrations) {
  import_ha::ImportHooks hooks;
  hooks.known = known_words(integrations);
  hooks.check_home = &HomeSettings::check_values;
  hooks.check_mqtt = &check_mqtt;
  hooks.check_components = [](const base::ConfigNode& section) {
    return integrations::mqtt::check_manual_items(integrations::mqtt::joined_sections({}, {&section, 1}));
  };
  hooks.make_databases = &make_databases;
  hooks.is_default_configuration = [](std::string_view text) { return text == default_configuration(); };
  hooks.check = [integrations](const std::filesystem::path& folder, const core::RegistryData& registry, const auto& was,
                               const auto& is_there, import_ha::Report& report) {
    return check_imported_home({.folder = folder, .registry = registry, .was = was, .is_there = is_there}, integrations,
                               report);
  };
  return hooks;
}

}  // namespace hearth::app
