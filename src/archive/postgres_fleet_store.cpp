// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "archive/fleet_store.h"
#include "archive/postgres_changes.h"
#include "archive/postgres_connection.h"
#include "archive/postgres_months.h"
#include "archive/postgres_rows.h"
#include "archive/postgres_schema.h"
#include "recorder/log/history_file.h"

namespace hearth::archive {
namespace {

using base::Result;

constexpr base::Duration kAfterMidnight = std::chrono::minutes(10);  // a day's last changes come then
constexpr int kMaxEpochs = 200;                                      // of a site
constexpr std::size_t kKnownEpochs = 10'000;                         // in memory, beside those with gaps
constexpr std::size_t kMaxPayload = 64 * 1024;                       // of a message kept aside; the rest is cut

// A session that is gone without a word, with its computer, must not hold the lock for hours; nor may a statement that
// nobody waits for any more. Older servers have fewer settings.
constexpr const char* kSession = R"(
SELECT set_config(name, wanted, false)
FROM (VALUES ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
  ('tcp_user_timeout', '30000'), ('client_connection_check_interval', '10000'), ('statement_timeout', '120000'),
  ('lock_timeout', '60000'), ('idle_in_transaction_session_timeout', '120000')) AS wanted(name, wanted)
WHERE name IN (SELECT name FROM pg_settings))";
// The number is the archive's own.
constexpr const char* kLock = "SELECT pg_try_advisory_lock(4802318)";
constexpr const char* kGaps = R"(
SELECT name, history, epochs.id, epochs.until, gaps.after, gaps.until
FROM hearth.gaps JOIN hearth.epochs ON epochs.id = gaps.epoch JOIN hearth.sites ON sites.id = epochs.site
ORDER BY epochs.id, gaps.after)";
constexpr const char* kUntil = R"(
UPDATE hearth.epochs SET until = now.until FROM unnest($1::integer[], $2::bigint[]) AS now(id, until)
WHERE epochs.id = now.id AND epochs.until < now.until)";
constexpr const char* kAddGaps = R"(
INSERT INTO hearth.gaps(epoch, after, until) SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bigint[]))";
constexpr const char* kPlace = R"(
INSERT INTO hearth.places(engine, place) VALUES($1, $2::bigint)
ON CONFLICT (engine) DO UPDATE SET place = excluded.place)";
constexpr const char* kKeepAside = R"(
INSERT INTO hearth.kept_aside(site, engine, place, reason, payload) VALUES($1, $2, $3::bigint, $4, decode($5, 'hex')))";
// Of each site the last hundred within a MiB, of all the last ten thousand within 64 MiB.
constexpr const char* kTrimAside = R"(
DELETE FROM hearth.kept_aside WHERE id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER newest AS number, sum(octet_length(payload)) OVER newest AS bytes,
      row_number() OVER of_site AS site_number, sum(octet_length(payload)) OVER of_site AS site_bytes
    FROM hearth.kept_aside
    WINDOW newest AS (ORDER BY id DESC), of_site AS (PARTITION BY site ORDER BY id DESC)) AS kept
  WHERE number > 10000 OR bytes > 67108864 OR site_number > 100 OR site_bytes > 1048576))";

// Integers as one of PostgreSQL's arrays: {1,2}.
class ArrayText {
 public:
  template <class Number>
  void add(Number number) {
    text_ += fmt::format("{}{}", text_.size() > 1 ? "," : "", number);
  }
  std::string done() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

class PostgresFleetStore final : public FleetStore {
 public:
  PostgresFleetStore(ArchiveOptions options, const base::Clock& clock)
      : options_(std::move(options)), clock_(clock), months_(clock, options_.keep) {}

  Result<bool> hold() override;
  Result<std::uint64_t> place(const std::string& engine) override;
  Result<void> begin() override { return run(*connection_, "BEGIN"); }
  Result<void> add(const fleet::Batch& batch) override;
  Result<void> keep_aside(const std::string& engine, const fleet::Message& message, std::string_view reason) override;
  std::size_t bytes() const override { return rows_->bytes(); }
  Result<void> commit(const std::string& engine, std::uint64_t place) override;
  Result<bool> maintain() override;
  void each_gap(const VisitGap& visit) override;
  std::size_t kept_aside() const override { return kept_aside_; }
  void forget() override;
  void cancel() override { cancel_.request(); }

