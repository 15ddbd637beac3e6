// SPDX-License-Identifier: Apache-2.0
// The old database as a whole: what became of it, and the room that its past takes. One thread.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "import_ha/report/report.h"

namespace hearth::import_ha {

// Fails with full if the disk of `files` has not the room that the past of that file needs; `home` is for the message.
base::Result<void> check_room(const std::filesystem::path& database, const std::filesystem::path& files,
                              const std::filesystem::path& home);

// The database was read, whole or in part: the report has counted its rows. `name`: of the file, as the report shows
// it.
void tell_read_database(const std::string& name, Report& report);
// The database cannot be read at all; `why` is a sentence.
void tell_unread_database(const std::string& name, std::string why, Report& report);

}  // namespace hearth::import_ha
