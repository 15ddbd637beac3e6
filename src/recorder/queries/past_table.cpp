// SPDX-License-Identifier: Apache-2.0
#include "recorder/queries/past_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "base/text/number.h"
#include "base/text/timestamp.h"

namespace hearth::recorder {
namespace {

using Use = PastColumn::Use;

// Beyond any change, and without an overflow when days are counted.
constexpr base::Timestamp kAlways{std::chrono::days(100'000)};
constexpr base::Timestamp kNever{-std::chrono::days(100'000)};
constexpr std::chrono::seconds kMargin{1};  // of bounds that are rounded

constexpr int kNewestFirst = 1;

struct PastVtab : sqlite3_vtab {
  const PastTable* table;
  HistoryTables* tables;
};

struct PastCursor : sqlite3_vtab_cursor {
  std::unique_ptr<PastRows> rows;
  bool at_end = true;
  std::int64_t row = 0;
};

// Of sqlite3_create_module.
struct PastModule {
  const PastTable* table;
  HistoryTables* tables;
};

int fail(sqlite3_vtab* table, const std::string& why) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf("%s", why.c_str());
  return SQLITE_ERROR;
}

// Exceptions must not reach SQLite.
template <class Work>
int guarded(sqlite3_vtab* table, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& thrown) {
    return fail(table, thrown.what());
  }
}

int connect_table(sqlite3* connection, void* module, int, const char* const*, sqlite3_vtab** made, char**) {
  const auto& of = *static_cast<const PastModule*>(module);
  std::string declaration;
  for (const PastColumn& each : of.table->columns)
    declaration += (declaration.empty() ? "" : ", ") + std::string(each.declaration);
  const int status = sqlite3_declare_vtab(connection, fmt::format("CREATE TABLE x({})", declaration).c_str());
  if (status != SQLITE_OK) return status;
  auto* const table = new (std::nothrow) PastVtab{};
  if (!table) return SQLITE_NOMEM;
  table->table = of.table;
  table->tables = of.tables;
  *made = table;
  return SQLITE_OK;
}

int disconnect_table(sqlite3_vtab* table) {
  delete static_cast<PastVtab*>(table);
  return SQLITE_OK;
}

// The kind of a condition, for `filter`: the letter and, of SQLite's, the operator.
char letter_of(Use use, unsigned char op) {
  const bool lower = op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_GT;
  const bool upper = op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_LT;
  const bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
  switch (use) {
    case Use::entity_number:
      return equal ? 'm' : '\0';
    case Use::entity_name:
      return equal ? 'e' : '\0';
    case Use::attributes:
      return equal ? 'a' : '\0';
    case Use::time:
      return lower ? 'l' : upper ? 'u' : '\0';
    case Use::time_text:
      return lower ? 'L' : upper ? 'U' : '\0';
    case Use::begin:
      return lower ? 'l' : '\0';
    case Use::begin_text:
      return lower ? 'L' : '\0';
    default:
      return '\0';
  }
}

bool orders_by_time(Use use) {
  return use == Use::time || use == Use::time_text || use == Use::order;
}

int best_index(sqlite3_vtab* of, sqlite3_index_info* info) {
  const PastTable& table = *static_cast<PastVtab*>(of)->table;
  std::string letters;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& each = info->aConstraint[i];
    if (!each.usable || each.iColumn < 0) continue;
    const char letter = letter_of(table.columns[static_cast<std::size_t>(each.iColumn)].use, each.op);
    if (letter == '\0' || letters.size() == 16) continue;
    letters += letter;
    info->aConstraintUsage[i].argvIndex = static_cast<int>(letters.size());
  }
  const bool one = letters.find_first_of("me") != std::string::npos;
  const bool bounded = letters.find_first_of("lL") != std::string::npos;
  if (table.needs_attributes && !letters.contains('a')) return SQLITE_CONSTRAINT;
  info->idxNum = 0;
  if (one && table.by_time && info->nOrderBy == 1 && info->aOrderBy[0].iColumn >= 0 &&
      orders_by_time(table.columns[static_cast<std::size_t>(info->aOrderBy[0].iColumn)].use)) {
    info->orderByConsumed = 1;
    if (info->aOrderBy[0].desc) info->idxNum = kNewestFirst;
  }
  info->estimatedCost = (one ? 1e4 : 1e8) / (bounded ? 10 : 1);
  info->estimatedRows = static_cast<sqlite3_int64>(info->estimatedCost);
  if (table.needs_attributes) info->estimatedCost = info->estimatedRows = 1;
  // The columns that are read come with the letters.
  letters += fmt::format(" {}", info->colUsed);
  info->idxStr = sqlite3_mprintf("%s", letters.c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

std::string_view text_of(sqlite3_value* value) {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text ? std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value))) : std::string_view();
}

// Null: it cannot be told, so that it bounds nothing.
std::optional<base::Timestamp> moment_of(sqlite3_value* value, bool as_text) {
  if (as_text) {
    if (sqlite3_value_type(value) != SQLITE_TEXT) return {};
    const auto time = base::parse_timestamp(text_of(value));
    return time ? std::optional(*time) : std::nullopt;
  }
  std::optional<double> seconds;
  if (sqlite3_value_type(value) == SQLITE_TEXT)
    seconds = base::parse_number(text_of(value));
  else if (sqlite3_value_numeric_type(value) == SQLITE_INTEGER || sqlite3_value_numeric_type(value) == SQLITE_FLOAT)
    seconds = sqlite3_value_double(value);
  if (!seconds || !(std::abs(*seconds) < 8e9)) return {};
  return base::Timestamp(base::Duration(static_cast<std::int64_t>(*seconds * 1e6)));
}

Wanted wanted_by(HistoryTables& tables, int plan, std::string_view letters, sqlite3_value** values) {
  Wanted wanted{.from = kNever, .until = kAlways, .newest_first = plan == kNewestFirst};
  std::optional<std::int64_t> one;
  bool any = true;
  const auto only = [&](std::optional<std::int64_t> number) {
    if (!number || (one && *one != *number)) any = false;
    one = number;
  };
  const std::size_t space = letters.find(' ');
  wanted.columns = std::stoull(std::string(letters.substr(space + 1)));
  for (std::size_t i = 0; i < space; ++i) {
    sqlite3_value* const value = values[i];
    const char letter = letters[i];
    if (letter == 'm') {
      const auto number = sqlite3_value_int64(value);
      only(tables.find_entity(number) ? std::optional(number) : std::nullopt);
    } else if (letter == 'e') {
      only(tables.number_of(text_of(value)));
    } else if (letter == 'a') {
      wanted.attributes = sqlite3_value_int64(value);
    } else if (const auto time = moment_of(value, letter == 'L' || letter == 'U')) {
      if (letter == 'l' || letter == 'L')
        wanted.from = std::max(wanted.from, *time - kMargin);
      else
        wanted.until = std::min(wanted.until, *time + kMargin);
    }
  }
  if (!any) return wanted;
  if (one)
    wanted.entities.push_back(*one);
  else
    for (const auto& [number, id] : tables.entities()) wanted.entities.push_back(number);
  return wanted;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** made) {
  auto* const cursor = new (std::nothrow) PastCursor{};
  *made = cursor;
  return cursor ? SQLITE_OK : SQLITE_NOMEM;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<PastCursor*>(cursor);
  return SQLITE_OK;
}

int next_row(sqlite3_vtab_cursor* of) {
  auto& cursor = *static_cast<PastCursor*>(of);
  return guarded(of->pVtab, [&] {
    const auto stepped = cursor.rows->step();
    if (!stepped) {
      const bool cancelled = !static_cast<PastVtab*>(of->pVtab)->tables->go_on();
      return cancelled ? SQLITE_INTERRUPT : fail(of->pVtab, stepped.error().message);
    }
    cursor.at_end = !*stepped;
    ++cursor.row;
    return SQLITE_OK;
  });
}

int filter(sqlite3_vtab_cursor* of, int plan, const char* letters, int, sqlite3_value** values) {
  auto& cursor = *static_cast<PastCursor*>(of);
  const auto& table = *static_cast<PastVtab*>(of->pVtab);
  const int status = guarded(of->pVtab, [&] {
    cursor.rows = table.table->rows(*table.tables, wanted_by(*table.tables, plan, letters, values));
    cursor.row = 0;
    return SQLITE_OK;
  });
  return status == SQLITE_OK ? next_row(of) : status;
}

int at_end(sqlite3_vtab_cursor* of) {
  return static_cast<PastCursor*>(of)->at_end ? 1 : 0;
}

int column(sqlite3_vtab_cursor* of, sqlite3_context* to, int number) {
  return guarded(of->pVtab, [&] {
    static_cast<PastCursor*>(of)->rows->column(to, number);
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* of, sqlite3_int64* id) {
  *id = static_cast<PastCursor*>(of)->row;
  return SQLITE_OK;
}

constexpr sqlite3_module past_methods() {
  sqlite3_module methods{};
  methods.xCreate = methods.xConnect = connect_table;
  methods.xBestIndex = best_index;
  methods.xDisconnect = methods.xDestroy = disconnect_table;
  methods.xOpen = open_cursor;
  methods.xClose = close_cursor;
  methods.xFilter = filter;
  methods.xNext = next_row;
  methods.xEof = at_end;
  methods.xColumn = column;
  methods.xRowid = row_id;
  return methods;
}

constexpr sqlite3_module kPastMethods = past_methods();

}  // namespace

base::Result<void> add_past_table(sqlite3* connection, const PastTable& table, HistoryTables& tables) {
  const std::string module = std::string("past_") + table.name;
  const int made = sqlite3_create_module_v2(connection, module.c_str(), &kPastMethods, new PastModule{&table, &tables},
                                            [](void* of) { delete static_cast<PastModule*>(of); });
  const std::string sql = fmt::format("CREATE VIRTUAL TABLE temp.{} USING {}", table.name, module);
  if (made != SQLITE_OK || sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return base::fail(base::ErrorCode::internal, sqlite3_errmsg(connection));
  return {};
}

void give(sqlite3_context* to, std::string_view text) {
  sqlite3_result_text64(to, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void give_seconds(sqlite3_context* to, base::Timestamp time) {
  sqlite3_result_double(to, static_cast<double>(time.time_since_epoch().count()) / 1e6);
}

void give_time(sqlite3_context* to, base::Timestamp time) {
  std::string text = base::to_string(time).substr(0, 26);  // without the offset
  text[10] = ' ';
  give(to, text);
}

}  // namespace hearth::recorder