 private:
  struct Epoch {
    std::string site, history;
    std::string id;  // of its row
    LogGaps log;
    bool gaps_changed = false;
  };

  Result<void> connect();
  Result<void> load();
  Result<std::int64_t> ask(const std::string& sql);
  Result<Epoch*> epoch_of(const fleet::Batch& batch);
  Result<void> save_epochs();

  const ArchiveOptions options_;
  const base::Clock& clock_;
  Cancel cancel_;
  PostgresMonths months_;
  std::optional<PostgresConnection> connection_;
  // Of this session.
  std::optional<PostgresRows> rows_;
  bool held_ = false;
  std::string engine_;  // whose place is known; empty: nobody's
  std::uint64_t place_ = 0;
  std::unordered_map<std::string, Epoch> epochs_;  // by `<site>/<history>`
  std::unordered_set<Epoch*> written_;             // in this transaction
  bool aside_ = false;                             // something was kept aside in it
  std::size_t kept_aside_ = 0;
};

void PostgresFleetStore::forget() {
  connection_.reset();
  rows_.reset();
  held_ = aside_ = false;
  engine_.clear();
  epochs_.clear();
  written_.clear();
}

Result<void> PostgresFleetStore::connect() {
  auto opened = PostgresConnection::open(options_.url, cancel_);
  if (!opened) return std::unexpected(std::move(opened.error()));
  connection_.emplace(std::move(*opened));
  if (auto ready = prepare_schema(*connection_); !ready) return ready;
  if (auto set = run(*connection_, kSession); !set) return set;
  auto rows = PostgresRows::prepare(*connection_);
  if (!rows) return std::unexpected(std::move(rows.error()));
  rows_.emplace(std::move(*rows));
  return {};
}

Result<bool> PostgresFleetStore::hold() {
  if (!connection_) {
    if (auto connected = connect(); !connected) return std::unexpected(std::move(connected.error()));
  }
  // Also where it is held: a session that has ended shows.
  const auto rows = connection_->run(held_ ? "SELECT 't'" : kLock);
  if (!rows) return std::unexpected(rows.error());
  const bool mine = !rows->empty() && !rows->front().empty() && rows->front().front() == "t";
  if (mine && !held_) {
    if (auto loaded = load(); !loaded) return std::unexpected(std::move(loaded.error()));
  }
  held_ = mine;
  // Between transactions.
  if (held_ && !months_.drop_old(*connection_))
    return base::fail(base::ErrorCode::unavailable, "Months that are older than kept cannot be dropped.");
  return held_;
}

Result<std::int64_t> PostgresFleetStore::ask(const std::string& sql) {
  const auto rows = connection_->run(sql);
  if (!rows) return std::unexpected(rows.error());
  return integer(rows->empty() ? PostgresConnection::Row() : rows->front(), 0);
}

Result<void> PostgresFleetStore::load() {
  const auto aside = ask("SELECT count(*) FROM hearth.kept_aside");
  if (!aside) return std::unexpected(aside.error());
  kept_aside_ = static_cast<std::size_t>(*aside);
  const auto rows = connection_->run(kGaps);
  if (!rows) return std::unexpected(rows.error());
  for (const auto& row : *rows) {
    const auto known = integer(row, 3), after = integer(row, 4), until = integer(row, 5);
    if (!known || !after || !until || !row[0] || !row[1] || !row[2])
      return base::fail(base::ErrorCode::internal, "PostgreSQL gives no gap.");
    Epoch& epoch =
        epochs_.try_emplace(*row[0] + "/" + *row[1], *row[0], *row[1], *row[2], LogGaps(*known)).first->second;
    epoch.log.restore({*after, *until});
  }
  return {};
}

Result<std::uint64_t> PostgresFleetStore::place(const std::string& engine) {
  if (!engine_.empty() && engine == engine_) return place_;
  const auto rows = connection_->run("SELECT place FROM hearth.places WHERE engine = $1", {engine});
  if (!rows) return std::unexpected(rows.error());
  place_ = 0;
  if (!rows->empty()) {
    const auto found = integer(rows->front(), 0);
    if (!found) return std::unexpected(found.error());
    place_ = static_cast<std::uint64_t>(*found);
  }
  engine_ = engine;
  return place_;
}

Result<PostgresFleetStore::Epoch*> PostgresFleetStore::epoch_of(const fleet::Batch& batch) {
  const std::string key = batch.site + "/" + batch.epoch;
  if (const auto found = epochs_.find(key); found != epochs_.end()) return &found->second;
  auto row = epoch_row(*connection_, batch.site, batch.epoch, kMaxEpochs);
  if (!row) return std::unexpected(std::move(row.error()));
  return &epochs_.try_emplace(key, batch.site, batch.epoch, row->id, LogGaps(row->until)).first->second;
}

Result<void> PostgresFleetStore::add(const fleet::Batch& batch) {
  auto epoch = epoch_of(batch);
  if (!epoch) return std::unexpected(std::move(epoch.error()));
  for (const recorder::TailEntry& entry : batch.entries) rows_->add((*epoch)->id, entry);
  (*epoch)->gaps_changed |= (*epoch)->log.cover(batch.after, batch.until);
  written_.insert(*epoch);
  return {};
}

Result<void> PostgresFleetStore::keep_aside(const std::string& engine, const fleet::Message& message,
                                            std::string_view reason) {
  aside_ = true;
  return run(*connection_, kKeepAside,
             {message.site, engine, std::to_string(message.place), std::string(reason),
              hexadecimal(std::string_view(message.payload).substr(0, kMaxPayload))});
}

Result<void> PostgresFleetStore::save_epochs() {
  if (written_.empty()) return {};
  ArrayText ids, until, changed, gap_ids, gap_after, gap_until;
  bool any_changed = false, any_gap = false;
  for (Epoch* const epoch : written_) {
    ids.add(epoch->id);
    until.add(epoch->log.until());
    if (!std::exchange(epoch->gaps_changed, false)) continue;
    any_changed = true;
    changed.add(epoch->id);
    for (const Gap& gap : epoch->log.gaps()) {
      any_gap = true;
      gap_ids.add(epoch->id);
      gap_after.add(gap.after);
      gap_until.add(gap.until);
    }
  }
  written_.clear();
  if (auto done = run(*connection_, kUntil, {ids.done(), until.done()}); !done || !any_changed) return done;
  auto gone = run(*connection_, "DELETE FROM hearth.gaps WHERE epoch = ANY($1::integer[])", {changed.done()});
  if (!gone || !any_gap) return gone;
  return run(*connection_, kAddGaps, {gap_ids.done(), gap_after.done(), gap_until.done()});
}

Result<void> PostgresFleetStore::commit(const std::string& engine, std::uint64_t place) {
  if (auto done = rows_->write(*connection_); !done) return done;
  if (auto done = save_epochs(); !done) return done;
  if (std::exchange(aside_, false)) {
    if (auto done = run(*connection_, kTrimAside); !done) return done;
    const auto left = ask("SELECT count(*) FROM hearth.kept_aside");
    if (!left) return std::unexpected(left.error());
    kept_aside_ = static_cast<std::size_t>(*left);
  }
  if (auto done = run(*connection_, kPlace, {engine, std::to_string(place)}); !done) return done;
  if (auto done = run(*connection_, "COMMIT"); !done) return done;
  engine_ = engine;
  place_ = place;
  if (epochs_.size() > kKnownEpochs)
    std::erase_if(epochs_, [](const auto& each) { return each.second.log.gaps().empty(); });
  return {};
}

Result<bool> PostgresFleetStore::maintain() {
  return make_statistics(*connection_, recorder::day_of(clock_.now() - kAfterMidnight), options_.late_changes);
}

void PostgresFleetStore::each_gap(const VisitGap& visit) {
  for (auto& [key, epoch] : epochs_) {
    for (Gap& gap : epoch.log.gaps()) visit(epoch.site, epoch.history, gap);
  }
}

}  // namespace

Result<std::unique_ptr<FleetStore>> make_fleet_store(ArchiveOptions options, const base::Clock& clock) {
  if (!postgres_library()) {
    return base::fail(base::ErrorCode::unavailable,
                      "The library of PostgreSQL is not installed: install the package libpq5.");
  }
  return std::make_unique<PostgresFleetStore>(std::move(options), clock);
}

}  // namespace hearth::archive
