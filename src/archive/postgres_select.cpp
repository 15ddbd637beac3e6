// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "archive/postgres_connection.h"
#include "archive/select_from_postgres.h"

namespace hearth::archive {
namespace {

using base::ErrorCode;
using base::Result;
using Rows = std::vector<PostgresConnection::Row>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kAtOnce = 100;  // rows

std::unexpected<base::Error> query_failed(const base::Error& error) {
  std::string why = error.message;
  if (why.ends_with('.')) why.pop_back();
  return base::fail(error.code, "fails: " + why);
}

// The server measures each row before it sends it, and its grammar allows nothing but a SELECT here.
std::string cursor_of(const storage::SelectQuery& query) {
  std::string_view sql = query.sql;
  sql = sql.substr(0, sql.find_last_not_of(" \t\r\n;") + 1);
  return fmt::format(
      "DECLARE hearth_rows NO SCROLL CURSOR FOR SELECT CASE WHEN octet_length(one) <= {} THEN one END FROM "
      "(SELECT row_to_json(hearth_row)::text AS one FROM (\n{}\n) AS hearth_row OFFSET 0) AS hearth_answer",
      query.row_bytes, sql);
}

class PostgresQuestion {
 public:
  PostgresQuestion(PostgresConnection& connection, const storage::SelectQuery& query)
      : connection_(connection), query_(query) {}

  Result<storage::SelectedRow> answer() {
    const auto begun = connection_.run(
        fmt::format("BEGIN READ ONLY; SET LOCAL statement_timeout = {}; SET LOCAL idle_in_transaction_session_timeout "
                    "= {}",
                    query_.time.count(), 2 * query_.time.count()));
    if (!begun) return query_failed(begun.error());
    if (const auto made = connection_.run_one(cursor_of(query_)); !made) return query_failed(made.error());
    storage::SelectedRow last;
    for (std::size_t count = 0;;) {
      const auto rows =
          connection_.run_one(fmt::format("FETCH {} FROM hearth_rows", query_.first_row ? std::size_t{1} : kAtOnce));
      if (!rows) return query_failed(rows.error());
      if (!rows->empty()) {
        auto row = row_of(*rows);
        if (!row) return std::unexpected(std::move(row.error()));
        last = std::move(*row);
      }
      count += rows->size();
      if (query_.first_row || rows->size() < kAtOnce) return last;
      if (count > query_.rows)
        return base::fail(ErrorCode::full, fmt::format("gives more than {} rows; LIMIT 1 gives one", query_.rows));
      if (Clock::now() > end_)
        return base::fail(ErrorCode::full, fmt::format("takes longer than {} s", query_.time.count() / 1'000.0));
    }
  }

 private:
  // The last one.
  Result<json::object> row_of(const Rows& rows) const {
    for (const PostgresConnection::Row& row : rows) {
      if (row.empty() || !row.front())
        return base::fail(ErrorCode::full, fmt::format("gives a row of more than {} KiB", query_.row_bytes >> 10));
    }
    auto json = base::parse_json(*rows.back().front());
    if (!json || !json->is_object()) return base::fail(ErrorCode::unavailable, "fails: the answer is no row");
    return std::move(json->as_object());
  }

  PostgresConnection& connection_;
  const storage::SelectQuery& query_;
  const Clock::time_point end_ = Clock::now() + query_.time;
};

}  // namespace

struct SelectFromPostgres::State {
  Cancel cancel;
};

SelectFromPostgres::SelectFromPostgres() : state_(std::make_unique<State>()) {}

SelectFromPostgres::~SelectFromPostgres() = default;

Result<storage::SelectedRow> SelectFromPostgres::ask(const std::string& url, const storage::SelectQuery& query) {
  const auto patience = std::chrono::ceil<std::chrono::seconds>(query.time) + std::chrono::seconds(2);
  auto connection = PostgresConnection::open(url, state_->cancel, patience);
  if (!connection) return query_failed(connection.error());
  return PostgresQuestion(*connection, query).answer();
}

void SelectFromPostgres::cancel() {
  state_->cancel.request();
}

}  // namespace hearth::archive
