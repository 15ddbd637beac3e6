// SPDX-License-Identifier: Apache-2.0
// Unpacks, in one pass, what an import needs of the old hub's backup: an uncompressed tar that holds
// homeassistant.tar.gz, possibly encrypted, or that file alone.
//
// One thread. Messages begin with the path of the archive, and never hold the passphrase.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "import_ha/report/report.h"
#include "import_ha/source/gunzip_source.h"
#include "storage/database.h"

namespace hearth::import_ha {

struct OldBackup {
  struct Limits {
    GunzipSource::Limits size;
    std::uint64_t entries = 1'000'000;
    std::uint64_t file = 256 * 1024 * 1024;  // bytes of a file that is no database
  };

  std::filesystem::path archive;
  std::string passphrase;
  bool history = true;  // false: databases are left out
  storage::GoOn go_on = [] { return true; };
  Limits limits = {};
};

struct UnpackedBackup {
  std::string version;  // of the hub that made it, as the backup says; empty if it does not
  bool without_database = false;
};

// Into the folder, which must exist and be empty; files are accessible to their owner only. Files that are too large
// are left out with a note, but those of .storage/ fail. Fails with invalid if it is no such backup; with unavailable
// if it cannot be read or written, is damaged or incomplete, holds what no backup does (links, absolute paths, `..`,
// too many entries, too much for its size), the passphrase is missing or wrong, or `go_on` is false.
base::Result<UnpackedBackup> unpack_old_backup(const OldBackup& backup, const std::filesystem::path& folder,
                                               Report& report);

}  // namespace hearth::import_ha
