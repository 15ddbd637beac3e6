// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/history_file.h"

#include <array>

#include "recorder/journal/last_states.h"

namespace hearth::recorder {
namespace {

using base::Result;

// `changes` is the log: appended to, packed into `segments`, emptied, and only ever searched by id, so that a change
// needs no index. Attribute sets live as long as the part of the log that refers to them.
//
// Segments are found by index; their rows are in the order of writing, without gaps. The least and the greatest number
// of their changes are null if nobody follows the log. Rows of statistics are ordered by entity and day, which make up
// their id.
constexpr std::array<std::string_view, 3> kHistorySteps{R"(
  CREATE TABLE history(name TEXT NOT NULL) STRICT;
  INSERT INTO history VALUES(lower(hex(randomblob(16))));
  CREATE TABLE numbers(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE entities(id INTEGER PRIMARY KEY, entity_id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE users(id INTEGER PRIMARY KEY, user_id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE attribute_sets(id INTEGER PRIMARY KEY, attributes TEXT NOT NULL) STRICT;
  CREATE TABLE changes(
    id INTEGER PRIMARY KEY,
    entity INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    changed INTEGER,
    value TEXT,
    attributes INTEGER,
    context_id TEXT,
    parent_id TEXT,
    user INTEGER
  ) STRICT;
  CREATE TABLE events(
    id INTEGER PRIMARY KEY,
    fired INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    context_id TEXT NOT NULL,
    parent_id TEXT,
    user INTEGER
  ) STRICT;
  CREATE INDEX events_fired ON events(fired);
  CREATE TABLE segments(
    entity INTEGER NOT NULL,
    last INTEGER NOT NULL,
    last_change INTEGER NOT NULL,
    first INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    measurement INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY(entity, last, last_change)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE statistics(
    entity INTEGER NOT NULL,
    day INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY(entity, day)
  ) STRICT, WITHOUT ROWID;
)",
                                                        R"(
  CREATE TABLE packed(
    id INTEGER PRIMARY KEY,
    entity INTEGER NOT NULL,
    last INTEGER NOT NULL,
    last_change INTEGER NOT NULL,
    first INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    measurement INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  INSERT INTO packed(entity, last, last_change, first, changes, measurement, data)
    SELECT entity, last, last_change, first, changes, measurement, data FROM segments;
  DROP TABLE segments;
  ALTER TABLE packed RENAME TO segments;
  CREATE UNIQUE INDEX segments_entity ON segments(entity, last, last_change);
  DROP TABLE statistics;
  CREATE TABLE statistics(id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
  DELETE FROM numbers WHERE name = 'merged_before';
)",
                                                        R"(
  ALTER TABLE segments ADD COLUMN first_number INTEGER;
  ALTER TABLE segments ADD COLUMN last_number INTEGER;
  CREATE INDEX segments_number ON segments(last_number, first_number) WHERE last_number IS NOT NULL;
)"};

}  // namespace

storage::Schema history_schema() {
  return {"history", kHistorySteps};
}

Result<storage::Database> open_history(const std::filesystem::path& file) {
  auto database = storage::Database::open(file, storage::Durability::full, storage::Shrinking::incremental);
  if (!database) return database;
  if (auto ready = storage::migrate(*database, "history", kHistorySteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return database;
}

Result<std::string> history_name(storage::Database& database) {
  auto select = database.prepare("SELECT name FROM history");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? std::string(select->text(0)) : std::string();
}

Result<void> rename_history(const std::filesystem::path& folder) {
  auto history = open_history(folder / kHistoryDatabase);
  if (!history) return std::unexpected(std::move(history.error()));
  const auto former = history_name(*history);
  if (!former) return std::unexpected(former.error());
  if (auto done = history->execute("UPDATE history SET name = lower(hex(randomblob(16)))"); !done) return done;
  const auto now = history_name(*history);
  if (!now) return std::unexpected(now.error());
  auto states = LastStates::open(folder / kHomeDatabase);
  if (!states) return std::unexpected(std::move(states.error()));
  const auto mark = states->mark();
  if (!mark) return std::unexpected(mark.error());
  if (mark->history != *former) return {};
  return states->save({}, {*now, mark->change});
}

Result<std::int64_t> stored_number(storage::Database& database, std::string_view name) {
  auto select = database.prepare("SELECT value FROM numbers WHERE name = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(name).step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? select->integer(0) : 0;
}

Result<void> store_number(storage::Database& database, std::string_view name, std::int64_t value) {
  auto done = database.run("INSERT OR REPLACE INTO numbers VALUES(?, ?)", name, value);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

}  // namespace hearth::recorder
