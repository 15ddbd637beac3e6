// SPDX-License-Identifier: Apache-2.0
// A virtual table of SQLite whose rows belong to entities, of a connection that only reads. One thread.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "recorder/queries/history_tables.h"

namespace hearth::recorder {

// Why a row cannot be read; the statement fails with it.
struct Wanted {
  std::vector<std::int64_t> entities = {};  // in the order of their numbers
  base::Timestamp from = {}, until = {};    // both belong to it; rows outside of it may come, too
  bool newest_first = false;
  std::optional<std::int64_t> attributes = {};  // the number of a set
  sqlite3_uint64 columns = 0;                   // a bit for each column that is read
};

class PastRows {
 public:
  virtual ~PastRows() = default;
  // False: there are no more.
  virtual base::Result<bool> step() = 0;
  virtual void column(sqlite3_context* to, int number) const = 0;
};

struct PastColumn {
  const char* declaration;  // "state TEXT"
  // How conditions on it help: it names the entity, or bounds the time. A lower bound only: it is never later.
  enum class Use {
    none,
    entity_number,
    entity_name,
    time,
    time_text,
    begin,
    begin_text,
    attributes,
    order
  } use = Use::none;
};

struct PastTable {
  const char* name;
  std::span<const PastColumn> columns;
  bool by_time = false;           // rows of an entity come in the order of time, or against it
  bool needs_attributes = false;  // there is no other way to ask for rows
  std::unique_ptr<PastRows> (*rows)(HistoryTables& tables, Wanted wanted) = nullptr;
};

// Registers the table, which must live as long as the program, and adds it to the connection's temporary database.
base::Result<void> add_past_table(sqlite3* connection, const PastTable& table, HistoryTables& tables);

void give(sqlite3_context* to, std::string_view text);
void give_seconds(sqlite3_context* to, base::Timestamp time);
// 2026-04-20 12:00:00.000000, in UTC.
void give_time(sqlite3_context* to, base::Timestamp time);

extern const PastTable kStatesTable, kStateAttributesTable, kStatisticsTable, kShortStatisticsTable;

}  // namespace hearth::recorder
