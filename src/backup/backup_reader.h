// SPDX-License-Identifier: Apache-2.0
// Reads backups: what a backup contains, whether it is intact, and its files.
//
// Any thread. Fails with invalid if the file is no backup, damaged, truncated or of a newer Hearth, or if the
// passphrase is wrong; the message starts with the file's path.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "backup/manifest.h"
#include "base/result.h"
#include "storage/database.h"

namespace hearth::backup {

struct BackupToRead {
  std::filesystem::path file;
  std::string passphrase;
  std::string version;  // of this program
  storage::GoOn go_on = [] { return true; };
};

// Reads the whole file and compares every size and hash; writes nothing.
base::Result<Manifest> verify_backup(const BackupToRead& backup);

// Also unpacks all files into the folder, which must exist and be empty, and then checks both databases. Everything is
// on the disk when it returns. Databases are accessible to their owner only, whatever the archive says; other files
// keep their mode, except that only the owner may write. Fails with unavailable if the disk is too full.
base::Result<Manifest> unpack_backup(const BackupToRead& backup, const std::filesystem::path& folder);

// The part that can be read without the passphrase, from the first bytes.
struct BackupHead {
  std::string version;
  base::Timestamp created;
  bool encrypted = false;
};
base::Result<BackupHead> read_head(const std::filesystem::path& file);

}  // namespace hearth::backup
