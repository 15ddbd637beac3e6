// SPDX-License-Identifier: Apache-2.0
#include "storage/repair.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/log/log.h"
#include "storage/database.h"
#include "storage/sqlite_error.h"
#include "storage/sqlite_handles.h"
#include "storage/sqlite_library.h"

namespace hearth::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kReadWhole = 16 << 20;

// Without the checks that Database makes on opening.
Connection open_raw(const fs::path& file, int flags) {
  sqlite3* connection = nullptr;
  set_up_sqlite();
  const int status = sqlite3_open_v2(file.c_str(), &connection, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Connection opened(connection);
  if (status != SQLITE_OK) return nullptr;
  sqlite3_busy_timeout(connection, static_cast<int>(Database::kBusyTimeout.count()));
  return opened;
}

Query prepare(sqlite3* connection, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement, nullptr);
  return Query(statement);
}

std::string text(const Query& query, int column) {
  const auto* const found = reinterpret_cast<const char*>(sqlite3_column_text(query.get(), column));
  return found ? found : "";
}

std::string quoted(const std::string& name) {
  return "\"" + name + "\"";  // the names are our own
}

bool is_damage(int status) {
  return (status & 0xFF) == SQLITE_CORRUPT || (status & 0xFF) == SQLITE_NOTADB;
}

struct Table {
  std::string name, sql;
  bool has_rowid;
};

// Copies one table: forwards up to what cannot be read, then beyond it, at last backwards from the end.
class TableCopy {
 public:
  TableCopy(sqlite3* from, sqlite3* to, const Table& table, Repair& repair)
      : from_(from), to_(to), table_(table), repair_(repair) {}

  void run() {
    const std::string name = quoted(table_.name);
    if (copy("SELECT * FROM " + name)) return;
    ++repair_.gaps;
    if (!table_.has_rowid) {
      // Keyed tables are read backwards for the rows after the gap.
      std::string order;
      const Query columns =
          prepare(to_, "SELECT name FROM pragma_table_info('" + table_.name + "') WHERE pk > 0 ORDER BY pk");
      while (sqlite3_step(columns.get()) == SQLITE_ROW)
        order += (order.empty() ? "" : ", ") + quoted(text(columns, 0)) + " DESC";
      copy("SELECT * FROM " + name + " ORDER BY " + order);
      return;
    }
    copy("SELECT * FROM " + name + " ORDER BY rowid DESC");
    // Between the two, in ever larger steps.
    sqlite3_int64 at = highest_before_gap();
    const sqlite3_int64 end = lowest_after_gap(at);
    for (sqlite3_int64 leap = 16; at < end && leap < (sqlite3_int64(1) << 40); leap *= 2) {
      at += leap;
      copy("SELECT * FROM " + name + " WHERE rowid > " + std::to_string(at) + " AND rowid < " + std::to_string(end));
      at = std::max(at, highest_below(end));
    }
  }

 private:
  // True if it reached the end.
  bool copy(const std::string& select) {
    const Query rows = prepare(from_, select);
    if (!rows) return false;
    const int columns = sqlite3_column_count(rows.get());
    std::string insert = "INSERT OR IGNORE INTO " + quoted(table_.name) + " VALUES(?";
    for (int i = 1; i < columns; ++i) insert += ", ?";
    const Query add = prepare(to_, insert + ")");
    if (!add) return false;
    int status;
    while ((status = sqlite3_step(rows.get())) == SQLITE_ROW) {
      for (int i = 0; i < columns; ++i) sqlite3_bind_value(add.get(), i + 1, sqlite3_column_value(rows.get(), i));
      const bool added = sqlite3_step(add.get()) == SQLITE_DONE && sqlite3_changes(to_) > 0;
      sqlite3_reset(add.get());
      if (added) ++repair_.rows;
    }
    return status == SQLITE_DONE;
  }
  sqlite3_int64 number(const std::string& sql) {
    const Query query = prepare(to_, sql);
    return sqlite3_step(query.get()) == SQLITE_ROW ? sqlite3_column_int64(query.get(), 0) : 0;
  }
  // A row that is not followed by the next number although more rows follow: good enough to continue from.
  sqlite3_int64 highest_before_gap() {
    const std::string name = quoted(table_.name);
    return number("SELECT coalesce(min(a.rowid), 0) FROM " + name + " a WHERE NOT EXISTS (SELECT 1 FROM " + name +
                  " b WHERE b.rowid = a.rowid + 1)");
  }
  sqlite3_int64 lowest_after_gap(sqlite3_int64 at) {
    return number("SELECT coalesce(min(rowid), 0) FROM " + quoted(table_.name) + " WHERE rowid > " +
                  std::to_string(at));
  }
  sqlite3_int64 highest_below(sqlite3_int64 end) {
    return number("SELECT coalesce(max(rowid), 0) FROM " + quoted(table_.name) + " WHERE rowid < " +
                  std::to_string(end));
  }

  sqlite3* from_;
  sqlite3* to_;
  const Table& table_;
  Repair& repair_;
};

std::vector<Table> tables_of(sqlite3* connection) {
  std::vector<Table> tables;
  const Query query =
      prepare(connection, "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  while (query && sqlite3_step(query.get()) == SQLITE_ROW) {
    Table table{text(query, 0), text(query, 1), true};
    table.has_rowid = table.sql.find("WITHOUT ROWID") == std::string::npos;
    tables.push_back(std::move(table));
  }
  return tables;
}

