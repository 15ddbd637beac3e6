// SPDX-License-Identifier: Apache-2.0
// Makes and stores the statistics of an entity's days after they have ended.
//
// One thread at a time for each reader and database.
#pragma once

#include "base/result.h"
#include "recorder/history/history_reader.h"
#include "storage/database.h"

namespace hearth::recorder {

// For the days from `first` up to, but excluding, `end`: in steps of five minutes. `total` is what the last stored day
// before ended with.
base::Result<std::vector<Statistics>> statistics_of_days(ChangeReader& reader, const std::string& entity_id,
                                                         const Total& total, std::int64_t first, std::int64_t end);

// For the days from `first` up to, but excluding, `end`; their changes must be packed. Imported statistics stay, and
// nothing is computed before they end. Writes to `database` in the caller's transaction, and reads the changes through
// `reader`.
base::Result<void> store_day_statistics(ChangeReader& reader, storage::Database& database, std::int64_t entity,
                                        const std::string& entity_id, std::int64_t first, std::int64_t end);

}  // namespace hearth::recorder
