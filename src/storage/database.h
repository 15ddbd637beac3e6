// SPDX-License-Identifier: Apache-2.0
// A connection to an SQLite file. Several may be open on one file, in one process or many: readers do not wait for the
// writer, writers wait for each other, at most kBusyTimeout.
//
// One thread at a time. Every failure is a Result whose message names the file.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "storage/statement.h"

struct sqlite3;

namespace hearth::storage {

// What a power failure may cost: the last moments' commits, or nothing. Neither damages the file, and a killed process
// loses no commit either way.
enum class Durability { normal, full };

// Whether a new file can give back the room of what was deleted from it, page by page (PRAGMA incremental_vacuum).
enum class Shrinking { no, incremental };

// Asked between the steps of long work: false ends it.
using GoOn = std::function<bool()>;

class Database {
 public:
  static constexpr std::chrono::milliseconds kBusyTimeout{5'000};

  // Makes the file where there is none, readable and writable by its owner alone. Fails with unavailable where the file
  // cannot be opened or written, is not a database, or is damaged.
  static base::Result<Database> open(const std::filesystem::path& file, Durability durability = Durability::normal,
                                     Shrinking shrinking = Shrinking::no);
  // An empty one that no file holds.
  static base::Result<Database> in_memory();

  base::Result<Statement> prepare(std::string_view sql);
  // Runs statements that have no parameters and whose rows do not matter.
  base::Result<void> execute(std::string_view sql);
  // Prepares, binds and runs one statement. Returns how many rows it changed.
  template <class... Values>
  base::Result<std::int64_t> run(std::string_view sql, const Values&... values) {
    auto statement = prepare(sql);
    if (!statement) return std::unexpected(std::move(statement.error()));
    if (auto done = statement->bind(values...).run(); !done) return std::unexpected(std::move(done.error()));
    return changes();
  }

  // Rows changed by the last INSERT, UPDATE or DELETE.
  std::int64_t changes() const;
  // A number that differs from its last value when another connection has committed something since; this connection's
  // own commits do not count.
  base::Result<std::int64_t> data_version();
  bool in_transaction() const;
  std::string_view file() const;
  // Writes what this connection sees into a new file, step by step (SQLite's online backup). Within a read transaction
  // that is one moment, however long it takes and whatever is written meanwhile; nobody waits for it. Fails with
  // unavailable where the file cannot be written, or is there already, or the work was ended.
  base::Result<void> copy_to(const std::filesystem::path& target, const GoOn& go_on);

  // `step` is called again and again while statements of this connection run, every few microseconds of their work, by
  // the thread that runs them; it does not use the connection.
  void while_running(std::function<void()> step);

  // Bytes on disk, those of the write-ahead log among them.
  std::uintmax_t size() const;
  // Whether the last failure was that the file is damaged, or no database at all.
  bool damaged() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}
  base::Result<void> set_up(Durability durability, Shrinking shrinking);
  base::Result<void> write_ahead();

  std::unique_ptr<std::function<void()>> step_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// Rolls back when destroyed, unless committed. A database has one transaction at a time.
class Transaction {
 public:
  // A read sees one moment throughout; a write is the only one from its beginning on.
  enum class Kind { read, write };
  static base::Result<Transaction> begin(Database& database, Kind kind);

  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  base::Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;
};

}  // namespace hearth::storage
