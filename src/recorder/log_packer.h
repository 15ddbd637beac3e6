// SPDX-License-Identifier: Apache-2.0
// Puts history in order: the log into segments, one for each entity and day that it holds; and, once a day is over, the
// segments that it left for an entity into one.
//
// One thread at a time, the one that owns the database. Each call is a bounded piece of work: its caller has other
// things to do in between.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "recorder/segment.h"
#include "storage/database.h"

namespace hearth::recorder {

// Entities whose history is kept; what the log has of others is dropped.
using Keeps = std::function<bool(std::string_view entity_id)>;

// Empties the log, or a bounded part of it from its start, but for its newest change, which is how a reader knows how
// far the file goes. `until`: the number of the last change that may go. Returns how many went. One transaction.
base::Result<std::size_t> pack_log(storage::Database& database, std::int64_t until, const Keeps& keeps, Effort effort);

// Joins some segments of one entity that lie side by side within one day before `today`, from the day `since` on. False
// where there were none left to join. In the caller's transaction.
base::Result<bool> merge_days(storage::Database& database, std::int64_t entity, std::int64_t since, std::int64_t today);

// Whether the attributes are those of something that is measured: it has a unit, or a class of state. What is measured
// has statistics and no place in the logbook.
bool is_measurement(std::string_view attributes_json);

}  // namespace hearth::recorder
