// SPDX-License-Identifier: Apache-2.0
#include "archive/archive.h"
#include "archive/postgres_connection.h"
#include "archive/postgres_months.h"
#include "archive/postgres_rows.h"
#include "archive/postgres_schema.h"

namespace hearth::archive {
namespace {

using base::Result;
using recorder::TailEntry;
using recorder::TailPart;

class PostgresArchive final : public recorder::FollowerTarget {
 public:
  PostgresArchive(ArchiveOptions options, const base::Clock& clock)
      : options_(std::move(options)), months_(clock, options_.keep) {}

  Result<void> deliver(const TailPart& part) override {
    auto done = write(part);
    // The connection may be broken, or within a transaction: the next try has a new one. What was delivered is kept,
    // whatever becomes of older months.
    if (!done || !months_.drop_old(*connection_)) connection_.reset();
    return done;
  }
  void cancel() override { cancel_.request(); }

 private:
  Result<void> write(const TailPart& part);
  Result<void> connect();
  Result<void> begin_epoch(const std::string& history);

  const ArchiveOptions options_;
  Cancel cancel_;
  std::optional<PostgresConnection> connection_;
  PostgresMonths months_;
  // Of this connection.
  std::optional<PostgresRows> rows_;
  std::string history_, epoch_;
};

Result<void> PostgresArchive::connect() {
  if (connection_) return {};
  history_.clear();
  auto opened = PostgresConnection::open(options_.url, cancel_);
  if (!opened) return std::unexpected(std::move(opened.error()));
  connection_.emplace(std::move(*opened));
  if (auto ready = prepare_schema(*connection_); !ready) return ready;
  auto rows = PostgresRows::prepare(*connection_);
  if (!rows) return std::unexpected(std::move(rows.error()));
  rows_.emplace(std::move(*rows));
  return {};
}

Result<void> PostgresArchive::begin_epoch(const std::string& history) {
  if (history == history_) return {};
  auto epoch = epoch_row(*connection_, options_.site, history);
  if (!epoch) return std::unexpected(std::move(epoch.error()));
  epoch_ = std::move(epoch->id);
  history_ = history;
  return {};
}

Result<void> PostgresArchive::write(const TailPart& part) {
  if (auto ready = connect(); !ready) return ready;
  if (auto begun = run(*connection_, "BEGIN"); !begun) return begun;
  if (auto known = begin_epoch(part.history); !known) return known;
  for (const TailEntry& entry : part.entries) {
    if (entry.is_event() || !options_.records || options_.records(entry.entity_id)) rows_->add(epoch_, entry);
  }
  if (auto done = rows_->write(*connection_); !done) return done;
  auto noted =
      run(*connection_, "UPDATE hearth.epochs SET until = $2::bigint WHERE id = $1::integer AND until < $2::bigint",
          {epoch_, std::to_string(part.until)});
  if (!noted) return noted;
  return run(*connection_, "COMMIT");
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
