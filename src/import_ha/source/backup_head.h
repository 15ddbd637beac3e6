// SPDX-License-Identifier: Apache-2.0
// The head of a backup of the other hub, which can be read without its passphrase. One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::import_ha {

struct BackupHead {
  std::string version = {};                     // of the other hub; empty if it is not told
  std::optional<base::Timestamp> created = {};  // likewise
  bool encrypted = false;
};

// Of a backup, or of homeassistant.tar.gz out of one. Reads its table of contents and backup.json alone. Fails with
// invalid if it is no such file, with unavailable if it cannot be read; messages begin with "The file".
base::Result<BackupHead> read_backup_head(const std::filesystem::path& file);

}  // namespace hearth::import_ha
