// SPDX-License-Identifier: Apache-2.0
// Packs the log into segments, one for each entity and day; after a day has ended, merges an entity's segments of it.
//
// One thread at a time, the database's owner. Each call does a bounded piece of work, so that its caller can do other
// things in between.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "recorder/log/segment.h"
#include "storage/database.h"

namespace hearth::recorder {

// Entities with history; changes of others are dropped from the log.
using Keeps = std::function<bool(std::string_view entity_id)>;

// The numbers of changes up to `followed` are not kept: all who follow the log have read them. Nobody follows it:
constexpr std::int64_t kNobodyFollows = INT64_MAX;

// Packs the log, or a bounded part from its start, and deletes that part, except the newest change, which tells readers
// how far the file goes. `until` is the number of the last change that may go. Returns how many went. One transaction.
base::Result<std::size_t> pack_log(storage::Database& database, std::int64_t until, const Keeps& keeps, Effort effort,
                                   std::int64_t followed = kNobodyFollows);

// Merges some adjacent segments of one entity within one day, from the day `since` on and before `today`. False if none
// were left. In the caller's transaction.
base::Result<bool> merge_days(storage::Database& database, std::int64_t entity, std::int64_t since, std::int64_t today,
                              std::int64_t followed = kNobodyFollows);

// Stores changes of the past that no log has had, of another hub: in segments that end with a number of 0 or less, and
// never become one with segments of the log. The changes are in order of `updated`, and none of the entity's stored
// ones is between them. In the caller's transaction.
base::Result<void> pack_past(storage::Database& database, std::int64_t entity, std::span<const Change> changes);

// True if the attributes are a measurement's: they have a unit or a state class. Measurements have statistics and are
// not in the logbook.
bool is_measurement(std::string_view attributes_json);

}  // namespace hearth::recorder
