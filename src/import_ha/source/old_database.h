// SPDX-License-Identifier: Apache-2.0
// The old hub's database of history, only read, while that hub may go on writing to it. Made by Source::open_history.
//
// One thread at a time.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::import_ha {

class OldDatabase {
 public:
  // The connection sees one moment at most for so long: until then the other hub's write-ahead log cannot shrink.
  static constexpr std::chrono::seconds kMaxMoment{60};

  // Within a read transaction, which is this class's: begin, commit or roll back none. Only SELECT.
  storage::Database& connection() { return connection_; }
  // The number in schema_changes; 0 if that table is damaged, but all columns that are read are there.
  int schema() const { return schema_; }
  // The file for messages: relative to the source if it lies there.
  const std::string& name() const { return name_; }
  // True if another process writes to it meanwhile. Rows that came after the start may then be seen after `renew`: a
  // pass over a table reads its highest rowid first, and stops there.
  bool live() const { return live_; }

  // For a pass over a table in the order of its rowid. Call after each row; it costs some nanoseconds. True if the
  // moment is over: note the row, restart all statements of the connection, `renew`, and go on after the noted row.
  // Never true of a database that nobody writes to.
  bool due() const { return live_ && std::chrono::steady_clock::now() >= end_; }
  // Sees the present moment from now on. Fails with unavailable if a statement is within its rows, or the file cannot
  // be read any more.
  base::Result<void> renew();

 private:
  friend class OldDatabaseOpener;
  OldDatabase(storage::Database connection, std::string name, bool live, std::chrono::steady_clock::duration moment)
      : connection_(std::move(connection)), name_(std::move(name)), live_(live), moment_(moment) {}
  base::Result<void> begin();

  storage::Database connection_;
  std::string name_;
  int schema_ = 0;
  bool live_;
  std::chrono::steady_clock::duration moment_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace hearth::import_ha
