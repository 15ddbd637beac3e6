// SPDX-License-Identifier: Apache-2.0
// Tells which files of a configuration folder belong to the home: its databases, and the user's files. Any thread,
// except the bus thread, because it reads the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::backup {

constexpr std::string_view kHomeDatabase = "home.db";
constexpr std::string_view kHistoryDatabase = "history.db";
constexpr std::string_view kConfigurationFile = "configuration.yaml";
constexpr std::string_view kLastGoodFolder = ".last_good";  // copies of the configuration, which no backup has

// The hub's own files beside the home, by the first component of a path. Backups and restores ignore them.
constexpr std::string_view kBackupFolder = "backups";
constexpr std::string_view kPendingFolder = "restore.pending";
constexpr std::string_view kPlacingFolder = "restore.placing";
constexpr std::string_view kUnpackFolder = "restore.partial";
constexpr std::string_view kRestoredFile = "restored.json";
constexpr std::string_view kImportFolder = "import.partial";  // import_ha/import.h, as the next two
constexpr std::string_view kImportsFolder = "imports";
constexpr std::string_view kImportReport = "import.json";
constexpr std::string_view kClientIdFile = ".mqtt_client_id";  // integrations/mqtt/connection/client_id.h
constexpr std::string_view kBeforePrefix = "before-restore-";
constexpr std::string_view kUpgradesFolder = "upgrades";  // app/upgrade/kept_copies.h
constexpr std::string_view kBeforeDowngrade = "before-downgrade-";
bool is_beside_home(std::string_view name);

// A database of the home, or one of SQLite's files beside it.
bool is_database(std::string_view name);

// The audit log, which no backup has and no restore replaces.
constexpr std::string_view kAuditDatabase = "audit.db";

// True if a backup may contain this path: relative to the folder, UTF-8 without control characters, without empty
// components, `.` or `..`, and none of the above except the two databases.
bool is_home_path(std::string_view path);

// The user's files, sorted: all regular files, also in subfolders, except backups, temporary files (*.tmp, *.partial,
// *.swp, *~), and links that lead out of the folder (only configuration.yaml may be one). Logs what is left out if
// somebody may miss it. Fails with unavailable if the folder cannot be read, with invalid if there are too many files.
base::Result<std::vector<std::string>> user_files(const std::filesystem::path& folder);

}  // namespace hearth::backup
