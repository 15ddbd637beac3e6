// SPDX-License-Identifier: Apache-2.0
#include "storage/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <thread>

#include "base/log/guarded.h"
#include "storage/sqlite_error.h"
#include "storage/sqlite_library.h"

namespace hearth::storage {
namespace {

constexpr int kInstructionsOfStep = 100;  // of SQLite's virtual machine

}  // namespace

void Database::Close::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

base::Result<Database> Database::open(const std::filesystem::path& file, Durability durability, Shrinking shrinking) {
  // mknod creates the file without opening it: closing a descriptor of the file would release the locks that other
  // connections of this process hold on it. SQLite gives the files beside this one the same mode.
  if (::mknod(file.c_str(), S_IFREG | 0600, 0) != 0 && errno != EEXIST) {
    const int reason = errno;
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}.", file.string(), std::generic_category().message(reason)));
  }
  set_up_sqlite();
  sqlite3* connection = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(connection);
  if (!connection) return base::fail(base::ErrorCode::internal, "Out of memory.");
  if (status != SQLITE_OK) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} cannot be opened: {}.", file.string(), failure_reason(connection)));
  }
  if (auto ready = database.set_up(durability, shrinking); !ready) return std::unexpected(std::move(ready.error()));
  return database;
}

base::Result<Database> Database::open_to_read(const std::filesystem::path& file, Reading reading) {
  set_up_sqlite();
  // Without a write-ahead log nobody writes, and all is in the file itself; to look for a log would create one.
  std::error_code error;
  std::filesystem::path whole = std::filesystem::canonical(file, error);  // SQLite's log is beside what a link leads to
  if (error) whole = std::filesystem::absolute(file, error);
  const bool immutable = reading == Reading::immutable ||
                         (reading == Reading::with_log && !std::filesystem::exists(whole.native() + "-wal", error));
  std::string name = "file:";
  for (const char c : whole.native()) {
    if (c == '%' || c == '?' || c == '#')
      name += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      name += c;
  }
  if (immutable)
    name += "?immutable=1";
  else if (reading == Reading::in_use)
    name += "?readonly_shm=1";
  sqlite3* connection = nullptr;
  const int status =
      sqlite3_open_v2(name.c_str(), &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(connection);
  if (!connection) return base::fail(base::ErrorCode::internal, "Out of memory.");
  if (status != SQLITE_OK) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} cannot be opened: {}.", file.string(), failure_reason(connection)));
  }
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, static_cast<int>(kBusyTimeout.count()));
  return database;
}

base::Result<Database> Database::in_memory() {
  set_up_sqlite();
  sqlite3* connection = nullptr;
  const int status = sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(connection);
  if (!connection) return base::fail(base::ErrorCode::internal, "Out of memory.");
  if (status != SQLITE_OK) return std::unexpected(sqlite_error(connection, status));
  return database;
}

base::Result<void> Database::set_up(Durability durability, Shrinking shrinking) {
  sqlite3_extended_result_codes(connection_.get(), 1);
  sqlite3_busy_timeout(connection_.get(), static_cast<int>(kBusyTimeout.count()));
  // SQLite falls back to read-only.
  if (sqlite3_db_readonly(connection_.get(), "main") == 1) {
    return std::unexpected(sqlite_error(connection_.get(), SQLITE_READONLY));
  }
  if (shrinking == Shrinking::incremental) {
    // Takes effect only before the first page is written; later it would still wait for the writer.
    auto pages = prepare("PRAGMA page_count");
    if (!pages) return std::unexpected(std::move(pages.error()));
    if (auto row = pages->step(); !row) return std::unexpected(std::move(row.error()));
    const bool empty = pages->integer(0) == 0;
    pages->restart();
    if (empty) {
      if (auto set = execute("PRAGMA auto_vacuum = INCREMENTAL"); !set) return set;
    }
  }
  if (auto ready = write_ahead(); !ready) return ready;
  return execute(durability == Durability::full ? "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL"
                                                : "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL");
}

void Database::release_memory() {
  sqlite3_db_release_memory(connection_.get());
}

base::Result<void> Database::write_ahead() {
  // Unlike other writes, changing the mode does not wait for another connection: it fails at once.
  constexpr std::chrono::milliseconds pause(5);
  const auto deadline = std::chrono::steady_clock::now() + kBusyTimeout;
  for (;;) {
    auto done = execute("PRAGMA journal_mode = WAL; SELECT count(*) FROM sqlite_master");
    if (done || (sqlite3_errcode(connection_.get()) & 0xFF) != SQLITE_BUSY) return done;
    if (std::chrono::steady_clock::now() >= deadline) return done;
    std::this_thread::sleep_for(pause);
  }
}

base::Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int status =
      sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (status != SQLITE_OK) return std::unexpected(sqlite_error(connection_.get(), status));
  return Statement(statement);
}

base::Result<void> Database::execute(std::string_view sql) {
  const int status = sqlite3_exec(connection_.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (status != SQLITE_OK) return std::unexpected(sqlite_error(connection_.get(), status));
  return {};
}

std::int64_t Database::changes() const {
  return sqlite3_changes64(connection_.get());
}

base::Result<std::int64_t> Database::data_version() {
  auto statement = prepare("PRAGMA data_version");
  if (!statement) return std::unexpected(std::move(statement.error()));
  if (auto row = statement->step(); !row) return std::unexpected(std::move(row.error()));
  return statement->integer(0);
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(connection_.get()) == 0;
}

void Database::while_running(std::function<void()> step) {
  step_ = std::make_unique<std::function<void()>>(std::move(step));
  const auto call = [](void* called) {
    base::run_guarded("storage", "a pause within a query", *static_cast<std::function<void()>*>(called));
    return 0;
  };
  sqlite3_progress_handler(connection_.get(), kInstructionsOfStep, call, step_.get());
}

bool Database::damaged() const {
  const int code = sqlite3_errcode(connection_.get()) & 0xFF;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

std::string_view Database::file() const {
  return sqlite3_db_filename(connection_.get(), "main");
}

std::uintmax_t Database::size() const {
  std::uintmax_t bytes = 0;
  for (const std::string_view ending : {"", "-wal"}) {
    std::error_code absent;
    const auto size = std::filesystem::file_size(std::string(file()).append(ending), absent);
    if (!absent) bytes += size;
  }
  return bytes;
}

base::Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  if (auto begun = database.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN"); !begun) {
    return std::unexpected(std::move(begun.error()));
  }
  return Transaction(database);
}

Transaction::~Transaction() {
  // SQLite rolls back by itself after some failures.
  if (database_ && database_->in_transaction()) static_cast<void>(database_->execute("ROLLBACK"));
}

base::Result<void> Transaction::commit() {
  return database_->execute("COMMIT");
}

}  // namespace hearth::storage
