// SPDX-License-Identifier: Apache-2.0
// The old home, only read: a folder that has .storage/, or a backup, of which what is needed is unpacked first. No file
// of it is opened for writing, created, renamed or touched.
//
// One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "import_ha/report/report.h"
#include "import_ha/source/old_database.h"
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
    bool history = true;                        // false: the database of a backup is not unpacked
    storage::GoOn go_on = [] { return true; };  // false cancels
    std::chrono::steady_clock::duration moment = OldDatabase::kMaxMoment;  // shorter in tests
  };
  static constexpr std::uintmax_t kMaxFile = 256 * 1024 * 1024;  // bytes, of a file that is not the database

  // Finds out what it is, its version, and if that hub runs; fills report.source, except for the schema. A backup is
  // unpacked into the scratch folder, as far as an import needs it. Fails with invalid (the command ends with 2) if it
  // is no home of that kind; with unavailable if a file that is needed is missing or cannot be read, the passphrase is
  // wrong, or the backup is damaged, incomplete or hostile.
  static base::Result<Source> open(const std::filesystem::path& where, Options options, Report& report);

  // Its files, as they lie in the old hub's folder. Of a backup: where they were unpacked.
  const std::filesystem::path& folder() const { return folder_; }
  bool is_backup() const { return is_backup_; }
  // Empty if it is not known.
  const std::string& version() const { return version_; }
  bool running() const { return running_; }
  // Changes if a file does that an import reads: device, size and modification time of each; of the database its change
  // counter and page count; of a backup the archive alone. `elsewhere` as in open_history, which must come later.
  base::Result<std::string> fingerprint(const std::filesystem::path& elsewhere = {}) const;

  // .storage/NAME; null if there is none, or it is `{}`, as the other hub takes it. Fails with invalid if it is not
  // JSON or has not the shape of such a file, with unsupported if its version is unknown (section 3; with accept_newer
  // it is read, with an attention), with unavailable if it cannot be read. A higher minor version is read with a note.
  base::Result<std::optional<StorageFile>> read_storage(std::string_view name, Report& report) const;
  // Names of files in .storage/ that begin so, sorted, without backups and corrupt ones.
  std::vector<std::string> storage_names(std::string_view prefix) const;
  // A text file relative to the folder; null if there is none. Links are followed within the folder only. Fails with
  // unavailable.
  base::Result<std::optional<std::string>> read_text(const std::filesystem::path& file) const;
  // Where that file lies, links followed, to copy it. Null and failures as read_text.
  base::Result<std::optional<std::filesystem::path>> locate(const std::filesystem::path& file) const;

  // The database of history, opened as section 4 says, and sets report.source.schema. Null if there is none.
  // `elsewhere` is the path of a `db_url`; empty: the file beside configuration.yaml. Below /config, the folder in the
  // other hub's containers, it is also looked for in this folder. Fails with invalid if it is no such database: history
  // is left with an attention that has this message, and the rest goes on. Fails with unsupported if its schema is
  // unknown, with unavailable if it cannot be read, the copy is incomplete, or it changes too quickly to be copied.
  base::Result<std::optional<OldDatabase>> open_history(const std::filesystem::path& elsewhere, Report& report);

 private:
  struct HistoryPlace {
    std::optional<std::filesystem::path> file;  // canonical; null if there is none
    std::string name;                           // for messages
  };

  Source() = default;
  // Into the scratch folder; returns the version that the backup tells.
  base::Result<std::string> unpack(Report& report);
  // The files without which nothing makes sense.
  base::Result<void> check_files() const;
  base::Result<void> find_version(std::string of_backup, Report& report);
  void find_running_hub(Report& report);
  base::Result<HistoryPlace> locate_history(const std::filesystem::path& elsewhere) const;
  base::Result<void> check_version(std::string_view name, const StorageFile& file, Report& report) const;

  Options options_;
  std::filesystem::path where_;   // as given
  std::filesystem::path folder_;  // canonical
  std::string version_;
  bool is_backup_ = false, running_ = false;
  mutable std::set<std::string, std::less<>> told_;  // files whose version is in the report
};

}  // namespace hearth::import_ha
