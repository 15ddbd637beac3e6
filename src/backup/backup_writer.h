// SPDX-License-Identifier: Apache-2.0
// Makes a backup of a home, whether or not its hub is running: one archive of the databases, both as of the same
// moment, and of the user's files.
//
// Any thread; one backup of a target at a time.
#pragma once

#include <filesystem>
#include <string>

#include "backup/manifest.h"
#include "base/clock.h"
#include "base/result.h"
#include "storage/database.h"

namespace hearth::backup {

struct BackupPlan {
  std::filesystem::path folder;  // the home's
  std::filesystem::path target;  // the backup's file
  bool replace = false;          // an existing one
  std::string version;           // of this program
  std::string home_name;
  base::Timestamp created;
  bool configuration = true;
  bool history = true;
  std::string passphrase;  // empty: anybody who has the file can read it
  bool secrets = false;    // those of connections, although there is no passphrase
  storage::GoOn go_on = [] { return true; };
};

struct MadeBackup {
  Manifest manifest;
  std::uint64_t bytes = 0;  // of the file
};

// Works in a folder beside the target, `<target>.partial`, which is removed at the end, as is one left by a killed
// process. Fails with invalid if there is no home, the target exists, a database is damaged, or the passphrase is
// unusable; otherwise with unavailable.
base::Result<MadeBackup> make_backup(const BackupPlan& plan);

}  // namespace hearth::backup
