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

// The possible loss of a power failure: the last commits, or nothing. Neither damages the file, and no commit is lost
// if only the process is killed.
enum class Durability { normal, full };

// True if a new file can shrink page by page after deletions (PRAGMA incremental_vacuum).
enum class Shrinking { no, incremental };

// How a file is opened that is only read.
enum class Reading {
  with_log,   // with its write-ahead log if there is one, also while another process writes
  immutable,  // without its log and without locks: nobody may write to it
  in_use,     // another process has it open and writes; the index of its log is used as it is, neither made nor changed
};

// Called between the steps of long work; false cancels it.
using GoOn = std::function<bool()>;

class Database {
 public:
  static constexpr std::chrono::milliseconds kBusyTimeout{5'000};

  // Creates the file if it does not exist, readable and writable by its owner alone. Fails with unavailable if the file
  // cannot be opened or written, is not a database, or is damaged.
  static base::Result<Database> open(const std::filesystem::path& file, Durability durability = Durability::normal,
                                     Shrinking shrinking = Shrinking::no);
  // Only to read: neither the file nor those beside it are made or changed, also while another process writes to it.
  // Fails with unavailable if there is no such file or it cannot be opened; of one in use that may show only at the
  // first statement.
  static base::Result<Database> open_to_read(const std::filesystem::path& file, Reading reading = Reading::with_log);
  // An empty database in memory.
  static base::Result<Database> in_memory();

  base::Result<Statement> prepare(std::string_view sql);
  // Runs statements without parameters and ignores their rows.
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
  // A number that changes when another connection commits; this connection's own commits do not change it.
  base::Result<std::int64_t> data_version();
  bool in_transaction() const;
  std::string_view file() const;
  // Copies the database as this connection sees it into a new file, step by step (SQLite's online backup). Within a
  // read transaction the copy is one moment's, whatever is written meanwhile; nobody waits for it. Fails with
  // unavailable if the file exists or cannot be written, or if the work was cancelled.
  base::Result<void> copy_to(const std::filesystem::path& target, const GoOn& go_on);

  // `step` is called every few microseconds while statements of this connection run, on the thread that runs them; it
  // must not use the connection.
  void while_running(std::function<void()> step);

  // Gives up the copies of the file's pages that it keeps; reading them again costs little. After much was written.
  void release_memory();

  // Bytes on disk, including the write-ahead log.
  std::uintmax_t size() const;
  // True if the last call failed because the file is damaged, or no database.
  bool damaged() const;

 private:
  friend class Checkpointer;
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}
  base::Result<void> set_up(Durability durability, Shrinking shrinking);
  base::Result<void> write_ahead();

  std::unique_ptr<std::function<void()>> step_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// Rolls back when destroyed, unless committed. A database has at most one transaction at a time.
class Transaction {
 public:
  // A read transaction sees one moment throughout; a write transaction excludes other writers from its start.
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
