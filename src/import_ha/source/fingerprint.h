// SPDX-License-Identifier: Apache-2.0
// A number that changes if the source does, so that a run that was killed goes on only with the same one.
//
// Any thread; see database_file.h for databases that are open.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace hearth::import_ha {

// Of all files below the folder that an import reads, except databases: path, device, size, time of modification. Fails
// with unavailable if one cannot be read.
base::Result<std::string> fingerprint_of_files(const std::filesystem::path& folder);
// Of one file, likewise.
base::Result<std::string> fingerprint_of_file(const std::filesystem::path& file, const std::string& name);
// Of a database: also its change counter, its page count and the salts of its log; not how long the log is, because a
// hub that runs adds to it all the time. Empty if it is no database.
base::Result<std::string> fingerprint_of_database(const std::filesystem::path& file, const std::string& name);

}  // namespace hearth::import_ha
