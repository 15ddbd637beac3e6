// SPDX-License-Identifier: Apache-2.0
// To-do lists, the shopping list and calendars that the old hub kept itself, with their items. One thread.
#pragma once

#include "base/result.h"
#include "core/registry/registry_data.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"
#include "import_ha/steps/config_entries.h"

namespace hearth::import_ha {

// True if take_list knows entries of the integration.
bool is_list(std::string_view domain);

// The list or calendar of an entry, as a helper of its id, and what is on it. `zone`: of the home. Fails with
// unavailable if its file cannot be read.
base::Result<void> take_list(const ConfigEntry& entry, const std::string& zone, const Source& source,
                             core::RegistryData& data, Report& report);

}  // namespace hearth::import_ha