void copy_all(sqlite3* from, sqlite3* to, Repair& repair) {
  const auto run = [to](const std::string& sql) { sqlite3_exec(to, sql.c_str(), nullptr, nullptr, nullptr); };
  const auto tables = tables_of(from);
  run("PRAGMA foreign_keys = OFF; BEGIN");
  for (const Table& table : tables) run(table.sql);
  for (const Table& table : tables) TableCopy(from, to, table, repair).run();
  // Without schema_version nobody knows the schema of the tables.
  const Query version = prepare(to, "SELECT 1 FROM schema_version");
  if (!version || sqlite3_step(version.get()) != SQLITE_ROW) {
    repair.rows = 0;
    return run("ROLLBACK");
  }
  sqlite3_reset(version.get());
  const Query indexes = prepare(from, "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL");
  while (indexes && sqlite3_step(indexes.get()) == SQLITE_ROW) run(text(indexes, 0));
  // Rows that refer to lost rows are deleted, too.
  std::vector<std::string> orphans;
  const Query check = prepare(to, "PRAGMA foreign_key_check");
  while (check && sqlite3_step(check.get()) == SQLITE_ROW) {
    if (sqlite3_column_type(check.get(), 1) != SQLITE_NULL)
      orphans.push_back("DELETE FROM " + quoted(text(check, 0)) + " WHERE rowid = " + text(check, 1));
  }
  for (const auto& orphan : orphans) run(orphan);
  // Tables and triggers may be missing: their owners recreate them.
  run("UPDATE schema_version SET version = -abs(version)");
  run("COMMIT");
}

}  // namespace

base::Result<std::optional<std::string>> find_damage(const fs::path& file, Depth depth) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error || size == 0) return std::optional<std::string>();
  const Connection connection = open_raw(file, SQLITE_OPEN_READWRITE);
  if (!connection) return std::optional<std::string>();  // not damage: whoever opens the file reports it
  const auto look = [&](const std::string& sql) -> std::optional<std::string> {
    const Query query = prepare(connection.get(), sql);
    int status = query ? SQLITE_OK : sqlite3_errcode(connection.get());
    std::string found;
    if (query) {
      while ((status = sqlite3_step(query.get())) == SQLITE_ROW) found = text(query, 0);
    }
    if (is_damage(status)) return sqlite3_errmsg(connection.get());
    return found;
  };
  auto schema = look("SELECT count(*) FROM sqlite_master");
  if (schema && schema->find_first_not_of("0123456789") != std::string::npos) return schema;
  if (size <= kReadWhole || depth == Depth::whole) {
    const auto check = look("PRAGMA quick_check(1)");
    if (check && !check->empty() && *check != "ok") return check;
    return std::optional<std::string>();
  }
  const bool has_log = fs::file_size(file.string() + "-wal", error) > 0 && !error;
  const auto pages = look("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  if (!has_log && pages && std::strtoull(pages->c_str(), nullptr, 10) > size)
    return std::optional<std::string>("the file is too short");
  return std::optional<std::string>();
}

base::Result<Repair> repair(const fs::path& file, std::string damage) {
  Repair done;
  done.damage = std::move(damage);
  std::ranges::replace(done.damage, '\n', ' ');
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  for (int attempt = 0;; ++attempt) {
    done.set_aside = fmt::format("{}.damaged-{}{}", file.string(), now.time_since_epoch().count(),
                                 attempt == 0 ? "" : fmt::format("-{}", attempt));
    if (std::error_code error; !fs::exists(done.set_aside, error)) break;
  }
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code error;
    fs::rename(file.string() + suffix, done.set_aside.string() + suffix, error);
    if (error && *suffix == '\0') {
      return base::fail(base::ErrorCode::unavailable, fmt::format("{} is damaged ({}) and cannot be set aside: {}.",
                                                                  file.string(), done.damage, error.message()));
    }
  }
  // Written under a name of its own, so that an unfinished file is never taken for the database.
  const fs::path fresh = file.string() + ".repaired";
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(fresh.string() + suffix, ignored);
  }
  {
    // SQLite gives the files beside this one the same mode.
    ::mknod(fresh.c_str(), S_IFREG | 0600, 0);
    const Connection to = open_raw(fresh, SQLITE_OPEN_READWRITE);
    if (!to) return base::fail(base::ErrorCode::unavailable, fmt::format("{} cannot be made.", fresh.string()));
    const Connection from = open_raw(done.set_aside, SQLITE_OPEN_READWRITE);
    sqlite3_exec(to.get(), "PRAGMA auto_vacuum = INCREMENTAL", nullptr, nullptr, nullptr);
    if (from) {
      // Otherwise SQLite reads nothing of a truncated file.
      sqlite3_exec(from.get(), "PRAGMA writable_schema = ON", nullptr, nullptr, nullptr);
      copy_all(from.get(), to.get(), done);
    }
  }
  std::error_code error;
  fs::rename(fresh, file, error);
  if (error) return base::fail(base::ErrorCode::unavailable, fmt::format("{}: {}.", file.string(), error.message()));
  return done;
}

base::Result<std::optional<Repair>> repair_if_damaged(const fs::path& file, Depth depth) {
  auto damage = find_damage(file, depth);
  if (!damage) return std::unexpected(std::move(damage.error()));
  if (!*damage) return std::optional<Repair>();
  auto done = repair(file, std::move(**damage));
  if (!done) return std::unexpected(std::move(done.error()));
  base::log_warning("storage", "{} was damaged ({}): it is kept as {}, and {} rows were read from it{}", file.string(),
                    done->damage, done->set_aside.filename().string(), done->rows,
                    done->gaps == 0 ? "" : fmt::format(", with {} places that cannot be read", done->gaps));
  return std::optional<Repair>(std::move(*done));
}

}  // namespace hearth::storage
