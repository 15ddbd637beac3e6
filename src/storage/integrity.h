// SPDX-License-Identifier: Apache-2.0
// Checks whole databases.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::storage {

// Of a file that nobody uses (PRAGMA integrity_check). Reads the whole file and writes nothing. Fails with invalid if
// the file is damaged or no database, with unavailable if it cannot be read or the work was cancelled; the message
// starts with the file's name, without its folder. One thread at a time for each file.
base::Result<void> check_integrity(const std::filesystem::path& file, const GoOn& go_on);

// The same for a file that others may write meanwhile; faster, because it does not compare indexes with their tables
// (PRAGMA quick_check). Any thread.
base::Result<void> check_in_use(const std::filesystem::path& file, const GoOn& go_on);

}  // namespace hearth::storage
