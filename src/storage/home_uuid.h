// SPDX-License-Identifier: Apache-2.0
// The home's unique id: created once, kept in the database for ever.
#pragma once

#include <string>

#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::storage {

// 32 lower-case hexadecimal digits, random when first created.
base::Result<std::string> home_uuid(Database& database);

// Of its table.
Schema home_uuid_schema();

}  // namespace hearth::storage
