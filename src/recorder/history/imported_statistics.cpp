// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/imported_statistics.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Transaction;

constexpr std::array<std::string_view, 1> kImportSteps{R"(
  CREATE TABLE imported_statistics(
    id INTEGER PRIMARY KEY,
    statistic_id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    name TEXT,
    unit TEXT,
    has_mean INTEGER NOT NULL,
    has_sum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE imported_rows(
    statistic INTEGER NOT NULL,
    start INTEGER NOT NULL,
    figures BLOB NOT NULL,
    last_reset INTEGER,
    PRIMARY KEY(statistic, start)
  ) STRICT, WITHOUT ROWID;
)"};

using Figures = std::array<double, 5>;  // mean, min, max, state, sum

ImportedStatistic statistic_of(const storage::Statement& row) {
  return {std::string(row.text(0)), std::string(row.text(1)), row.optional_string(2),
          row.optional_string(3),   row.integer(4) != 0,      row.integer(5) != 0};
}

}  // namespace

storage::Schema ImportedStatistics::schema() {
  return {"imported_statistics", kImportSteps};
}

Result<std::unique_ptr<ImportedStatistics>> ImportedStatistics::open(const std::filesystem::path& file) {
  auto database = storage::Database::open(file);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "imported_statistics", kImportSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return std::unique_ptr<ImportedStatistics>(new ImportedStatistics(std::move(*database)));
}

Result<std::int64_t> ImportedStatistics::number_of(std::string_view statistic_id) {
  auto select = database_.prepare("SELECT id FROM imported_statistics WHERE statistic_id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(statistic_id).step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row ? select->integer(0) : 0;
}

Result<void> ImportedStatistics::import(const StatisticsImport& import) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (auto done = put(import); !done) return done;
  const std::tuple<const char*, std::int64_t, std::string_view> bounds[] = {
      {"SELECT count(*) FROM imported_statistics", kMaxStatistics, "statistics"},
      {"SELECT count(*) FROM imported_rows", kMaxRows, "hours"}};
  for (const auto& [question, most, what] : bounds) {
    auto count = database_.prepare(question);
    if (!count) return std::unexpected(std::move(count.error()));
    if (auto row = count->step(); !row) return std::unexpected(std::move(row.error()));
    if (count->integer(0) > most)
      return base::fail(base::ErrorCode::full, fmt::format("At most {} {} can be imported.", most, what));
  }
  return transaction->commit();
}

Result<void> ImportedStatistics::put(const StatisticsImport& import) {
  const ImportedStatistic& statistic = import.statistic;
  const auto named = database_.run(
      "INSERT INTO imported_statistics(statistic_id, source, name, unit, has_mean, has_sum) VALUES(?, ?, ?, ?, ?, ?) "
      "ON CONFLICT(statistic_id) DO UPDATE SET source = excluded.source, name = excluded.name, unit = excluded.unit, "
      "has_mean = excluded.has_mean, has_sum = excluded.has_sum",
      std::string_view(statistic.statistic_id), std::string_view(statistic.source), statistic.name, statistic.unit,
      statistic.has_mean, statistic.has_sum);
  if (!named) return std::unexpected(named.error());
  const auto number = number_of(statistic.statistic_id);
  if (!number) return std::unexpected(number.error());
  auto add = database_.prepare("INSERT OR REPLACE INTO imported_rows VALUES(?, ?, ?, ?)");
  if (!add) return std::unexpected(std::move(add.error()));
  for (const Statistics& row : import.rows) {
    const Figures figures{row.mean, row.min, row.max, row.state, row.sum};
    const storage::Blob blob{reinterpret_cast<const std::uint8_t*>(figures.data()), sizeof figures};
    if (auto done = add->bind(*number, row.start, blob, row.last_reset).run(); !done) return done;
  }
  return {};
}

