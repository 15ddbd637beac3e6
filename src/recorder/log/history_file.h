// SPDX-License-Identifier: Apache-2.0
// The tables of history.db. docs/decisions explains them.
//
// One thread at a time for each connection.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::recorder {

// In a home's folder.
constexpr std::string_view kHistoryDatabase = "history.db", kHomeDatabase = "home.db";

// Creates the file and its tables if absent. Fails with unavailable.
base::Result<storage::Database> open_history(const std::filesystem::path& file);

// Of its tables.
storage::Schema history_schema();

// A random name of the file: numbers of changes are valid within one file only.
base::Result<std::string> history_name(storage::Database& database);

// Gives the history of a home whose hub does not run another name. What a restored home records has numbers that the
// home had used already, for other changes.
base::Result<void> rename_history(const std::filesystem::path& folder);

// Days count from 1970, in UTC.
constexpr std::int64_t kMicrosPerDay = std::int64_t(86'400) * 1'000'000;
constexpr std::int64_t day_of(base::Timestamp time) {
  const std::int64_t micros = time.time_since_epoch().count();
  return micros >= 0 ? micros / kMicrosPerDay : -((-micros - 1) / kMicrosPerDay) - 1;
}

// Days before this one need no merging any more.
constexpr std::string_view kMergedBefore = "merged_before";

// A number that a module stores in the file; 0 if it never did.
base::Result<std::int64_t> stored_number(storage::Database& database, std::string_view name);
base::Result<void> store_number(storage::Database& database, std::string_view name, std::int64_t value);

}  // namespace hearth::recorder
