// SPDX-License-Identifier: Apache-2.0
// The versions of Hearth that have run with a home, in home.db: which one wrote the tables.
//
// One thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::app {

// Homes without a record are of this version, the only one until versions were recorded.
constexpr std::string_view kFirstVersion = "2026.11.0";

storage::Schema program_schema();

// The version that ran last. Also for a database that was opened to read.
base::Result<std::string> recorded_version(storage::Database& database);
// Writes only if another version ran last.
base::Result<void> record_version(storage::Database& database, std::string_view version, base::Timestamp now);

}  // namespace hearth::app
