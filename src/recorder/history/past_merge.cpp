// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/past_merge.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "recorder/history/past_writer.h"
#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

// Changes of the past end with a number of 0 or less; the numbers of its events are below 0. The past that was there
// when the first file was copied is in both.
constexpr std::string_view kTakeChangesAndEvents = R"(
  INSERT OR IGNORE INTO main.entities(entity_id) SELECT entity_id FROM past.entities WHERE
    id IN (SELECT entity FROM past.segments WHERE last_change <= 0) OR
    id IN (SELECT CAST(substr(name, 16) AS INTEGER) FROM past.numbers WHERE name LIKE 'imported_until.%');
  CREATE TEMP TABLE numbers_here(there INTEGER PRIMARY KEY, here INTEGER NOT NULL);
  INSERT INTO temp.numbers_here
    SELECT t.id, h.id FROM past.entities t JOIN main.entities h ON h.entity_id = t.entity_id;
  DELETE FROM main.segments WHERE last_change <= 0;
  INSERT INTO main.segments(entity, last, last_change, first, changes, measurement, data)
    SELECT n.here, s.last, s.last_change, s.first, s.changes, s.measurement, s.data
    FROM past.segments s JOIN temp.numbers_here n ON n.there = s.entity WHERE s.last_change <= 0;
  INSERT OR IGNORE INTO main.users(user_id)
    SELECT user_id FROM past.users WHERE id IN (SELECT user FROM past.events WHERE id < 0);
  INSERT OR IGNORE INTO main.events(id, fired, type, data, context_id, parent_id, user)
    SELECT e.id, e.fired, e.type, e.data, e.context_id, e.parent_id,
      (SELECT h.id FROM main.users h JOIN past.users t ON t.user_id = h.user_id WHERE t.id = e.user)
    FROM past.events e WHERE e.id < 0;
)";

struct Numbered {
  std::int64_t there, here;
  base::Timestamp until;  // of its imported statistics
};

Result<std::vector<Numbered>> entities_with_statistics(storage::Database& database) {
  auto select = database.prepare(
      "SELECT n.there, n.here, u.value FROM temp.numbers_here n JOIN past.numbers u ON "
      "u.name = 'imported_until.' || n.there");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Numbered> entities;
  auto read = select->for_each(
      [&](const Statement& row) { entities.push_back({row.integer(0), row.integer(1), row.timestamp(2)}); });
  if (!read) return std::unexpected(std::move(read.error()));
  return entities;
}

// Days that are in one file only are copied as they are; of the others the imported steps are added.
Result<void> take_statistics(PastWriter& writer, const Numbered& entity) {
  storage::Database& database = writer.database();
  const std::int64_t first = statistics_row(entity.there, 0), end = statistics_row(entity.there + 1, 0);
  const std::int64_t moved = statistics_row(entity.here, 0) - first;
  std::vector<Statistics> imported;
  auto both = database.prepare(
      "SELECT t.data FROM past.statistics t JOIN main.statistics h ON h.id = t.id + ?3 "
      "WHERE t.id >= ?1 AND t.id < ?2 AND h.data <> t.data ORDER BY t.id");
  if (!both) return std::unexpected(std::move(both.error()));
  auto read = both->bind(first, end, moved).for_each([&](const Statement& row) {
    const auto steps = decode_statistics(row.blob(0));
    if (!steps) return;  // a damaged day has none
    for (const Statistics& step : *steps)
      if (step.imported) imported.push_back(step);
  });
  if (!read) return read;
  auto copied = database.run(
      "INSERT OR IGNORE INTO main.statistics(id, data) SELECT id + ?3, data FROM past.statistics "
      "WHERE id >= ?1 AND id < ?2",
      first, end, moved);
  if (!copied) return std::unexpected(std::move(copied.error()));
  auto added = writer.add_statistics(entity.here, imported);
  if (!added) return std::unexpected(std::move(added.error()));
  const auto until = imported_until(database, entity.here);
  if (!until) return std::unexpected(until.error());
  return set_imported_until(database, entity.here, std::max(*until, entity.until));
}

}  // namespace

Result<void> merge_past(const std::filesystem::path& past, const std::filesystem::path& history,
                        const storage::GoOn& go_on) {
  // Both with the tables of this version.
  if (auto made = open_history(past); !made) return std::unexpected(std::move(made.error()));
  auto writer = PastWriter::open(history);
  if (!writer) return std::unexpected(std::move(writer.error()));
  storage::Database& database = writer->database();
  {
    auto attach = database.prepare("ATTACH ? AS past");
    if (!attach) return std::unexpected(std::move(attach.error()));
    if (auto done = attach->bind(past.string()).run(); !done) return done;
  }
  auto transaction = storage::Transaction::begin(database, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (auto done = database.execute(kTakeChangesAndEvents); !done) return done;
  const auto entities = entities_with_statistics(database);
  if (!entities) return std::unexpected(entities.error());
  for (const Numbered& entity : *entities) {
    if (!go_on()) return base::fail(base::ErrorCode::unavailable, "The work was ended before it was done.");
    if (auto done = take_statistics(*writer, entity); !done) return done;
  }
  if (auto done = writer->compute_statistics_again(); !done) return done;
  if (auto done = database.execute("DROP TABLE temp.numbers_here"); !done) return done;
  return transaction->commit();
}

}  // namespace hearth::recorder
