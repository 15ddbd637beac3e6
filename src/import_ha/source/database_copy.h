// SPDX-License-Identifier: Apache-2.0
// Copies a database with its log, as bytes, while others may write to it.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::import_ha {

// Copies the file, and after it its `-wal` or `-journal`, into the folder, which is made with mode 0700; replaces what
// is there. Returns where the copy is. If another program changes the file meanwhile, it copies again, at most
// kCopyTries times, then fails with unavailable. Fails with full if there is no room, with unavailable if a file cannot
// be read or written, or `go_on` is false. Any thread; see database_file.h for files that are open.
constexpr int kCopyTries = 5;
base::Result<std::filesystem::path> copy_moment(const std::filesystem::path& file, const std::string& name,
                                                const std::filesystem::path& folder, const storage::GoOn& go_on);

}  // namespace hearth::import_ha
