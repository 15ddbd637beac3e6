// SPDX-License-Identifier: Apache-2.0
#include "app/upgrade/upgrade.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "app/upgrade/home_schemas.h"
#include "app/upgrade/kept_copies.h"
#include "app/upgrade/program_record.h"
#include "base/log/log.h"
#include "storage/file_copy.h"
#include "storage/repair.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::chrono::seconds kSignOfLife{1};

std::string advice_to_go_back(const fs::path& home) {
  const auto copies = kept_copies(home);
  if (copies.empty()) return "Install that version again, or restore a backup into an empty folder: hearth restore.";
  const KeptCopy& newest = copies.back();
  return fmt::format(
      "Install that version again, or go back to what was there on {} UTC: hearth downgrade --to {} --config {}.",
      minute_text(newest.made), newest.from, home.string());
}

std::unexpected<base::Error> refusal(const fs::path& home, const HomeAge& age) {
  std::vector<std::string> tables;
  for (const std::string& database : age.newer) {
    const auto& versions = age.schemas.at(database);
    for (const storage::Schema& schema : schemas_of(database)) {
      const auto found = versions.find(schema.module);
      if (found == versions.end() || found->second <= static_cast<std::int64_t>(schema.steps.size())) continue;
      tables.push_back(
          fmt::format("tables of {}: version {}, known here: {}", schema.module, found->second, schema.steps.size()));
    }
  }
  return base::fail(ErrorCode::unavailable, fmt::format("{} was written by a newer version of Hearth ({}; {}). {}",
                                                        (home / age.newer.front()).string(), age.version,
                                                        fmt::join(tables, ", "), advice_to_go_back(home)));
}

// The folder of an upgrade that was interrupted, or a new one.
Result<KeptCopy> copy_to_make(const fs::path& home, const HomeAge& age, std::string_view version, base::Timestamp now) {
  for (KeptCopy& copy : kept_copies(home)) {
    if (copy.finished) continue;
    base::log_warning("upgrade", "an upgrade was interrupted; it begins again");
    // If the first attempt has changed some files, their copies are there, and stay.
    const bool all_unchanged = std::ranges::all_of(
        copy.schemas, [&](const auto& each) { return std::ranges::find(age.older, each.first) != age.older.end(); });
    if (all_unchanged) {
      copy.from = age.version;
      copy.made = now;
    }
    copy.to = version;
    return std::move(copy);
  }
  return make_kept_copy(home, age.version, std::string(version), now);
}

Result<void> copy_databases(const fs::path& home, const HomeAge& age, KeptCopy& copy, const storage::GoOn& go_on) {
  for (const std::string& database : age.older) {
    // A damaged file is repaired first: its copy would be of no use.
    if (auto repaired = storage::repair_if_damaged(home / database); !repaired)
      return std::unexpected(std::move(repaired.error()));
    copy.schemas[database] = age.schemas.at(database);
  }
  if (auto written = write_record(copy); !written) return written;
  for (const std::string& database : age.older) {
    auto copied = storage::copy_file(home / database, copy.folder / database, go_on);
    if (copied) continue;
    if (copied.error().code != ErrorCode::full) return copied;
    return base::fail(
        ErrorCode::full,
        fmt::format("The upgrade has not begun, and nothing is changed: it first copies {}, but {}. Make room (old "
                    "backups, logs), or make {} a link to a folder on a larger disk; then start again. Until then the "
                    "version that ran before, {}, can run.",
                    fmt::join(age.older, " and "), copied.error().message, (home / kUpgradesFolder).string(),
                    age.version));
  }
  return {};
}

// A step cannot be cancelled; `go_on` is called, because a service manager waits.
Result<void> change_database(const fs::path& file, std::string_view name, const storage::GoOn& go_on) {
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  database->while_running([&go_on, last = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < kSignOfLife) return;
    last = now;
    go_on();
  });
  return storage::migrate_together(*database, schemas_of(name));
}

// An upgrade that was killed after its last step.
void finish_interrupted(const fs::path& home) {
  for (KeptCopy& copy : kept_copies(home)) {
    if (copy.finished) continue;
    copy.finished = true;
    if (auto written = write_record(copy); !written) base::log_warning("upgrade", "{}", written.error().message);
  }
}

}  // namespace

Result<HomeAge> age_of_home(const fs::path& home) {
  HomeAge age;
  for (const std::string_view name : kDatabases) {
    const fs::path file = home / name;
    std::error_code absent;
    if (fs::file_size(file, absent) == 0 || absent) continue;
    auto database = storage::Database::open_to_read(file);
    if (!database) return std::unexpected(std::move(database.error()));
    auto versions = storage::schema_versions(*database);
    if (!versions && database->damaged()) continue;
    if (!versions) return std::unexpected(std::move(versions.error()));
    if (name == kDatabases.front()) {
      auto version = recorded_version(*database);
      if (!version && !database->damaged()) return std::unexpected(std::move(version.error()));
      age.version = version.value_or(std::string(kFirstVersion));
    }
    const storage::SchemaAge found = storage::compare_schemas(*versions, schemas_of(name));
    if (found == storage::SchemaAge::older) age.older.emplace_back(name);
    if (found == storage::SchemaAge::newer) age.newer.emplace_back(name);
    age.schemas.emplace(name, std::move(*versions));
  }
  return age;
}

Result<void> upgrade_home(const fs::path& home, std::string_view version, base::Timestamp now,
                          const storage::GoOn& go_on) {
  const auto age = age_of_home(home);
  if (!age) return std::unexpected(age.error());
  if (!age->newer.empty()) return refusal(home, *age);
  if (age->older.empty()) {
    finish_interrupted(home);
    return {};
  }
  auto copy = copy_to_make(home, *age, version, now);
  if (!copy) return std::unexpected(std::move(copy.error()));
  base::log_info("upgrade", "Hearth {} has written {}; {} changes their tables, and first keeps copies in {}",
                 age->version, fmt::join(age->older, " and "), version, copy->folder.string());
  if (auto copied = copy_databases(home, *age, *copy, go_on); !copied) {
    // Nothing of it is left: the next start would look for it in vain.
    const bool nothing = std::ranges::none_of(kDatabases, [&](std::string_view name) { return copy->has(name); });
    std::error_code ignored;
    if (nothing) fs::remove_all(copy->folder, ignored);
    ::rmdir((home / kUpgradesFolder).c_str());  // if it is empty, and no link
    return copied;
  }
  for (const std::string& database : age->older) {
    if (auto changed = change_database(home / database, database, go_on); !changed) return changed;
    base::log_info("upgrade", "{} is changed", database);
  }
  copy->finished = true;
  if (auto written = write_record(*copy); !written) return written;
  base::log_info("upgrade", "done; the copies are kept for {} days: hearth downgrade puts them back",
                 kCopiesAreKept.count());
  return {};
}

}  // namespace hearth::app
