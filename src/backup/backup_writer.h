// SPDX-License-Identifier: Apache-2.0
// Makes a backup of a home, whether or not its hub runs: one archive of the databases, each as it is at one moment, the
// same for both, and of the user's files.
//
// Any thread, one backup of a target at a time.
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
  bool replace = false;          // one that is there already
  std::string version;           // of this program
  std::string home_name;
  base::Timestamp created;
  bool configuration = true;
  bool history = true;
  std::string passphrase;  // none: readable by anybody who has the file
  storage::GoOn go_on = [] { return true; };
};

struct MadeBackup {
  Manifest manifest;
  std::uint64_t bytes = 0;  // of the file
};

// What is half done lies in a folder beside the target, `<target>.partial`, which is gone at the end, as is one that a
// killed program has left. Fails with invalid where there is no home, the target is taken, a database is damaged, or
// the passphrase will not do; else with unavailable.
base::Result<MadeBackup> make_backup(const BackupPlan& plan);

}  // namespace hearth::backup
