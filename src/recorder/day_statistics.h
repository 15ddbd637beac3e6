// SPDX-License-Identifier: Apache-2.0
// Stores the statistics of an entity's days after they have ended.
//
// One thread at a time for each database.
#pragma once

#include "base/result.h"
#include "recorder/history_reader.h"
#include "storage/database.h"

namespace hearth::recorder {

// For the days from `first` up to, but excluding, `end`; their changes must be packed. Writes to `database` in the
// caller's transaction, and reads the changes through `reader`.
base::Result<void> store_day_statistics(HistoryReader& reader, storage::Database& database, std::int64_t entity,
                                        const std::string& entity_id, std::int64_t first, std::int64_t end);

}  // namespace hearth::recorder
