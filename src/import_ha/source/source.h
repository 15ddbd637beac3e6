// SPDX-License-Identifier: Apache-2.0
// The old home, only read: a folder that has .storage/, or a backup, of which what is needed is unpacked first. No file
// of it is opened for writing, created, renamed or touched.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "import_ha/report/report.h"
#include "storage/database.h"

namespace hearth::import_ha {

// A file of .storage/.
struct StorageFile {
  int major = 1, minor = 1;
  json::value data;  // an object in most, an array in core.restore_state
  std::string file;  // ".storage/NAME", for messages
};

class Source {
 public:
  struct Options {
    std::filesystem::path scratch;  // a folder for what must be unpacked or copied; made if needed, mode 0700
    std::string passphrase = {};    // of a backup that is protected
    bool accept_newer = false;
    storage::GoOn go_on = [] { return true; };  // false cancels
  };
  static constexpr std::uintmax_t kMaxFile = 256 * 1024 * 1024;  // bytes, of a file that is not the database

  // Finds out what it is, its version, and whether that hub runs; fills report.source. Fails with invalid (the command
  // ends with 2) if it is no home of that kind; with unavailable if a file cannot be read, the passphrase is wrong or
  // the copy is incomplete.
  static base::Result<Source> open(const std::filesystem::path& where, Options options, Report& report);

  // Its files, as they lie in the old hub's folder. Of a backup: where they were unpacked.
  const std::filesystem::path& folder() const { return folder_; }
  const std::string& version() const { return version_; }
  bool running() const { return running_; }

  // .storage/NAME; null if there is none. Fails with invalid if it is not JSON, has not the shape of such a file, or a
  // version that is unknown (section 3; with accept_newer it is read, with an attention), with unavailable if it cannot
  // be read. A higher minor version is read with a note.
  base::Result<std::optional<StorageFile>> read_storage(std::string_view name, Report& report) const;
  // Names of files in .storage/ that begin so, sorted, without backups and corrupt ones.
  std::vector<std::string> storage_names(std::string_view prefix) const;
  // A text file relative to the folder; null if there is none. Links are followed within the folder only. Fails with
  // unavailable.
  base::Result<std::optional<std::string>> read_text(const std::filesystem::path& file) const;

  // The database of history, opened as section 4 says: null if there is none. `elsewhere` is the path of a `db_url`;
  // empty: the file beside configuration.yaml. Fails with unavailable; the message names the file and the reason.
  base::Result<std::optional<storage::Database>> open_history(const std::filesystem::path& elsewhere, Report& report);

 private:
  Source() = default;

  Options options_;
  std::filesystem::path folder_;
  std::string version_;
  bool running_ = false;
};

}  // namespace hearth::import_ha
