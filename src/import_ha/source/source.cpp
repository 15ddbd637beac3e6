// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/digest.h"
#include "import_ha/source/backup_unpacker.h"
#include "import_ha/source/contained_file.h"
#include "import_ha/source/database_opener.h"
#include "import_ha/source/fingerprint.h"
#include "import_ha/source/needed_files.h"
#include "import_ha/source/other_hub.h"
#include "import_ha/source/storage_versions.h"

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

constexpr std::string_view kStorageOfSource = ".storage";
// The folder in the other hub's containers, which a `db_url` there names.
constexpr std::string_view kContainerFolder = "/config";

std::string without_blanks_around(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::unexpected<base::Error> no_folder(const fs::path& where) {
  return base::fail(ErrorCode::invalid,
                    fmt::format("{} is no Home Assistant folder: there is no .storage/core.config in it. In an "
                                "installation with add-ons the folder is /config.",
                                where.native()));
}

// An empty folder for this process alone.
Result<void> make_empty_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (error)
    return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be made: {}.", folder.native(), error.message()));
  return {};
}

}  // namespace

Result<Source> Source::open(const fs::path& where, Options options, Report& report) {
  Source source;
  source.options_ = std::move(options);
  source.where_ = where;
  std::error_code error;
  const auto status = fs::status(where, error);
  if (status.type() == fs::file_type::not_found)
    return base::fail(ErrorCode::invalid, fmt::format("{}: there is no such file or folder.", where.native()));
  if (error) return unreadable(where.native(), error.value());
  std::string version_of_backup;
  if (fs::is_directory(status)) {
    source.folder_ = fs::canonical(where, error);
    if (error) return unreadable(where.native(), error.value());
    report.source.kind = "folder";
  } else {
    source.is_backup_ = true;
    report.source.kind = "backup";
    auto unpacked = source.unpack(report);
    if (!unpacked) return std::unexpected(std::move(unpacked.error()));
    version_of_backup = std::move(*unpacked);
  }
  if (auto complete = source.check_files(); !complete) return std::unexpected(std::move(complete.error()));
  if (auto found = source.find_version(std::move(version_of_backup), report); !found)
    return std::unexpected(std::move(found.error()));
  source.find_running_hub(report);
  auto print = source.fingerprint();
  if (!print) return std::unexpected(std::move(print.error()));
  report.source.fingerprint = std::move(*print);
  return source;
}

Result<std::string> Source::unpack(Report& report) {
  const fs::path folder = options_.scratch / "unpacked";
  std::error_code error;
  fs::create_directories(options_.scratch, error);
  if (auto made = make_empty_folder(folder); !made) return std::unexpected(std::move(made.error()));
  fs::permissions(options_.scratch, fs::perms::owner_all, error);
  folder_ = fs::canonical(folder, error);
  if (error) return unreadable(folder.native(), error.value());
  OldBackup backup{where_, options_.passphrase, options_.history, options_.go_on};
  auto unpacked = unpack_old_backup(backup, folder_, report);
  if (!unpacked) return std::unexpected(std::move(unpacked.error()));
  if (unpacked->without_database && options_.history) {
    report.attend("no_history", "The backup was made without the database, so the past is not in it.",
                  "Make a backup with the history, or import the folder.");
  }
  return std::move(unpacked->version);
}

Result<void> Source::check_files() const {
  std::error_code error;
  const auto storage = fs::status(folder_ / kStorageOfSource, error);
  if (error && storage.type() == fs::file_type::none) return unreadable(kStorageOfSource, error.value());
  if (!fs::is_directory(storage)) return no_folder(where_);
  // Each is read by a step; here it is only looked for, so that nothing is written in vain.
  const auto is_there = [&](std::string_view name) -> Result<bool> {
    const auto place = locate_within(folder_, name);
    if (!place) return std::unexpected(place.error());
    if (!*place) return false;
    if (::faccessat(AT_FDCWD, (*place)->c_str(), R_OK, AT_EACCESS) != 0) return unreadable(name, errno);
    return true;
  };
  const auto config = is_there(".storage/core.config");
  if (!config) return std::unexpected(config.error());
  const auto yaml = is_there("configuration.yaml");
  if (!yaml) return std::unexpected(yaml.error());
  if (!*config && !*yaml) {
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{}: there is neither .storage/core.config nor configuration.yaml, so nothing says "
                                  "where this home is and what it has.",
                                  where_.native()));
  }
  const auto registry = is_there(".storage/core.entity_registry");
  if (!registry) return std::unexpected(registry.error());
  if (!*registry) {
    return base::fail(
        ErrorCode::unavailable,
        fmt::format("{}: there is no .storage/core.entity_registry, without which no entity has its name. "
                    "Home Assistant may have put it aside as core.entity_registry.corrupt…; then start "
                    "from a backup.",
                    where_.native()));
  }
  if (const auto database = is_there(kHistoryFile); !database && options_.history)
    return std::unexpected(database.error());
  return {};
}

