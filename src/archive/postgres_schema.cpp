// SPDX-License-Identifier: Apache-2.0
#include "archive/postgres_schema.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace hearth::archive {
namespace {

using base::Result;

// Numbers of changes are valid within one file of history, an epoch. An entity keeps its row if it is renamed. Texts of
// attributes are as the home has them: a cast to jsonb makes them searchable.
constexpr std::array<const char*, 2> kSteps = {R"(
CREATE TABLE hearth.sites(id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE hearth.epochs(
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site integer NOT NULL REFERENCES hearth.sites,
  history text NOT NULL,
  UNIQUE(site, history));
CREATE TABLE hearth.entities(
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site integer NOT NULL REFERENCES hearth.sites,
  entity_id text NOT NULL,
  UNIQUE(site, entity_id));
CREATE TABLE hearth.entity_numbers(
  epoch integer NOT NULL REFERENCES hearth.epochs,
  number bigint NOT NULL,
  entity integer NOT NULL REFERENCES hearth.entities,
  PRIMARY KEY(epoch, number));
CREATE TABLE hearth.attribute_sets(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  attributes text NOT NULL);
CREATE TABLE hearth.changes(
  epoch integer NOT NULL,
  sequence bigint NOT NULL,
  entity integer NOT NULL,
  updated timestamptz NOT NULL,
  changed timestamptz NOT NULL,
  state text,
  attributes bigint,
  context_id text,
  parent_id text,
  user_id text,
  PRIMARY KEY(epoch, sequence, updated)) PARTITION BY RANGE(updated);
CREATE INDEX changes_updated ON hearth.changes USING brin(updated);
CREATE INDEX changes_entity ON hearth.changes(entity, updated);
CREATE TABLE hearth.changes_other PARTITION OF hearth.changes DEFAULT;
CREATE TABLE hearth.events(
  epoch integer NOT NULL,
  sequence bigint NOT NULL,
  fired timestamptz NOT NULL,
  type text NOT NULL,
  data text NOT NULL,
  context_id text,
  parent_id text,
  user_id text,
  PRIMARY KEY(epoch, sequence, fired)) PARTITION BY RANGE(fired);
CREATE INDEX events_fired ON hearth.events USING brin(fired);
CREATE TABLE hearth.events_other PARTITION OF hearth.events DEFAULT;
CREATE VIEW hearth.states AS
  SELECT sites.name AS site, entities.entity_id, changes.updated, changes.changed, changes.state,
    attribute_sets.attributes, changes.context_id, changes.parent_id, changes.user_id
  FROM hearth.changes JOIN hearth.entities ON entities.id = changes.entity JOIN hearth.sites ON sites.id = entities.site
    LEFT JOIN hearth.attribute_sets ON attribute_sets.id = changes.attributes;
)",
                                               R"(
ALTER TABLE hearth.epochs ADD COLUMN until bigint NOT NULL DEFAULT 0;
CREATE TABLE hearth.gaps(
  epoch integer NOT NULL REFERENCES hearth.epochs,
  after bigint NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY(epoch, after));
ALTER TABLE hearth.changes ADD COLUMN measured boolean NOT NULL DEFAULT false;
CREATE INDEX changes_others ON hearth.changes(updated, entity) WHERE NOT measured;
CREATE INDEX events_order ON hearth.events(fired, epoch, sequence);
DROP INDEX hearth.events_fired;
ALTER TABLE hearth.entities ADD COLUMN statistics_from integer, ADD COLUMN statistics_noted timestamptz;
CREATE INDEX entities_statistics_from ON hearth.entities(statistics_from);
CREATE TABLE hearth.statistics(
  entity integer NOT NULL REFERENCES hearth.entities,
  day integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY(entity, day));
CREATE TABLE hearth.places(engine text PRIMARY KEY, place bigint NOT NULL);
CREATE TABLE hearth.kept_aside(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kept timestamptz NOT NULL DEFAULT now(),
  site text NOT NULL,
  engine text NOT NULL,
  place bigint NOT NULL,
  reason text NOT NULL,
  payload bytea NOT NULL);
)"};

constexpr std::string_view kTables[] = {"changes", "events"};

Result<int> version_of(PostgresConnection& connection) {
  auto rows = connection.run("SELECT version FROM hearth.schema_version");
  if (!rows) return std::unexpected(std::move(rows.error()));
  if (rows->empty() || rows->front().empty() || !rows->front().front()) return 0;
  int version = 0;
  const std::string& text = *rows->front().front();
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

Result<void> migrate(PostgresConnection& connection) {
  // The lock is held until the transaction ends; the number is the archive's own.
  auto locked = connection.run(
      "SELECT pg_advisory_xact_lock(4802317); CREATE SCHEMA IF NOT EXISTS hearth; "
      "CREATE TABLE IF NOT EXISTS hearth.schema_version(version integer NOT NULL)");
  if (!locked) return std::unexpected(std::move(locked.error()));
  const auto version = version_of(connection);
  if (!version) return std::unexpected(version.error());
  if (*version > static_cast<int>(kSteps.size())) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("A newer hub made the archive's tables: version {}, and this hub knows {}.", *version,
                                  kSteps.size()));
  }
  if (*version == static_cast<int>(kSteps.size())) return {};
  // Existing tables may need indexes.
  constexpr std::chrono::hours kPatienceOfUpgrade{6};
  connection.set_patience(kPatienceOfUpgrade);
  for (std::size_t step = static_cast<std::size_t>(*version); step < kSteps.size(); ++step) {
    if (auto done = connection.run(kSteps[step]); !done) return std::unexpected(std::move(done.error()));
  }
  auto noted = connection.run(
      fmt::format("DELETE FROM hearth.schema_version; INSERT INTO hearth.schema_version VALUES({})", kSteps.size()));
  if (!noted) return std::unexpected(std::move(noted.error()));
  return {};
}

}  // namespace

