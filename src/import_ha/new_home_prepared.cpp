// SPDX-License-Identifier: Apache-2.0
// Files that a new home keeps until it is complete: of a run that was killed, and of one that the hub's next start
// completes.
#include <fmt/format.h>

#include <vector>

#include "backup/file.h"
#include "backup/home_files.h"
#include "import_ha/new_home.h"
#include "import_ha/source/needed_files.h"
#include "recorder/history/past_merge.h"
#include "storage/file_copy.h"

namespace hearth::import_ha {

namespace fs = std::filesystem;
using base::Result;

Result<void> NewHome::keep_until_start(PreparedImport prepared) {
  database_.reset();
  std::error_code error;
  for (const std::string_view name : {backup::kHomeDatabase, backup::kHistoryDatabase}) {
    if (!fs::exists(files() / name, error)) continue;
    if (auto emptied = storage::empty_log(files() / name); !emptied) return emptied;
  }
  // Of what was unpacked the start reads all but the database.
  std::vector<fs::path> gone{scratch() / "history"};
  const fs::path unpacked = fs::weakly_canonical(prepared.files, error);
  for (const auto& entry : fs::directory_iterator(source_scratch(), error)) {
    if (fs::weakly_canonical(entry.path(), error) != unpacked) {
      gone.push_back(entry.path());
      continue;
    }
    for (const auto& file : fs::directory_iterator(entry.path(), error))
      if (need_of(file.path().filename().string()) == Need::database) gone.push_back(file.path());
  }
  for (const fs::path& path : gone)
    if (auto removed = backup::remove_whole(path); !removed) return removed;
  prepared.options = options_;
  prepared.fingerprint = fingerprint_;
  prepared.keeps_home = keeps_home_;
  return write_prepared(prepared);
}

// Imported statistics are a part of the past that stands in home.db: they are kept in the former one until the end.
Result<void> NewHome::keep_former_database() {
  const fs::path made = files() / backup::kHomeDatabase, former = folder_ / kFormerDatabase;
  std::error_code error;
  if (!fs::exists(made, error)) return {};
  // A start that was killed has copied the present home: nothing of that counts.
  if (options_.prepared && fs::exists(former, error)) return {};
  if (fs::exists(former, error)) return copy_imported_statistics(made, former);
  if (auto emptied = storage::empty_log(made); !emptied) return emptied;
  fs::rename(made, former, error);
  if (error) return backup::folder_failure(made, "moved", error);
  return {};
}

// The history that was prepared. What a start that was killed has made of the present one is made again.
Result<void> NewHome::keep_former_history() {
  const fs::path made = files() / backup::kHistoryDatabase, former = folder_ / kFormerHistory;
  std::error_code error;
  if (!fs::exists(made, error)) return {};
  if (fs::exists(former, error)) {
    for (const char* const ending : {"", "-wal", "-shm"})
      if (auto removed = backup::remove_whole(made.string() + ending); !removed) return removed;
    return {};
  }
  if (auto emptied = storage::empty_log(made); !emptied) return emptied;
  fs::rename(made, former, error);
  if (error) return backup::folder_failure(made, "moved", error);
  return {};
}

Result<void> NewHome::add_former_past() {
  database_.reset();
  std::error_code error;
  if (!fs::exists(folder_ / kFormerHistory, error)) return {};
  return recorder::merge_past(folder_ / kFormerHistory, files() / backup::kHistoryDatabase, hooks_.go_on);
}

Result<void> NewHome::add_former_states(const std::vector<std::string>& entities) {
  std::error_code error;
  if (entities.empty() || !fs::exists(folder_ / kFormerDatabase, error)) return {};
  // Its tables are made if the home has never run.
  auto store = recorder::LastStates::open(files() / backup::kHomeDatabase);
  if (!store) return std::unexpected(std::move(store.error()));
  storage::Database& database = store->database();
  {
    auto attach = database.prepare("ATTACH ? AS former");
    if (!attach) return std::unexpected(std::move(attach.error()));
    if (auto done = attach->bind((folder_ / kFormerDatabase).string()).run(); !done) return done;
  }
  auto transaction = storage::Transaction::begin(database, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto add =
      database.prepare("INSERT OR IGNORE INTO main.last_states SELECT * FROM former.last_states WHERE entity_id = ?");
  if (!add) return std::unexpected(std::move(add.error()));
  for (const std::string& entity : entities)
    if (auto done = add->bind(entity).run(); !done) return done;
  return transaction->commit();
}

// Adds what `to` does not have. A database that a killed run has only begun has no such tables.
Result<void> NewHome::copy_imported_statistics(const fs::path& from, const fs::path& to) {
  auto database = storage::Database::open(to);
  if (!database) return std::unexpected(std::move(database.error()));
  {
    auto attach = database->prepare("ATTACH ? AS other");
    if (!attach) return std::unexpected(std::move(attach.error()));
    if (auto done = attach->bind(from.string()).run(); !done) return done;
    for (const char* const schema : {"main", "other"}) {
      auto tables = database->prepare(fmt::format(
          "SELECT count(*) FROM {}.sqlite_master WHERE name IN ('imported_statistics', 'imported_rows')", schema));
      if (!tables) return std::unexpected(std::move(tables.error()));
      if (const auto row = tables->step(); !row) return std::unexpected(row.error());
      if (tables->integer(0) != 2) return {};
    }
  }
  auto transaction = storage::Transaction::begin(*database, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto done = database->execute(
      "INSERT OR IGNORE INTO main.imported_statistics SELECT * FROM other.imported_statistics; "
      "INSERT OR IGNORE INTO main.imported_rows SELECT * FROM other.imported_rows;");
  if (!done) return done;
  return transaction->commit();
}

}  // namespace hearth::import_ha
