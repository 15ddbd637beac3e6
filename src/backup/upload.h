// SPDX-License-Identifier: Apache-2.0
// Receives a backup that a client sends: writes it beside the others as it comes, checks it, and only then adds it to
// them. If destroyed before, it leaves nothing.
//
// Any thread, one call at a time; the work is done on the uploads' thread, on which callbacks run, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "backup/backups.h"
#include "backup/file.h"

namespace hearth::backup {

class Upload {
 public:
  // The file in the folder of the backups, as long as it is not complete.
  static constexpr std::string_view kFile = "upload.partial";

  // `name`: a backup's name, not yet taken unless `replace`; empty for the time at which the backup was made.
  Upload(Backups& backups, std::string name, bool replace);
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  // The next bytes; `then` gets whether more are wanted. Not after a false: finish says why.
  void write(std::string bytes, std::move_only_function<void(bool)> then);
  // After the last bytes: checks the file as far as that is possible without a passphrase, and keeps it. Fails with
  // invalid if it is no backup, damaged, or its name is taken; with unavailable if the disk is full.
  void finish(Backups::Done<BackupInfo> done);

 private:
  struct Work;
  const std::shared_ptr<Work> work_;
};

}  // namespace hearth::backup
