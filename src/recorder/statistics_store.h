// SPDX-License-Identifier: Apache-2.0
// Statistics of days that are over, one row for each entity and day, kept for ever: what was measured outlives the
// changes that it was measured by. As those, in steps of five minutes and packed: about five bytes a step.
//
// One thread at a time for each database.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/statistics.h"
#include "storage/database.h"

namespace hearth::recorder {

// Values keep six decimals, or as many as leave 15 digits. REQUIRES: all of one day, in order.
std::string encode_statistics(std::span<const Statistics> steps);
// Fails with internal where the bytes are damaged.
base::Result<std::vector<Statistics>> decode_statistics(storage::Blob bytes);

// Each of these days in place of what there was of it.
base::Result<void> store_statistics(storage::Database& database, std::int64_t entity,
                                    std::span<const Statistics> steps);

// Of the days from `first` to `last`, in order; what is damaged is left out.
base::Result<std::vector<Statistics>> stored_statistics(storage::Database& database, std::int64_t entity,
                                                        std::int64_t first, std::int64_t last);

// The first day that has statistics; nothing where none has.
base::Result<std::optional<std::int64_t>> first_stored_day(storage::Database& database, std::int64_t entity);

// What the total had come to at the end of the last day before this one that has statistics.
base::Result<Total> stored_total(storage::Database& database, std::int64_t entity, std::int64_t before);

}  // namespace hearth::recorder
