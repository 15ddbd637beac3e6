// SPDX-License-Identifier: Apache-2.0
#include "archive/postgres_rows.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "archive/postgres_schema.h"
#include "base/text/timestamp.h"
#include "recorder/log/log_packer.h"

namespace hearth::archive {
namespace {

using base::Result;
using recorder::TailEntry;

// Rows of changes and events come into tables of the session first: COPY itself cannot leave out those that are there.
// Of entities that are new here, or have another name now, new_numbers has the last name.
constexpr const char* kStaging = R"(
CREATE TEMPORARY TABLE new_changes(
  epoch integer, sequence bigint, number bigint, entity_id text, updated timestamptz, changed timestamptz, state text,
  attributes text, measured boolean, context_id text, parent_id text, user_id text) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE new_events(
  epoch integer, sequence bigint, fired timestamptz, type text, data text, context_id text, parent_id text, user_id text)
  ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE new_numbers(
  site integer, epoch integer, number bigint, sequence bigint, entity_id text, entity integer) ON COMMIT DELETE ROWS;
)";

constexpr const char* kFindNumbers = R"(
WITH added AS (
  INSERT INTO new_numbers(site, epoch, number, sequence, entity_id, entity)
  SELECT epochs.site, named.epoch, named.number, named.sequence, named.entity_id, entities.id
  FROM (SELECT DISTINCT ON (epoch, number) epoch, number, sequence, entity_id FROM new_changes
        ORDER BY epoch, number, sequence DESC) AS named
    JOIN hearth.epochs ON epochs.id = named.epoch
    LEFT JOIN hearth.entity_numbers AS known ON known.epoch = named.epoch AND known.number = named.number
    LEFT JOIN hearth.entities ON entities.id = known.entity
  WHERE entities.id IS NULL OR (entities.entity_id <> named.entity_id AND named.sequence > epochs.until)
  RETURNING 1)
SELECT count(*) FROM added)";
// An entity that has another name now keeps its row, unless one has that name already: then that one is continued, as
// at home. Of several that want one name, the last one gets it.
constexpr const char* kRename = R"(
UPDATE hearth.entities SET entity_id = renamed.entity_id
FROM (SELECT DISTINCT ON (site, entity_id) site, entity_id, entity FROM new_numbers
      WHERE entity IS NOT NULL ORDER BY site, entity_id, sequence DESC) AS renamed
WHERE entities.id = renamed.entity
  AND NOT EXISTS (SELECT 1 FROM hearth.entities AS other WHERE other.site = renamed.site AND other.entity_id = renamed.entity_id))";
constexpr const char* kAddEntities = R"(
INSERT INTO hearth.entities(site, entity_id)
SELECT DISTINCT site, entity_id FROM new_numbers
WHERE NOT EXISTS (SELECT 1 FROM hearth.entities AS other WHERE other.site = new_numbers.site AND other.entity_id = new_numbers.entity_id)
ON CONFLICT DO NOTHING)";
constexpr const char* kAddNumbers = R"(
INSERT INTO hearth.entity_numbers(epoch, number, entity)
SELECT new_numbers.epoch, new_numbers.number, entities.id
FROM new_numbers JOIN hearth.entities ON entities.site = new_numbers.site AND entities.entity_id = new_numbers.entity_id
ON CONFLICT (epoch, number) DO UPDATE SET entity = excluded.entity)";
constexpr const char* kAddAttributes = R"(
INSERT INTO hearth.attribute_sets(hash, attributes)
SELECT DISTINCT sha256(convert_to(attributes, 'UTF8')), attributes FROM new_changes
WHERE attributes IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM hearth.attribute_sets WHERE hash = sha256(convert_to(new_changes.attributes, 'UTF8')))
ON CONFLICT DO NOTHING)";
// Of a measured entity, the statistics of days from the first of these on have to be made, or made again.
constexpr const char* kNoteDays = R"(
WITH touched AS (
  SELECT entity_numbers.entity, min(floor(extract(epoch FROM updated) / 86400))::integer AS day,
    bool_or(measured) AS measured
  FROM new_changes JOIN hearth.entity_numbers
    ON entity_numbers.epoch = new_changes.epoch AND entity_numbers.number = new_changes.number
  GROUP BY entity_numbers.entity),
noted AS (
  UPDATE hearth.entities SET statistics_from = touched.day, statistics_noted = now() FROM touched
  WHERE entities.id = touched.entity
    AND CASE WHEN statistics_from IS NULL THEN touched.measured ELSE statistics_from > touched.day END
  RETURNING entities.id, touched.day)
DELETE FROM hearth.statistics USING noted WHERE statistics.entity = noted.id AND statistics.day >= noted.day)";
constexpr const char* kAddChanges = R"(
INSERT INTO hearth.changes(epoch, sequence, entity, updated, changed, state, attributes, context_id, parent_id, user_id, measured)
SELECT new_changes.epoch, sequence, entity_numbers.entity, updated, changed, state, attribute_sets.id, context_id, parent_id,
  user_id, measured
FROM new_changes JOIN hearth.entity_numbers ON entity_numbers.epoch = new_changes.epoch AND entity_numbers.number = new_changes.number
  LEFT JOIN hearth.attribute_sets ON attribute_sets.hash = sha256(convert_to(new_changes.attributes, 'UTF8'))
ON CONFLICT DO NOTHING)";
constexpr const char* kAddEvents = R"(
INSERT INTO hearth.events(epoch, sequence, fired, type, data, context_id, parent_id, user_id)
SELECT * FROM new_events ON CONFLICT DO NOTHING)";

