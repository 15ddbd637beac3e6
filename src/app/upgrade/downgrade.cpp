// SPDX-License-Identifier: Apache-2.0
#include "app/upgrade/downgrade.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "app/upgrade/home_schemas.h"
#include "app/upgrade/upgrade.h"
#include "backup/file.h"
#include "base/log/log.h"
#include "storage/file_copy.h"
#include "storage/repair.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

std::unexpected<base::Error> no_such_copy(const std::vector<KeptCopy>& copies, std::string_view to) {
  if (copies.empty()) {
    return base::fail(ErrorCode::not_found,
                      fmt::format("There are no copies of earlier versions. If Hearth {} does not start with the home, "
                                  "restore a backup that it has made: hearth restore.",
                                  to));
  }
  std::vector<std::string> versions;
  for (const KeptCopy& copy : copies) versions.push_back(copy.from);
  return base::fail(ErrorCode::not_found,
                    fmt::format("There is no copy of Hearth {}; there are copies of {}. If {} starts with the home as "
                                "it is, no copy is needed.",
                                to, fmt::join(versions, ", "), to));
}

Result<std::size_t> find_copy(const std::vector<KeptCopy>& copies, std::string_view to) {
  std::vector<std::string> names;
  std::size_t found = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (copies[i].name() == to) return i;
    if (copies[i].from != to) continue;
    found = i;
    names.push_back(copies[i].name());
  }
  if (names.empty()) return no_such_copy(copies, to);
  if (names.size() == 1) return found;
  return base::fail(ErrorCode::conflict,
                    fmt::format("There are {} copies of Hearth {}; choose one by its name: --to {}.", names.size(), to,
                                fmt::join(names, ", --to ")));
}

Result<void> move_aside(const fs::path& file, const fs::path& aside) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return {};
  fs::rename(file, aside / file.filename(), error);
  if (!error) return {};
  return base::fail(ErrorCode::unavailable,
                    fmt::format("{} cannot be moved to {}: {}.", file.string(), aside.string(), error.message()));
}

fs::path ready_name(const fs::path& home, std::string_view database) {
  return home / fmt::format("{}.going-back", database);
}

// The copy may be on another disk. It becomes a file of the home's, of which nothing is under way.
Result<fs::path> bring_here(const fs::path& home, const Downgrade::File& file) {
  std::error_code absent;
  if (!fs::exists(file.copy, absent)) return ready_name(home, file.database);
  const auto damage = storage::find_damage(file.copy);
  if (!damage) return std::unexpected(damage.error());
  if (*damage) {
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{} is damaged ({}); nothing of it is put back. Restore a backup: hearth restore.",
                                  file.copy.string(), **damage));
  }
  const fs::path ready = ready_name(home, file.database);
  if (auto copied = storage::copy_file(file.copy, ready, [] { return true; }); !copied) {
    // Without room for another copy this one is used up.
    std::error_code error = std::make_error_code(std::errc::no_space_on_device);
    if (copied.error().code == ErrorCode::full) fs::rename(file.copy, ready, error);
    if (error) return std::unexpected(std::move(copied.error()));
  }
  auto database = storage::Database::open(ready, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  for (const std::string_view table : {"journal", "journal_states", "journal_log"}) {
    auto known = database->prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    if (!known) return std::unexpected(std::move(known.error()));
    const auto row = known->bind(table).step();
    if (!row) return std::unexpected(row.error());
    if (!*row) continue;
    if (auto done = database->execute(fmt::format("DELETE FROM {}", table)); !done)
      return std::unexpected(std::move(done.error()));
  }
  return ready;
}

Result<void> exchange(const fs::path& file, const fs::path& ready, const fs::path& aside) {
  // A log that is left would be taken for the copy's.
  if (auto emptied = storage::empty_log(file); !emptied)
    base::log_warning("upgrade", "{} moves as it is: {}", file.string(), emptied.error().message);
  for (const char* const ending : {"-wal", "-shm", "-runs"}) {
    if (auto moved = move_aside(file.string() + ending, aside); !moved) return moved;
  }
  // Under both names for a moment, so that the database is always there.
  std::error_code error;
  fs::create_hard_link(file, aside / file.filename(), error);
  if (error) {
    if (auto moved = move_aside(file, aside); !moved) return moved;
  }
  fs::rename(ready, file, error);
  if (!error) return {};
  return base::fail(ErrorCode::unavailable, fmt::format("{}: {}.", file.string(), error.message()));
}

}  // namespace

Result<Downgrade> plan_downgrade(const fs::path& home, std::string_view to) {
  const auto copies = kept_copies(home);
  const auto chosen = find_copy(copies, to);
  if (!chosen) return std::unexpected(chosen.error());
  const auto age = age_of_home(home);
  if (!age) return std::unexpected(age.error());
  Downgrade downgrade{copies[*chosen].from, {}};
  for (const std::string_view database : kDatabases) {
    for (std::size_t i = *chosen; i < copies.size(); ++i) {
      const auto then = copies[i].schemas.find(database);
      if (then == copies[i].schemas.end()) continue;
      const auto today = age->schemas.find(database);
      const bool is_back = today != age->schemas.end() && std::ranges::all_of(then->second, [&](const auto& module) {
                             const auto found = today->second.find(module.first);
                             return found != today->second.end() && found->second == module.second;
                           });
      if (is_back) break;  // put back already, or never changed
      std::error_code absent;
      if (!copies[i].has(database) && !fs::exists(ready_name(home, database), absent)) {
        return base::fail(ErrorCode::not_found,
                          fmt::format("{} has no copy of {} any more. Restore a backup into an empty folder: hearth "
                                      "restore.",
                                      copies[i].folder.string(), database));
      }
      downgrade.files.push_back({std::string(database), copies[i].folder / database, copies[i].made});
      break;
    }
  }
  return downgrade;
}

Result<fs::path> put_back(const fs::path& home, const Downgrade& downgrade, base::Timestamp now) {
  if (downgrade.files.empty()) return fs::path();
  const fs::path aside = folder_of_moment(home, kBeforeDowngrade, now);
  if (::mkdir(aside.c_str(), S_IRWXU) != 0) {
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}.", aside.string(), std::generic_category().message(errno)));
  }
  for (const Downgrade::File& file : downgrade.files) {
    const auto ready = bring_here(home, file);
    if (!ready) return std::unexpected(ready.error());
    if (auto done = exchange(home / file.database, *ready, aside); !done)
      return std::unexpected(std::move(done.error()));
    if (auto synced = backup::sync_folder(aside); !synced) return std::unexpected(std::move(synced.error()));
    if (auto synced = backup::sync_folder(home); !synced) return std::unexpected(std::move(synced.error()));
  }
  return aside;
}

}  // namespace hearth::app
