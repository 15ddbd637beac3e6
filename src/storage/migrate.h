// SPDX-License-Identifier: Apache-2.0
// Brings a module's tables to the shape this program knows. Each module owns its steps; a step once released is never
// changed.
#pragma once

#include <span>
#include <string_view>

#include "storage/database.h"

namespace hearth::storage {

// Runs the steps that the file has not seen yet, all or none, and records their number in schema_version(module,
// version). Each step is SQL, any number of statements. A negative version says that the file was repaired: what it has
// lost of the module's tables, indexes and triggers is made again first. Fails with unavailable where a newer program
// wrote the module's tables.
base::Result<void> migrate(Database& database, std::string_view module, std::span<const std::string_view> steps);

}  // namespace hearth::storage