Result<void> prepare_schema(PostgresConnection& connection) {
  if (connection.server_version() < kLeastServer) {
    return base::fail(
        base::ErrorCode::unavailable,
        fmt::format("PostgreSQL {} is too old: the archive needs 13 or newer.", connection.server_version() / 10'000));
  }
  if (auto begun = connection.run("BEGIN"); !begun) return std::unexpected(std::move(begun.error()));
  const auto patience = connection.patience();
  auto migrated = migrate(connection);
  connection.set_patience(patience);
  if (!migrated) return migrated;
  auto ended = connection.run("COMMIT");
  if (!ended) return std::unexpected(std::move(ended.error()));
  return {};
}

std::string Month::name() const {
  return fmt::format("y{:04}m{:02}", static_cast<int>(month.year()), static_cast<unsigned>(month.month()));
}

std::string Month::first_day() const {
  return fmt::format("{:04}-{:02}-01", static_cast<int>(month.year()), static_cast<unsigned>(month.month()));
}

std::string Month::next_month() const {
  return Month{month + std::chrono::months(1)}.first_day();
}

Month month_of(base::Timestamp time) {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
  return {day.year() / day.month()};
}

Result<void> add_month(PostgresConnection& connection, const Month& month) {
  const int year = static_cast<int>(month.month.year());
  if (year < kFirstYear || year > kLastYear) return {};
  // Beside another writer that adds it, too, IF NOT EXISTS alone may fail.
  if (auto locked = connection.run("SELECT pg_advisory_xact_lock(4802317)"); !locked)
    return std::unexpected(std::move(locked.error()));
  for (const std::string_view table : kTables) {
    auto made = connection.run(
        fmt::format("CREATE TABLE IF NOT EXISTS hearth.{0}_{1} PARTITION OF hearth.{0} FOR VALUES FROM ('{2} "
                    "00:00:00+00') TO ('{3} 00:00:00+00')",
                    table, month.name(), month.first_day(), month.next_month()));
    if (!made) return std::unexpected(std::move(made.error()));
  }
  return {};
}

Result<std::optional<base::Timestamp>> oldest_month(PostgresConnection& connection) {
  // Few are empty. The default partition, of years that no clock should show, is not looked at.
  const auto parts = connection.run(
      "SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent IN "
      "('hearth.changes'::regclass, 'hearth.events'::regclass) AND relname ~ '_y[0-9]{4}m[0-9]{2}$' ORDER BY "
      "right(relname, 8)");
  if (!parts) return std::unexpected(parts.error());
  for (const auto& part : *parts) {
    const std::string name = part.front().value_or("");
    const auto any = connection.run("SELECT 1 FROM hearth." + name + " LIMIT 1");
    if (!any) return std::unexpected(any.error());
    if (any->empty()) continue;
    const std::string_view digits = std::string_view(name).substr(name.size() - 8);  // y2026m11
    int year = 0;
    unsigned month = 0;
    std::from_chars(digits.data() + 1, digits.data() + 5, year);
    std::from_chars(digits.data() + 6, digits.data() + 8, month);
    return base::Timestamp(std::chrono::sys_days(std::chrono::year(year) / std::chrono::month(month) / 1));
  }
  return std::optional<base::Timestamp>();
}

Result<std::size_t> drop_months(PostgresConnection& connection, base::Timestamp before) {
  std::size_t dropped = 0;
  for (const std::string_view table : kTables) {
    const std::string prefix = fmt::format("{}_y", table);
    auto rows = connection.run(
        fmt::format("SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = "
                    "'hearth.{}'::regclass AND relname ~ '^{}[0-9]{{4}}m[0-9]{{2}}$' ORDER BY relname",
                    table, prefix));
    if (!rows) return std::unexpected(std::move(rows.error()));
    // A month ends before that time if the next one begins up to it.
    const std::string least = prefix + month_of(before).name().substr(1);
    for (const auto& row : *rows) {
      if (!row.front() || *row.front() >= least) continue;
      if (auto gone = connection.run("DROP TABLE hearth." + *row.front()); !gone)
        return std::unexpected(std::move(gone.error()));
      ++dropped;
    }
  }
  return dropped;
}

}  // namespace hearth::archive
