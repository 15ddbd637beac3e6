// SPDX-License-Identifier: Apache-2.0
// Checks a whole database that nobody uses (PRAGMA integrity_check).
#pragma once

#include <filesystem>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::storage {

// Reads the whole file and writes nothing. Fails with invalid if the file is damaged or no database, with unavailable
// if it cannot be read or the work was cancelled; the message starts with the file's name, without its folder. One
// thread at a time for each file.
base::Result<void> check_integrity(const std::filesystem::path& file, const GoOn& go_on);

}  // namespace hearth::storage
