// SPDX-License-Identifier: Apache-2.0
// Copies of a home's databases from before their tables were changed: a folder each in <home>/upgrades/, with
// upgrade.json. `upgrades` may be a link to a folder on another disk.
//
// One thread at a time for each home.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "backup/home_files.h"
#include "base/clock.h"
#include "base/result.h"
#include "storage/migrate.h"

namespace hearth::app {

using backup::kUpgradesFolder;
constexpr std::chrono::days kCopiesAreKept{30};

struct KeptCopy {
  std::filesystem::path folder;
  std::string from;  // the version of Hearth that had written the databases
  std::string to;    // the one that changed them
  base::Timestamp made;
  bool finished = false;  // all steps have run; until then the next start of the hub goes on
  // The tables in each database, by its name, at that moment. A file may be gone: put back, or never copied because the
  // upgrade was interrupted.
  std::map<std::string, storage::SchemaVersions, std::less<>> schemas;

  std::string name() const { return folder.filename().string(); }
  bool has(std::string_view database) const;
  std::uintmax_t bytes() const;  // of its files
};

// The oldest first. Folders without a readable upgrade.json are skipped.
std::vector<KeptCopy> kept_copies(const std::filesystem::path& home);
// A new folder for the copies of this moment. Fails with unavailable.
base::Result<KeptCopy> make_kept_copy(const std::filesystem::path& home, std::string from, std::string to,
                                      base::Timestamp now);
// Writes upgrade.json; it is on the disk when this returns. Fails with unavailable.
base::Result<void> write_record(const KeptCopy& copy);
// Removes copies that are finished and older than kCopiesAreKept, and logs it. A copy of a time that cannot be, because
// the clock was wrong, counts from now on.
void remove_old_copies(const std::filesystem::path& home, base::Timestamp now);

// `2026-11-29 17:46` in UTC.
std::string minute_text(base::Timestamp time);
// A name for a folder of that moment, which sorts by time; another one if `parent` has a folder of that name.
std::filesystem::path folder_of_moment(const std::filesystem::path& parent, std::string_view prefix,
                                       base::Timestamp now);

}  // namespace hearth::app
