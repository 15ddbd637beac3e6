// SPDX-License-Identifier: Apache-2.0
// Brings the databases of a home to this program's tables. Before that, those that change are copied: the way back.
//
// Call before anything opens the databases; nobody else may use them. One thread at a time for each home.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::app {

// How a home stands to this program.
struct HomeAge {
  std::vector<std::string> older;  // databases that the next start changes
  std::vector<std::string> newer;  // databases that this program cannot read
  std::string version;             // of Hearth, that has written them; empty if there is no home yet
  std::map<std::string, storage::SchemaVersions, std::less<>> schemas;
};
// Only reads. Fails with unavailable if a database cannot be read; one that is damaged counts as not there.
base::Result<HomeAge> age_of_home(const std::filesystem::path& home);

// Does nothing for a home of this program's tables. Otherwise logs what it does. If killed at any moment, the next call
// completes it: until all copies are on the disk nothing is changed, and then each database at once.
//
// Fails with full if there is no room for the copies, with unavailable if a newer version has written the databases, or
// if `go_on`, called from time to time, is false; the message says what to do.
base::Result<void> upgrade_home(
    const std::filesystem::path& home, std::string_view version, base::Timestamp now,
    const storage::GoOn& go_on = [] { return true; });

}  // namespace hearth::app
