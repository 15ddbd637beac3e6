// SPDX-License-Identifier: Apache-2.0
// The tables of history.db. docs/decisions says why they are so.
//
// One thread at a time for each connection.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::recorder {

// Makes the file and its tables where there are none. Fails with unavailable.
base::Result<storage::Database> open_history(const std::filesystem::path& file);

// The file's own name among all histories, random: numbers of changes mean something within one file only.
base::Result<std::string> history_name(storage::Database& database);

// Days count from 1970, in UTC.
constexpr std::int64_t kMicrosPerDay = std::int64_t(86'400) * 1'000'000;
constexpr std::int64_t day_of(base::Timestamp time) {
  const std::int64_t micros = time.time_since_epoch().count();
  return micros >= 0 ? micros / kMicrosPerDay : -((-micros - 1) / kMicrosPerDay) - 1;
}

// The day before which no days are to be joined any more.
constexpr std::string_view kMergedBefore = "merged_before";

// A number that a module keeps in the file, 0 where it never did.
base::Result<std::int64_t> stored_number(storage::Database& database, std::string_view name);
base::Result<void> store_number(storage::Database& database, std::string_view name, std::int64_t value);

}  // namespace hearth::recorder
