// SPDX-License-Identifier: Apache-2.0
// Whether a database that nobody uses is sound from its first page to its last (PRAGMA integrity_check).
#pragma once

#include <filesystem>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::storage {

// Reads the whole file, leaves nothing beside it and writes nothing. Fails with invalid where the file is damaged or no
// database, with unavailable where it cannot be read or the work was ended; the message begins with the file's name,
// without its folder. One thread at a time for each file.
base::Result<void> check_integrity(const std::filesystem::path& file, const GoOn& go_on);

}  // namespace hearth::storage