void copy_time(std::string& out, base::Timestamp time) {
  const auto text = base::format_timestamp(time);
  out.append(text.data(), text.size());
  out += '\t';
}

void copy_context(std::string& out, const recorder::Change& change) {
  for (const std::string_view text : {change.context_id, change.parent_id})
    text.empty() ? copy_null(out) : copy_text(out, text);
  change.user_id.empty() ? copy_null(out, '\n') : copy_text(out, change.user_id, '\n');
}

void copy_change(std::string& out, std::string_view epoch, const TailEntry& entry) {
  const recorder::Change& change = entry.change;
  fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\t", epoch, change.number, entry.entity);
  copy_text(out, entry.entity_id);
  copy_time(out, change.updated);
  copy_time(out, change.changed);
  change.removed ? copy_null(out) : copy_text(out, change.value);
  change.removed ? copy_null(out) : copy_text(out, change.attributes);
  out += recorder::is_measurement(change.attributes) ? "t\t" : "f\t";
  copy_context(out, change);
}

void copy_event(std::string& out, std::string_view epoch, const TailEntry& entry) {
  fmt::format_to(std::back_inserter(out), "{}\t{}\t", epoch, entry.change.number);
  copy_time(out, entry.change.updated);
  copy_text(out, entry.type);
  copy_text(out, entry.data);
  copy_context(out, entry.change);
}

std::unexpected<base::Error> no_row() {
  return base::fail(base::ErrorCode::internal, "PostgreSQL gives no number.");
}

}  // namespace

Result<void> run(PostgresConnection& connection, const std::string& sql, const std::vector<std::string>& parameters) {
  auto done = connection.run(sql, parameters);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    out += kDigits[static_cast<unsigned char>(byte) >> 4];
    out += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return out;
}

std::string from_hexadecimal(std::string_view digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  out.reserve(digits.size() / 2);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(value(digits[i]) << 4 | value(digits[i + 1]));
  return out;
}

Result<EpochRow> epoch_row(PostgresConnection& connection, const std::string& site, const std::string& history,
                           int most) {
  constexpr const char* kFind =
      "SELECT epochs.id, until FROM hearth.epochs JOIN hearth.sites ON sites.id = site WHERE name = $1 AND history = "
      "$2";
  auto rows = connection.run(kFind, {site, history});
  if (rows && rows->empty()) {
    if (auto added =
            run(connection,
                "INSERT INTO hearth.sites(name) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM hearth.sites WHERE name = "
                "$1) ON CONFLICT DO NOTHING",
                {site});
        !added)
      return std::unexpected(std::move(added.error()));
    auto added =
        run(connection,
            fmt::format("INSERT INTO hearth.epochs(site, history) SELECT id, $2 FROM hearth.sites WHERE name = $1 "
                        "AND (SELECT count(*) FROM hearth.epochs WHERE site = sites.id) < {} ON CONFLICT DO NOTHING",
                        most),
            {site, history});
    if (!added) return std::unexpected(std::move(added.error()));
    rows = connection.run(kFind, {site, history});
    if (rows && rows->empty()) {
      return base::fail(base::ErrorCode::full,
                        fmt::format("The site has had {} other files of history already.", most));
    }
  }
  if (!rows) return std::unexpected(std::move(rows.error()));
  const auto& row = rows->front();
  if (row.size() != 2 || !row[0] || !row[1]) return no_row();
  EpochRow found{*row[0], 0};
  std::from_chars(row[1]->data(), row[1]->data() + row[1]->size(), found.until);
  return found;
}

Result<PostgresRows> PostgresRows::prepare(PostgresConnection& connection) {
  if (auto made = run(connection, kStaging); !made) return std::unexpected(std::move(made.error()));
  return PostgresRows();
}

void PostgresRows::add(std::string_view epoch, const TailEntry& entry) {
  months_.insert(month_of(entry.change.updated).month);
  entry.is_event() ? copy_event(events_, epoch, entry) : copy_change(changes_, epoch, entry);
}

void PostgresRows::clear() {
  // Room for a usual transaction stays.
  constexpr std::size_t kKept = 512 * 1024;
  for (std::string* const rows : {&changes_, &events_}) {
    rows->clear();
    if (rows->capacity() > kKept) rows->shrink_to_fit();
  }
  months_.clear();
}

Result<void> PostgresRows::add_months(PostgresConnection& connection) {
  for (const std::chrono::year_month month : months_) {
    if (has_months_.contains(month)) continue;
    if (auto added = add_month(connection, {month}); !added) return added;
    has_months_.insert(month);
  }
  return {};
}

Result<void> PostgresRows::write(PostgresConnection& connection) {
  if (auto added = add_months(connection); !added) return added;
  if (!changes_.empty()) {
    if (auto done = connection.copy("COPY new_changes FROM STDIN", changes_); !done) return done;
    const auto fresh = connection.run(kFindNumbers);
    if (!fresh) return std::unexpected(fresh.error());
    if (fresh->empty() || fresh->front().empty() || !fresh->front().front()) return no_row();
    if (*fresh->front().front() != "0") {
      for (const char* const sql : {kRename, kAddEntities, kAddNumbers}) {
        if (auto done = run(connection, sql); !done) return done;
      }
    }
    if (auto done = run(connection, kAddAttributes); !done) return done;
    if (auto done = run(connection, kAddChanges); !done) return done;
    if (auto done = run(connection, kNoteDays); !done) return done;
  }
  if (!events_.empty()) {
    if (auto done = connection.copy("COPY new_events FROM STDIN", events_); !done) return done;
    if (auto done = run(connection, kAddEvents); !done) return done;
  }
  clear();
  return {};
}

}  // namespace hearth::archive
