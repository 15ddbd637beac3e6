// SPDX-License-Identifier: Apache-2.0
// Migrates a module's tables to this program's schema. Each module owns its steps; a released step never changes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "storage/database.h"

namespace hearth::storage {

// A module's tables: what it is called in schema_version, and its steps.
struct Schema {
  std::string_view module;
  std::span<const std::string_view> steps;
};

// Runs the steps that the file has not seen yet, all or none, and records their number in schema_version(module,
// version). Each step is any number of SQL statements. A negative version marks a repaired file: lost tables, indexes
// and triggers of the module are recreated first. Fails with unavailable if a newer program wrote the module's tables.
base::Result<void> migrate(Database& database, std::string_view module, std::span<const std::string_view> steps);

// The steps of all modules whose tables the file has already, in one transaction: the file is as before, or as this
// program wants it. Modules without tables are left to `migrate`. Fails as `migrate` does.
base::Result<void> migrate_together(Database& database, std::span<const Schema> schemas);

// The number of steps that each module's tables have seen, by module; empty for a file without any. Never negative.
using SchemaVersions = std::map<std::string, std::int64_t, std::less<>>;
base::Result<SchemaVersions> schema_versions(Database& database);

// How a file stands to the schemas of this program. A module that the file does not know is no difference: its tables
// are added, and older programs do not look at them.
enum class SchemaAge { same, older, newer };
SchemaAge compare_schemas(const SchemaVersions& versions, std::span<const Schema> schemas);

}  // namespace hearth::storage
