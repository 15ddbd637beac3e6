// SPDX-License-Identifier: Apache-2.0
// Puts down the statistics of an entity's days once they are over.
//
// One thread at a time for each database.
#pragma once

#include "base/result.h"
#include "recorder/history_reader.h"
#include "storage/database.h"

namespace hearth::recorder {

// Of the days from `first` up to but not with `end`; the days' changes must be packed. `database` is written to, in the
// caller's transaction, and `reader` tells of the changes.
base::Result<void> put_down_days(HistoryReader& reader, storage::Database& database, std::int64_t entity,
                                 const std::string& entity_id, std::int64_t first, std::int64_t end);

}  // namespace hearth::recorder
