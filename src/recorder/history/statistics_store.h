// SPDX-License-Identifier: Apache-2.0
// Statistics of days that have ended, one row for each entity and day, kept for ever: they outlive the changes that
// they summarise. In steps of five minutes, packed: about five bytes a step.
//
// One thread at a time for each database.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/history/statistics.h"
#include "storage/database.h"

namespace hearth::recorder {

// Values keep six decimals, or fewer if they have more than 15 digits; of days with imported steps, sums and last
// values are exact, and the others have nine digits. REQUIRES: all of one day, in order.
std::string encode_statistics(std::span<const Statistics> steps);
// Fails with internal where the bytes are damaged.
base::Result<std::vector<Statistics>> decode_statistics(storage::Blob bytes);

// The number of a day's row: those of one entity are adjacent, ordered by day.
std::int64_t statistics_row(std::int64_t entity, std::int64_t day);

// Replaces what was stored for each of these days.
base::Result<void> store_statistics(storage::Database& database, std::int64_t entity,
                                    std::span<const Statistics> steps);

// The days from `first` to `last`, in order; damaged ones are skipped.
base::Result<std::vector<Statistics>> stored_statistics(storage::Database& database, std::int64_t entity,
                                                        std::int64_t first, std::int64_t last);

// The first day with statistics; null if there is none.
base::Result<std::optional<std::int64_t>> first_stored_day(storage::Database& database, std::int64_t entity);

// True if the last day with statistics has those of a total; null if there is none.
base::Result<std::optional<bool>> stored_as_total(storage::Database& database, std::int64_t entity);

// Until when the entity has imported statistics: nothing of that time is computed. 1970 if it has none.
base::Result<base::Timestamp> imported_until(storage::Database& database, std::int64_t entity);
base::Result<void> set_imported_until(storage::Database& database, std::int64_t entity, base::Timestamp until);

// The total at the end of the last day with statistics before this one.
base::Result<Total> stored_total(storage::Database& database, std::int64_t entity, std::int64_t before);

}  // namespace hearth::recorder
