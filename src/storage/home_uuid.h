// SPDX-License-Identifier: Apache-2.0
// The home's own name among all homes: made once, kept in the database for ever.
#pragma once

#include <string>

#include "storage/database.h"

namespace hearth::storage {

// 32 hexadecimal digits in lower case, random where there was none yet.
base::Result<std::string> home_uuid(Database& database);

}  // namespace hearth::storage
