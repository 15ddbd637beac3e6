// SPDX-License-Identifier: Apache-2.0
// What of a configuration folder is the home's: its databases, and the files of the user. Any thread; not for the bus
// thread, as it reads the disk.
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

// What the hub keeps in the folder beside the home, by the first name of a path. Neither backups nor restoring touch
// it.
constexpr std::string_view kBackupFolder = "backups";
constexpr std::string_view kPendingFolder = "restore.pending";
constexpr std::string_view kPlacingFolder = "restore.placing";
constexpr std::string_view kUnpackFolder = "restore.partial";
constexpr std::string_view kBeforePrefix = "before-restore-";
bool is_beside_home(std::string_view name);

// A database of the home, or what SQLite keeps beside it.
bool is_database(std::string_view name);

// Whether a backup may hold a file of this path: from the folder on, UTF-8 without control characters, without empty
// names, `.` or `..`, and none of the above but the two databases themselves.
bool is_home_path(std::string_view path);

// The user's files, in order: all plain files, those in folders too, but for backups, what a program keeps only for the
// moment (*.tmp, *.partial, *.swp, *~), and links that lead out of the folder (configuration.yaml alone may be one).
// What is left out although somebody may miss it is named in the log. Fails with unavailable where the folder cannot be
// read, with invalid where there are too many.
base::Result<std::vector<std::string>> user_files(const std::filesystem::path& folder);

}  // namespace hearth::backup
