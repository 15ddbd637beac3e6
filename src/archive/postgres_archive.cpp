// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "archive/archive.h"
#include "archive/postgres_connection.h"
#include "archive/postgres_schema.h"
#include "base/log.h"
#include "base/timestamp.h"

namespace hearth::archive {
namespace {

using base::Result;
using recorder::TailEntry;
using recorder::TailPart;

constexpr base::Duration kDropInterval = std::chrono::hours(1);
constexpr std::string_view kName = "archive";

// Rows of changes and events come into tables of the session first: COPY itself cannot leave out those that are there.
constexpr const char* kStaging = R"(
CREATE TEMPORARY TABLE new_changes(
  sequence bigint, number bigint, entity_id text, updated timestamptz, changed timestamptz, state text, attributes text,
  context_id text, parent_id text, user_id text) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE new_events(
  sequence bigint, fired timestamptz, type text, data text, context_id text, parent_id text, user_id text)
  ON COMMIT DELETE ROWS;
)";

// $1 is the epoch, $2 the site. An entity that has another name now keeps its row, unless one has that name already:
// then that one is continued, as at home.
constexpr const char* kRename = R"(
UPDATE hearth.entities SET entity_id = named.entity_id
FROM (SELECT DISTINCT number, entity_id FROM new_changes) AS named
JOIN hearth.entity_numbers ON entity_numbers.epoch = $1::integer AND entity_numbers.number = named.number
WHERE entities.id = entity_numbers.entity AND entities.entity_id <> named.entity_id
  AND NOT EXISTS (SELECT 1 FROM hearth.entities AS other WHERE other.site = $2::integer AND other.entity_id = named.entity_id))";
constexpr const char* kAddEntities = R"(
INSERT INTO hearth.entities(site, entity_id)
SELECT DISTINCT $1::integer, entity_id FROM new_changes ON CONFLICT DO NOTHING)";
constexpr const char* kAddNumbers = R"(
INSERT INTO hearth.entity_numbers(epoch, number, entity)
SELECT DISTINCT $1::integer, new_changes.number, entities.id
FROM new_changes JOIN hearth.entities ON entities.site = $2::integer AND entities.entity_id = new_changes.entity_id
ON CONFLICT (epoch, number) DO UPDATE SET entity = excluded.entity)";
constexpr const char* kAddAttributes = R"(
INSERT INTO hearth.attribute_sets(hash, attributes)
SELECT DISTINCT sha256(convert_to(attributes, 'UTF8')), attributes FROM new_changes
WHERE attributes IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM hearth.attribute_sets WHERE hash = sha256(convert_to(new_changes.attributes, 'UTF8')))
ON CONFLICT DO NOTHING)";
constexpr const char* kAddChanges = R"(
INSERT INTO hearth.changes(epoch, sequence, entity, updated, changed, state, attributes, context_id, parent_id, user_id)
SELECT $1::integer, sequence, entity_numbers.entity, updated, changed, state, attribute_sets.id, context_id, parent_id, user_id
FROM new_changes JOIN hearth.entity_numbers ON entity_numbers.epoch = $1::integer AND entity_numbers.number = new_changes.number
  LEFT JOIN hearth.attribute_sets ON attribute_sets.hash = sha256(convert_to(new_changes.attributes, 'UTF8'))
ON CONFLICT DO NOTHING)";
constexpr const char* kAddEvents = R"(
INSERT INTO hearth.events(epoch, sequence, fired, type, data, context_id, parent_id, user_id)
SELECT $1::integer, * FROM new_events ON CONFLICT DO NOTHING)";

void copy_context(std::string& out, const recorder::Change& change) {
  for (const std::string_view text : {change.context_id, change.parent_id})
    text.empty() ? copy_null(out) : copy_text(out, text);
  change.user_id.empty() ? copy_null(out, '\n') : copy_text(out, change.user_id, '\n');
}

void copy_change(std::string& out, const TailEntry& entry) {
  const recorder::Change& change = entry.change;
  out += fmt::format("{}\t{}\t", change.number, entry.entity);
  copy_text(out, entry.entity_id);
  copy_text(out, base::to_string(change.updated));
  copy_text(out, base::to_string(change.changed));
  change.removed ? copy_null(out) : copy_text(out, change.value);
  change.removed ? copy_null(out) : copy_text(out, change.attributes);
  copy_context(out, change);
}

void copy_event(std::string& out, const TailEntry& entry) {
  out += fmt::format("{}\t", entry.change.number);
  copy_text(out, base::to_string(entry.change.updated));
  copy_text(out, entry.type);
  copy_text(out, entry.data);
  copy_context(out, entry.change);
}

class PostgresArchive final : public recorder::FollowerTarget {
 public:
  PostgresArchive(ArchiveOptions options, const base::Clock& clock) : options_(std::move(options)), clock_(clock) {}

  Result<void> deliver(const TailPart& part) override {
    auto done = write(part);
    // The connection may be broken, or within a transaction: the next try has a new one.
    if (!done) forget();
    return done;
  }
  void cancel() override { cancel_.request(); }

 private:
  void forget() {
    connection_.reset();
    epoch_.clear();
    entities_.clear();
    months_.clear();
  }
  Result<void> write(const TailPart& part);
  Result<void> connect();
  Result<void> begin_epoch(const std::string& history);
  Result<void> add_months(const TailPart& part);
  Result<void> add_entities(const TailPart& part);
  Result<void> drop_old();
  // One statement; nobody needs its rows.
  Result<void> run(const char* sql, const std::vector<std::string>& parameters = {});
  Result<std::string> number(const char* sql, const std::vector<std::string>& parameters);

