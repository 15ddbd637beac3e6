// SPDX-License-Identifier: Apache-2.0
// The home as it is made, in import.partial/ of its folder (of a dry run: in a temporary folder): databases, files, and
// what a run that was killed needs to go on.
//
// One thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "import_ha/import.h"
#include "recorder/journal/last_states.h"
#include "storage/database.h"

namespace hearth::import_ha {

class NewHome {
 public:
  // Looks at the home that is there. Fails with conflict if there should be one and is none, with unavailable.
  static base::Result<std::unique_ptr<NewHome>> open(const ImportOptions& options, const ImportHooks& hooks);
  ~NewHome();
  NewHome(const NewHome&) = delete;
  NewHome& operator=(const NewHome&) = delete;

  // The report of the run that has imported the same source in the same way; null if there was none.
  std::optional<json::object> former_report(const std::string& fingerprint) const;
  // Makes the databases and the folder of files, or goes on with those of a killed run of the same source. Fails with
  // conflict if the home is used and must not be.
  base::Result<void> begin(const std::string& fingerprint);

  std::filesystem::path files() const { return folder_ / "files"; }
  // For what comes of the source's files: `files`, unless the home that is there has files of its own.
  std::filesystem::path files_of_source() const;
  std::filesystem::path scratch() const { return folder_ / "scratch"; }
  // When the run began, also if it was killed meanwhile.
  base::Timestamp began() const { return began_; }
  storage::Database& database() { return *database_; }
  base::Result<void> close_database();

  // Files that are there win: those of the source that differ go to left-behind/.
  base::Result<void> merge_files(Report& report);
  base::Result<void> put_last_states(const recorder::LastStates::States& states);

  // Replaces the home by the new one, or prepares that. Returns the folder with what was there; empty if nothing was.
  base::Result<std::string> exchange(const json::object& report);
  base::Result<void> remove();

 private:
  NewHome(const ImportOptions& options, const ImportHooks& hooks) : options_(options), hooks_(hooks) {}
  base::Result<void> look();
  base::Result<std::string> use_of_home() const;
  base::Result<void> check_unused() const;
  base::Result<void> copy_home();
  base::Result<void> keep_former_database();
  static base::Result<void> copy_imported_statistics(const std::filesystem::path& from,
                                                     const std::filesystem::path& to);
  json::object run_of(const std::string& fingerprint) const;
  bool only_past() const;

  const ImportOptions& options_;
  const ImportHooks& hooks_;
  std::filesystem::path folder_;
  base::Timestamp began_;
  bool has_home_ = false;    // there is a home.db
  bool keeps_home_ = false;  // what is there stays, and the import adds to it
  std::optional<storage::Database> database_;
};

}  // namespace hearth::import_ha
