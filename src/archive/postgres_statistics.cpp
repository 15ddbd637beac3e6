// SPDX-License-Identifier: Apache-2.0
// Statistics of days that have ended, packed as at home.
#include <fmt/format.h>

#include <algorithm>

#include "archive/postgres_changes.h"
#include "archive/postgres_rows.h"
#include "recorder/history/day_statistics.h"
#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"

namespace hearth::archive {
namespace {

using base::Result;
using recorder::Statistics;

constexpr std::int64_t kDaysAtOnce = 31;

// Appends a row's packed day; damaged ones are skipped, as at home.
void unpack(const PostgresConnection::Row& row, std::vector<Statistics>& all) {
  if (row.empty() || !row.front()) return;
  const std::string bytes = from_hexadecimal(*row.front());
  if (const auto steps =
          recorder::decode_statistics({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}))
    all.insert(all.end(), steps->begin(), steps->end());
}

Result<void> store(PostgresConnection& connection, const std::string& entity, std::span<const Statistics> steps) {
  while (!steps.empty()) {
    const std::int64_t day = recorder::day_of(steps.front().start);
    std::size_t count = 1;
    while (count < steps.size() && recorder::day_of(steps[count].start) == day) ++count;
    auto done =
        run(connection,
            "INSERT INTO hearth.statistics(entity, day, data) VALUES($1::integer, $2::integer, decode($3, 'hex'))",
            {entity, std::to_string(day), hexadecimal(recorder::encode_statistics(steps.first(count)))});
    if (!done) return done;
    steps = steps.subspan(count);
  }
  return {};
}

}  // namespace

Result<std::vector<Statistics>> PostgresChanges::day_statistics(const std::string& entity, std::int64_t first,
                                                                std::int64_t last) {
  const auto rows = connection_.run(
      "SELECT encode(data, 'hex') FROM hearth.statistics WHERE entity = $1::integer AND day >= $2::bigint AND day <= "
      "$3::bigint ORDER BY day",
      {entity, std::to_string(first), std::to_string(last)});
  if (!rows) return std::unexpected(rows.error());
  std::vector<Statistics> all;
  for (const auto& row : *rows) unpack(row, all);
  return all;
}

Result<std::vector<Statistics>> PostgresChanges::last_statistics(const std::string& entity, std::int64_t before) {
  const auto rows = connection_.run(
      "SELECT encode(data, 'hex') FROM hearth.statistics WHERE entity = $1::integer AND day < $2::bigint ORDER BY day "
      "DESC LIMIT 1",
      {entity, std::to_string(before)});
  if (!rows) return std::unexpected(rows.error());
  std::vector<Statistics> all;
  for (const auto& row : *rows) unpack(row, all);
  return all;
}

Result<std::optional<std::int64_t>> PostgresChanges::first_day(const std::string& entity) {
  const auto rows = connection_.run("SELECT min(day) FROM hearth.statistics WHERE entity = $1::integer", {entity});
  if (!rows) return std::unexpected(rows.error());
  if (rows->empty() || rows->front().empty() || !rows->front().front()) return std::optional<std::int64_t>();
  const auto day = integer(rows->front(), 0);
  if (!day) return std::unexpected(day.error());
  return std::optional(*day);
}

Result<std::optional<bool>> PostgresChanges::last_day_is_total(const std::string& entity) {
  const auto last = last_statistics(entity, INT32_MAX);
  if (!last) return std::unexpected(last.error());
  return last->empty() ? std::optional<bool>() : std::optional(last->back().total);
}

Result<recorder::Total> PostgresChanges::total_before(const std::string& entity, std::int64_t day) {
  const auto last = last_statistics(entity, day);
  if (!last) return std::unexpected(last.error());
  return last->empty() ? recorder::Total{} : recorder::total_after(last->back());
}

Result<bool> make_statistics(PostgresConnection& connection, std::int64_t today, base::Duration patience) {
  const auto due = connection.run(
      "SELECT id, statistics_from FROM hearth.entities WHERE statistics_from < $1::bigint AND statistics_noted <= "
      "now() - "
      "$2::bigint * interval '1 microsecond' ORDER BY statistics_from LIMIT 1",
      {std::to_string(today), std::to_string(patience.count())});
  if (!due) return std::unexpected(due.error());
  if (due->empty()) return false;
  const auto first = integer(due->front(), 1);
  if (!first || !due->front().front()) return std::unexpected(first.error());
  const std::string& entity = *due->front().front();
  const std::int64_t end = std::min(today, *first + kDaysAtOnce);
  PostgresChanges changes(connection);
  const auto total = changes.total_before(entity, *first);
  if (!total) return std::unexpected(total.error());
  const auto steps = recorder::statistics_of_days(changes, entity, *total, *first, end);
  if (!steps) return std::unexpected(steps.error());
  if (auto begun = run(connection, "BEGIN"); !begun) return std::unexpected(std::move(begun.error()));
  const std::string from = std::to_string(*first), until = std::to_string(end);
  auto done =
      run(connection,
          "DELETE FROM hearth.statistics WHERE entity = $1::integer AND day >= $2::integer AND day < $3::integer",
          {entity, from, until});
  if (done) done = store(connection, entity, *steps);
  if (done)
    done = run(connection,
               "UPDATE hearth.entities SET statistics_from = $2::integer WHERE id = $1::integer AND statistics_from = "
               "$3::integer",
               {entity, until, from});
  if (done) done = run(connection, "COMMIT");
  if (!done) return std::unexpected(std::move(done.error()));
  return true;
}

}  // namespace hearth::archive
