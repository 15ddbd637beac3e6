// SPDX-License-Identifier: Apache-2.0
// Reads the configuration of a home that the import has made, as `hearth check` does, and says in the report what is
// wrong with it: values that cannot be, and automations and scripts with their errors and with what they name that is
// not there. One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/settings/settings.h"
#include "base/result.h"
#include "core/registry/registry_data.h"
#include "import_ha/import.h"
#include "import_ha/report/report.h"

namespace hearth::app {

struct ImportedHome {
  std::filesystem::path folder;
  const core::RegistryData& registry;  // as it was carried; reserved entries count as there
  // The state of an automation in the old home; empty if it is not known.
  std::function<std::string(std::string_view entity_id)> was;
  // True of an entity that is there without an entry in the registry: sun.sun, zone.home, and what history knows.
  std::function<bool(std::string_view entity_id)> is_there = [](std::string_view) { return false; };
};

// Returns what the files bring, by its identity in the registry. Fails as load_settings.
base::Result<import_ha::Identities> check_imported_home(const ImportedHome& home,
                                                        std::span<const KnownIntegration> integrations,
                                                        import_ha::Report& report);

}  // namespace hearth::app
