// SPDX-License-Identifier: Apache-2.0
// Reads backups: what one is of, whether it is whole, and all that is in it.
//
// Any thread. Fails with invalid where the file is no backup, damaged, cut short, of a newer Hearth, or its passphrase
// is another; the message begins with the file's path.
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

// The same, and puts all files into the folder, which is there and empty; then both databases are checked as a whole.
// All of it is on the disk when it returns. The databases are their owner's alone, whatever the archive says; others
// keep their mode, except that only the owner may write. Fails with unavailable where there is not enough room.
base::Result<Manifest> unpack_backup(const BackupToRead& backup, const std::filesystem::path& folder);

// What can be told without the passphrase, from the first bytes.
struct BackupHead {
  std::string version;
  base::Timestamp created;
  bool encrypted = false;
};
base::Result<BackupHead> read_head(const std::filesystem::path& file);

}  // namespace hearth::backup