  const ArchiveOptions options_;
  const base::Clock& clock_;
  Cancel cancel_;
  std::optional<PostgresConnection> connection_;
  // Known to be there, in this connection.
  std::string site_, history_, epoch_;
  std::unordered_map<std::int64_t, std::string> entities_;  // ids by number
  std::set<std::string> months_;
  std::optional<base::SteadyTime> dropped_at_;
};

Result<void> PostgresArchive::run(const char* sql, const std::vector<std::string>& parameters) {
  auto done = connection_->run(sql, parameters);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

Result<std::string> PostgresArchive::number(const char* sql, const std::vector<std::string>& parameters) {
  auto rows = connection_->run(sql, parameters);
  if (!rows) return std::unexpected(std::move(rows.error()));
  if (rows->empty() || !rows->front().front())
    return base::fail(base::ErrorCode::internal, "PostgreSQL gives no number.");
  return *rows->front().front();
}

Result<void> PostgresArchive::connect() {
  if (connection_) return {};
  auto opened = PostgresConnection::open(options_.url, cancel_);
  if (!opened) return std::unexpected(std::move(opened.error()));
  connection_.emplace(std::move(*opened));
  if (auto ready = prepare_schema(*connection_); !ready) return ready;
  return run(kStaging);
}

Result<void> PostgresArchive::begin_epoch(const std::string& history) {
  if (history == history_ && !epoch_.empty()) return {};
  entities_.clear();
  if (auto done = run("INSERT INTO hearth.sites(name) VALUES($1) ON CONFLICT DO NOTHING", {options_.site}); !done)
    return done;
  auto site = number("SELECT id FROM hearth.sites WHERE name = $1", {options_.site});
  if (!site) return std::unexpected(std::move(site.error()));
  site_ = std::move(*site);
  auto added =
      run("INSERT INTO hearth.epochs(site, history) VALUES($1::integer, $2) ON CONFLICT DO NOTHING", {site_, history});
  if (!added) return added;
  auto epoch = number("SELECT id FROM hearth.epochs WHERE site = $1::integer AND history = $2", {site_, history});
  if (!epoch) return std::unexpected(std::move(epoch.error()));
  epoch_ = std::move(*epoch);
  history_ = history;
  return {};
}

Result<void> PostgresArchive::add_months(const TailPart& part) {
  for (const TailEntry& entry : part.entries) {
    const Month month = month_of(entry.change.updated);
    if (!months_.insert(month.name()).second) continue;
    if (auto added = add_month(*connection_, month); !added) return added;
  }
  return {};
}

Result<void> PostgresArchive::add_entities(const TailPart& part) {
  bool fresh = false;
  for (const TailEntry& entry : part.entries) {
    if (entry.is_event()) continue;
    std::string& known = entities_[entry.entity];
    if (known == entry.entity_id) continue;
    known = entry.entity_id;
    fresh = true;
  }
  if (!fresh) return {};
  if (auto done = run(kRename, {epoch_, site_}); !done) return done;
  if (auto done = run(kAddEntities, {site_}); !done) return done;
  return run(kAddNumbers, {epoch_, site_});
}

Result<void> PostgresArchive::write(const TailPart& part) {
  if (auto ready = connect(); !ready) return ready;
  if (auto begun = run("BEGIN"); !begun) return begun;
  if (auto known = begin_epoch(part.history); !known) return known;
  if (auto added = add_months(part); !added) return added;
  std::string changes, events;
  for (const TailEntry& entry : part.entries) {
    if (entry.is_event())
      copy_event(events, entry);
    else if (!options_.records || options_.records(entry.entity_id))
      copy_change(changes, entry);
  }
  if (!changes.empty()) {
    if (auto done = connection_->copy("COPY new_changes FROM STDIN", changes); !done) return done;
    if (auto done = add_entities(part); !done) return done;
    if (auto done = run(kAddAttributes); !done) return done;
    if (auto done = run(kAddChanges, {epoch_}); !done) return done;
  }
  if (!events.empty()) {
    if (auto done = connection_->copy("COPY new_events FROM STDIN", events); !done) return done;
    if (auto done = run(kAddEvents, {epoch_}); !done) return done;
  }
  if (auto done = run("COMMIT"); !done) return done;
  return drop_old();
}

Result<void> PostgresArchive::drop_old() {
  if (options_.keep == ArchiveOptions::kForever) return {};
  const auto now = clock_.steady_now();
  // Not at once after the start: the clock may be wrong until it is synchronised.
  if (!dropped_at_) dropped_at_ = now;
  if (now - *dropped_at_ < kDropInterval) return {};
  dropped_at_ = now;
  const auto dropped = drop_months(*connection_, clock_.now() - options_.keep);
  // What was delivered is kept, whatever becomes of older months.
  if (!dropped) {
    base::log_warning(kName, "months that are older than kept cannot be dropped: {}", dropped.error().message);
    forget();
  } else if (*dropped > 0) {
    base::log_info(kName, "{} partitions of months that are older than kept are dropped", *dropped);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<recorder::FollowerTarget>> make_archive(ArchiveOptions options, const base::Clock& clock) {
  if (!postgres_library()) {
    return base::fail(base::ErrorCode::unavailable,
                      "The library of PostgreSQL is not installed: install the package libpq5.");
  }
  return std::make_unique<PostgresArchive>(std::move(options), clock);
}

}  // namespace hearth::archive
