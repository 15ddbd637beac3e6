// SPDX-License-Identifier: Apache-2.0
#include "recorder/queries/select_from_history.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <string>
#include <string_view>

#include "base/text/utf8.h"
#include "recorder/queries/history_tables.h"
#include "storage/sqlite_handles.h"
#include "storage/sqlite_library.h"

namespace hearth::recorder {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kThereAre =
    "history has the tables states, states_meta, state_attributes, statistics, statistics_short_term and "
    "statistics_meta";
constexpr std::string_view kOnlyReads = "may only read: expected one SELECT";
// Of SQLite itself. They are used once before the query: SQLite asks for more rights when it sees one first.
constexpr std::array<std::string_view, 5> kBuiltIn{"json_each", "json_tree", "pragma_freelist_count",
                                                   "pragma_page_count", "pragma_page_size"};
constexpr auto kUseBuiltIn =
    "SELECT 1 FROM json_each('[]'), json_tree('[]'), pragma_page_count(), pragma_page_size(), pragma_freelist_count()";
constexpr std::array<std::string_view, 3> kPragmas{"page_count", "page_size", "freelist_count"};
constexpr std::array<std::string_view, 2> kForbiddenFunctions{"load_extension", "fts3_tokenizer"};
constexpr int kInstructions = 1'000;  // between two looks at the clock
constexpr std::size_t kMaxValue = 1024 * 1024, kMaxSql = 64 * 1024;

constexpr auto has(const auto& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

// Decides what the query may use, and says why not. Called while it is compiled, and for its pragmas while it runs.
class Gate {
 public:
  static int ask(void* gate, int action, const char* first, const char* second, const char* database,
                 const char* view) {
    const auto text = [](const char* given) { return given ? std::string_view(given) : std::string_view(); };
    return static_cast<Gate*>(gate)->allows(action, text(first), text(second), text(database), text(view))
               ? SQLITE_OK
               : SQLITE_DENY;
  }
  const std::string& refused() const { return refused_; }

 private:
  bool allows(int action, std::string_view first, std::string_view second, std::string_view database,
              std::string_view view) {
    switch (action) {
      case SQLITE_SELECT:
      case SQLITE_RECURSIVE:
        return true;
      case SQLITE_READ:
        if (may_read(first, second, database, view)) return true;
        return refuse(fmt::format("may not read {}: {}", first, kThereAre));
      case SQLITE_FUNCTION:
        return !has(kForbiddenFunctions, second) || refuse(fmt::format("may not use the function {}", second));
      case SQLITE_PRAGMA:
        return (has(kPragmas, first) && second.empty()) || refuse(fmt::format("may not use the pragma {}", first));
      default:
        return refuse(std::string(kOnlyReads));
    }
  }
  static bool may_read(std::string_view table, std::string_view column, std::string_view database,
                       std::string_view view) {
    if (has(kBuiltIn, table)) return true;
    if (database == "temp") return is_history_table(table);
    // The two views of entities are made of this one.
    if (table == "entities") return database == "main" && (view == "states_meta" || view == "statistics_meta");
    // The name of a WITH, of which nothing but the number of rows is asked.
    return column.empty() && database.empty() && !has(kOwnTables, table);
  }
  bool refuse(std::string why) {
    if (refused_.empty()) refused_ = std::move(why);
    return false;
  }

  static constexpr std::array<std::string_view, 12> kOwnTables{
      "attribute_sets",     "changes",  "events",        "history",       "numbers",
      "schema_version",     "segments", "sqlite_master", "sqlite_schema", "sqlite_temp_master",
      "sqlite_temp_schema", "users"};
  std::string refused_;
};

json::value value_at(sqlite3_stmt* statement, int column) {
  const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT:
      return json::string(
          base::utf8_repaired({reinterpret_cast<const char*>(sqlite3_column_text(statement, column)), bytes}));
    case SQLITE_BLOB: {
      std::string text = "0x";
      const auto* const data = static_cast<const unsigned char*>(sqlite3_column_blob(statement, column));
      for (std::size_t i = 0; i < bytes; ++i) text += fmt::format("{:02x}", data[i]);
      return json::string(text);
    }
    default:
      return nullptr;
  }
}

class Asking {
 public:
  Asking(HistoryReader& reader, base::Timestamp now, const storage::SelectQuery& query,
         const std::function<bool()>& is_wanted)
      : query_(query), is_wanted_(is_wanted), tables_(reader, now, [this] { return go_on(); }) {}

