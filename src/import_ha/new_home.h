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
#include <vector>

#include "base/result.h"
#include "import_ha/files/merged_yaml.h"
#include "import_ha/import.h"
#include "import_ha/prepared_import.h"
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
  // Fails with conflict if somebody uses the home, and nothing says that the import adds to it.
  base::Result<void> check_unused() const;
  // Makes the databases and the folder of files, or goes on with those of a killed run of the same source. Fails with
  // conflict if the home is used and must not be.
  base::Result<void> begin(const std::string& fingerprint);

  static constexpr std::string_view kLookFolder = "look-";  // begins the names of those of dry runs beside a hub

  std::filesystem::path files() const { return folder_ / "files"; }
  // For what comes of the source's files: `files`, unless the home that is there has files of its own.
  std::filesystem::path files_of_source() const;
  std::filesystem::path scratch() const { return folder_ / "scratch"; }
  std::filesystem::path source_scratch() const { return scratch() / "source"; }
  // When the run began, also if it was killed meanwhile.
  base::Timestamp began() const { return began_; }
  storage::Database& database() { return *database_; }
  base::Result<void> close_database();

  // Files that are there win. YAML is merged item by item; files of the source that differ otherwise, and those with an
  // item that is there and differs, go to left-behind/, too.
  base::Result<void> merge_files(Report& report);
  base::Result<void> put_last_states(const recorder::LastStates::States& states);

  // Replaces the home by the new one. Returns the folder with what was there; empty if nothing was.
  base::Result<std::string> exchange(const json::object& report);
  // The hub's next start completes it. Of the prepared import the caller knows the source, the report and the entities.
  base::Result<void> keep_until_start(PreparedImport prepared);

  // Of a prepared import, which is completed: what it had made of the past, and the last states of these entities.
  base::Result<void> add_former_past();
  base::Result<void> add_former_states(const std::vector<std::string>& entities);
  base::Result<void> remove();

 private:
  NewHome(const ImportOptions& options, const ImportHooks& hooks) : options_(options), hooks_(hooks) {}
  base::Result<void> look();
  base::Result<std::string> use_of_home() const;
  base::Result<void> copy_home();
  // Makes its folders; what is there goes.
  static base::Result<void> copy_one(const std::filesystem::path& from, const std::filesystem::path& to);
  base::Result<void> keep_former_database();
  base::Result<void> keep_former_history();
  static base::Result<void> copy_imported_statistics(const std::filesystem::path& from,
                                                     const std::filesystem::path& to);
  std::optional<MergedYaml> merge_file(const std::filesystem::path& name, const std::string& here,
                                       const std::string& theirs) const;
  static void tell_merged(const std::filesystem::path& name, const MergedYaml& merged, Report& report);
  json::object run_of(const std::string& fingerprint) const;
  bool only_past() const;

  static constexpr std::string_view kFormerDatabase = "home.former.db", kFormerHistory = "history.former.db";

  const ImportOptions& options_;
  const ImportHooks& hooks_;
  std::filesystem::path folder_;
  base::Timestamp began_;
  std::string fingerprint_;
  bool has_home_ = false;    // there is a home.db
  bool keeps_home_ = false;  // what is there stays, and the import adds to it
  std::optional<storage::Database> database_;
};

}  // namespace hearth::import_ha