Result<void> Source::find_version(std::string of_backup, Report& report) {
  auto text = read_text(".HA_VERSION");
  if (!text) return std::unexpected(std::move(text.error()));
  version_ = *text ? without_blanks_around(**text) : std::move(of_backup);
  report.source.version = version_;
  const auto old = is_old_release(version_);
  if (!old) {
    report.attend("unknown_version",
                  version_.empty() ? "The version of this Home Assistant is not known: there is no .HA_VERSION."
                                   : "The version of this Home Assistant is not known: .HA_VERSION holds no release.",
                  "Compare the report with the old home more closely.");
  } else if (*old) {
    report.attend("old_version", fmt::format("Home Assistant {} is older than those that were studied.", version_),
                  "Update Home Assistant first, or compare the report with the old home more closely.");
  }
  return {};
}

void Source::find_running_hub(Report& report) {
  if (is_backup_) return;
  RunningSign sign = find_running(folder_);
  running_ = sign.running;
  report.source.running = sign.running;
  report.source.running_sign = std::move(sign.text);
  if (running_)
    report.note(
        "Home Assistant runs, or was killed: changes of the last ten seconds before the import may be missing.");
}

Result<std::string> Source::fingerprint(const fs::path& elsewhere) const {
  if (is_backup_) return fingerprint_of_file(where_, where_.native());
  auto files = fingerprint_of_files(folder_);
  if (!files) return files;
  const auto place = locate_history(elsewhere);
  if (!place) return options_.history ? Result<std::string>(std::unexpected(place.error())) : files;
  std::string database;
  if (place->file) {
    auto found = fingerprint_of_database(*place->file, place->name);
    if (!found && options_.history) return found;
    if (found) database = std::move(*found);
  }
  return base::sha256_hex(*files + database);
}

Result<Source::HistoryPlace> Source::locate_history(const fs::path& elsewhere) const {
  if (elsewhere.is_absolute()) {
    std::error_code error;
    fs::path place = fs::canonical(elsewhere, error);
    if (!error && !is_backup_) return HistoryPlace{std::move(place), elsewhere.native()};
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
      return unreadable(elsewhere.native(), error.value());
    const fs::path inside = elsewhere.lexically_relative(kContainerFolder);
    if (inside.empty() || *inside.begin() == "..") return HistoryPlace{{}, elsewhere.native()};
    auto found = locate_within(folder_, inside);
    if (!found) return std::unexpected(std::move(found.error()));
    return HistoryPlace{std::move(*found), inside.native()};
  }
  const fs::path name = elsewhere.empty() ? fs::path(kHistoryFile) : elsewhere.lexically_normal();
  auto found = locate_within(folder_, name);
  if (!found) return std::unexpected(std::move(found.error()));
  return HistoryPlace{std::move(*found), name.native()};
}

Result<std::optional<OldDatabase>> Source::open_history(const fs::path& elsewhere, Report& report) {
  auto place = locate_history(elsewhere);
  if (!place) return std::unexpected(std::move(place.error()));
  if (!place->file) return std::optional<OldDatabase>();
  auto database = OldDatabaseOpener::open({.file = std::move(*place->file),
                                           .name = std::move(place->name),
                                           .scratch = options_.scratch / "database",
                                           .running = running_,
                                           .accept_newer = options_.accept_newer,
                                           .go_on = options_.go_on,
                                           .moment = options_.moment});
  if (!database) return std::unexpected(std::move(database.error()));
  if (database->schema() != 0) report.source.schema = database->schema();
  if (database->schema() > kNewestSchema) {
    report.attend("newer_version",
                  fmt::format("{} has schema {}; this Hearth knows {} to {}.", database->name(), database->schema(),
                              kOldestSchema, kNewestSchema),
                  "Compare some of the history with the old home.");
  }
  return std::optional(std::move(*database));
}

}  // namespace hearth::import_ha
