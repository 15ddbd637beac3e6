// SPDX-License-Identifier: Apache-2.0
// Migrates a module's tables to this program's schema. Each module owns its steps; a released step never changes.
#pragma once

#include <span>
#include <string_view>

#include "storage/database.h"

namespace hearth::storage {

// Runs the steps that the file has not seen yet, all or none, and records their number in schema_version(module,
// version). Each step is any number of SQL statements. A negative version marks a repaired file: lost tables, indexes
// and triggers of the module are recreated first. Fails with unavailable if a newer program wrote the module's tables.
base::Result<void> migrate(Database& database, std::string_view module, std::span<const std::string_view> steps);

}  // namespace hearth::storage