Result<std::vector<ImportedStatistic>> ImportedStatistics::list() {
  auto select = database_.prepare(
      "SELECT statistic_id, source, name, unit, has_mean, has_sum FROM imported_statistics ORDER BY statistic_id");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<ImportedStatistic> all;
  auto read = select->for_each([&](const storage::Statement& row) { all.push_back(statistic_of(row)); });
  if (!read) return std::unexpected(std::move(read.error()));
  return all;
}

Result<std::optional<ImportedStatistic>> ImportedStatistics::find(std::string_view statistic_id) {
  auto select = database_.prepare(
      "SELECT statistic_id, source, name, unit, has_mean, has_sum FROM imported_statistics WHERE statistic_id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(statistic_id).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return std::optional<ImportedStatistic>();
  return std::optional(statistic_of(*select));
}

Result<std::vector<Statistics>> ImportedStatistics::rows(std::string_view statistic_id, base::Timestamp from,
                                                         base::Timestamp until, std::size_t most) {
  auto select = database_.prepare(
      "SELECT start, figures, imported_rows.last_reset, has_sum FROM imported_rows JOIN imported_statistics "
      "ON id = statistic WHERE statistic_id = ? AND start >= ? AND start < ? ORDER BY start LIMIT ?");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<Statistics> all;
  auto read = select->bind(statistic_id, from, until, static_cast<std::int64_t>(most))
                  .for_each([&](const storage::Statement& row) {
                    Figures figures{};
                    if (row.blob(1).size() != sizeof figures) return;
                    std::memcpy(figures.data(), row.blob(1).data(), sizeof figures);
                    Statistics made;
                    made.start = row.timestamp(0);
                    made.covered = std::chrono::hours(1);
                    std::tie(made.mean, made.min, made.max, made.state, made.sum) = std::tuple_cat(figures);
                    made.last_reset = row.optional_timestamp(2);
                    made.total = row.integer(3) != 0;
                    all.push_back(made);
                  });
  if (!read) return std::unexpected(std::move(read.error()));
  return all;
}

Result<double> ImportedStatistics::sum_before(std::string_view statistic_id, base::Timestamp time) {
  auto select = database_.prepare(
      "SELECT figures FROM imported_rows JOIN imported_statistics ON id = statistic WHERE statistic_id = ? AND "
      "start < ? ORDER BY start DESC LIMIT 1");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(statistic_id, time).step();
  if (!row) return std::unexpected(std::move(row.error()));
  Figures figures{};
  if (*row && select->blob(0).size() == sizeof figures)
    std::memcpy(figures.data(), select->blob(0).data(), sizeof figures);
  return figures.back();
}

Result<bool> ImportedStatistics::remove(std::string_view statistic_id) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto number = number_of(statistic_id);
  if (!number) return std::unexpected(number.error());
  for (const auto* const deletion :
       {"DELETE FROM imported_rows WHERE statistic = ?", "DELETE FROM imported_statistics WHERE id = ?"}) {
    if (auto gone = database_.run(deletion, *number); !gone) return std::unexpected(gone.error());
  }
  if (auto done = transaction->commit(); !done) return std::unexpected(done.error());
  return *number != 0;
}

Result<bool> ImportedStatistics::set_unit(std::string_view statistic_id, const std::optional<std::string>& unit) {
  const auto changed =
      database_.run("UPDATE imported_statistics SET unit = ? WHERE statistic_id = ?", unit, statistic_id);
  if (!changed) return std::unexpected(changed.error());
  return *changed > 0;
}

Result<bool> ImportedStatistics::adjust_sum(std::string_view statistic_id, base::Timestamp from, double by) {
  const auto known = find(statistic_id);
  if (!known) return std::unexpected(known.error());
  if (!*known) return false;
  constexpr std::size_t kAtOnce = 10'000;
  for (;;) {
    auto some = rows(statistic_id, from, base::Timestamp::max(), kAtOnce);
    if (!some) return std::unexpected(some.error());
    if (some->empty()) return true;
    for (Statistics& row : *some) row.sum += by;
    from = some->back().start + base::Duration(1);
    if (auto done = import({**known, std::move(*some)}); !done) return std::unexpected(done.error());
  }
}

}  // namespace hearth::recorder