  Result<storage::SelectedRow> run(const std::filesystem::path& file) {
    if (auto opened = open(file); !opened) return std::unexpected(std::move(opened.error()));
    if (query_.sql.size() > kMaxSql) return base::fail(ErrorCode::invalid, "is longer than 64 KiB");
    sqlite3_stmt* made = nullptr;
    const char* rest = nullptr;
    if (sqlite3_prepare_v2(connection_.get(), query_.sql.c_str(), -1, &made, &rest) != SQLITE_OK) return failed();
    const storage::Query statement(made);
    if (!made) return base::fail(ErrorCode::invalid, "is empty");
    if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
      return base::fail(ErrorCode::invalid, "has more than one statement");
    if (!sqlite3_stmt_readonly(made)) return base::fail(ErrorCode::invalid, std::string(kOnlyReads));
    return row_of(made);
  }

 private:
  bool go_on() const { return std::chrono::steady_clock::now() < end_ && is_wanted_(); }

  Result<void> open(const std::filesystem::path& file) {
    storage::set_up_sqlite();
    sqlite3* connection = nullptr;
    const int status = sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    connection_.reset(connection);
    if (status != SQLITE_OK) return base::fail(ErrorCode::unavailable, "cannot be asked: history.db cannot be opened");
    sqlite3_busy_timeout(connection, 5'000);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    if (auto added = tables_.add_to(connection); !added) return added;
    if (sqlite3_exec(connection, kUseBuiltIn, nullptr, nullptr, nullptr) != SQLITE_OK)
      return base::fail(ErrorCode::internal, sqlite3_errmsg(connection));
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMaxValue);
    sqlite3_set_authorizer(connection, &Gate::ask, &gate_);
    sqlite3_progress_handler(
        connection, kInstructions, [](void* asking) { return static_cast<Asking*>(asking)->go_on() ? 0 : 1; }, this);
    return {};
  }

  Result<storage::SelectedRow> row_of(sqlite3_stmt* statement) {
    storage::SelectedRow row;
    for (std::size_t rows = 0;; ++rows) {
      const int status = sqlite3_step(statement);
      if (status == SQLITE_DONE) return row;
      if (status != SQLITE_ROW) return failed();
      if (rows == query_.rows)
        return base::fail(ErrorCode::full, fmt::format("gives more than {} rows; LIMIT 1 gives one", query_.rows));
      std::size_t bytes = 0;
      row.emplace();
      for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        bytes += static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        if (bytes > query_.row_bytes)
          return base::fail(ErrorCode::full, fmt::format("gives a row of more than {} KiB", query_.row_bytes >> 10));
        (*row)[sqlite3_column_name(statement, column)] = value_at(statement, column);
      }
      if (query_.first_row) return row;
    }
  }

  std::unexpected<base::Error> failed() const {
    if (!gate_.refused().empty()) return base::fail(ErrorCode::invalid, gate_.refused());
    const int code = sqlite3_errcode(connection_.get()) & 0xFF;
    if (code == SQLITE_INTERRUPT)
      return base::fail(ErrorCode::full, fmt::format("takes longer than {} s", query_.time.count() / 1'000.0));
    const std::string_view why = sqlite3_errmsg(connection_.get());
    if (why == "no query solution")
      return base::fail(ErrorCode::invalid, "fails: state_attributes is found by the attributes_id of states only");
    if (why.ends_with("may not be modified")) return base::fail(ErrorCode::invalid, std::string(kOnlyReads));
    if (why.starts_with("no such table"))
      return base::fail(ErrorCode::invalid, fmt::format("fails: {}; {}", why, kThereAre));
    return base::fail(code == SQLITE_ERROR ? ErrorCode::invalid : ErrorCode::unavailable,
                      fmt::format("fails: {}", why));
  }

  const storage::SelectQuery& query_;
  const std::function<bool()>& is_wanted_;
  const std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + query_.time;
  HistoryTables tables_;
  Gate gate_;
  storage::Connection connection_;
};

}  // namespace

Result<storage::SelectedRow> select_from_history(const std::filesystem::path& file, HistoryReader& reader,
                                                 base::Timestamp now, const storage::SelectQuery& query,
                                                 const std::function<bool()>& is_wanted) {
  return Asking(reader, now, query, is_wanted).run(file);
}

}  // namespace hearth::recorder
