// SPDX-License-Identifier: Apache-2.0
// Writes changes and events of one or many files of history into the archive's tables: collects them as COPY's text,
// then writes them by few statements in the caller's transaction.
//
// One for each session and thread: it has tables of the session.
#pragma once

#include <chrono>
#include <climits>
#include <cstdint>
#include <set>
#include <string>

#include "archive/postgres_connection.h"
#include "base/result.h"
#include "recorder/log/log_tail.h"

namespace hearth::archive {

// A site's row and that of its file of history, made if they are not there. Numbers as texts, as SQL wants them.
struct EpochRow {
  std::string id;
  std::int64_t until = 0;  // up to this number it has been written, except for gaps
};
// Fails with full if the site has `most` others already.
base::Result<EpochRow> epoch_row(PostgresConnection& connection, const std::string& site, const std::string& history,
                                 int most = INT_MAX);

// One statement; nobody needs its rows.
base::Result<void> run(PostgresConnection& connection, const std::string& sql,
                       const std::vector<std::string>& parameters = {});

// For bytea, both of PostgreSQL's decode and encode.
std::string hexadecimal(std::string_view bytes);
std::string from_hexadecimal(std::string_view digits);

class PostgresRows {
 public:
  // Makes the session's tables.
  static base::Result<PostgresRows> prepare(PostgresConnection& connection);

  // `epoch` is its row's id.
  void add(std::string_view epoch, const recorder::TailEntry& entry);
  std::size_t bytes() const { return changes_.size() + events_.size(); }
  // Writes what was added, each row once for ever, and forgets it. What came late names no entity anew: a row's number
  // is up to its epoch's `until`. After a failure another one is made: it knows what this transaction has not made.
  base::Result<void> write(PostgresConnection& connection);
  void clear();

 private:
  base::Result<void> add_months(PostgresConnection& connection);

  std::string changes_, events_;
  std::set<std::chrono::year_month> months_;      // of those rows
  std::set<std::chrono::year_month> has_months_;  // known to be there
};

}  // namespace hearth::archive
