// SPDX-License-Identifier: Apache-2.0
// The past as SQL tables, with the names and columns of Home Assistant's that queries use: states, states_meta,
// state_attributes, statistics, statistics_short_term and statistics_meta. docs/building-blocks.md lists the columns.
// Nothing is copied: rows are made while a statement asks for them, an entity's by its metadata_id or entity_id.
//
// A state's number grows with time, and is the same each time; it is none that another hub has given. That of a set of
// attributes is valid within a statement.
//
// One thread, the connection's.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "recorder/history/history_reader.h"

namespace hearth::recorder {

class HistoryTables {
 public:
  static constexpr std::size_t kMostAttributes = 16 * 1024 * 1024;  // bytes, of a statement that asks for their numbers

  // `go_on`: false cancels what runs. The reader must outlive it.
  HistoryTables(HistoryReader& reader, base::Timestamp now, std::function<bool()> go_on);

  // Adds the tables to a connection whose main database is history.db, and which must end before this.
  base::Result<void> add_to(sqlite3* connection);

  HistoryReader& reader() { return reader_; }
  base::Timestamp now() const { return now_; }
  bool go_on() const { return go_on_(); }
  const std::map<std::int64_t, std::string>& entities() const { return entities_; }
  // Null if there is none.
  const std::string* find_entity(std::int64_t number) const;
  std::optional<std::int64_t> number_of(std::string_view entity_id) const;

  // Null if there are too many.
  std::optional<std::int64_t> number_of_attributes(std::string_view attributes);
  const std::string* find_attributes(std::int64_t number) const;

 private:
  HistoryReader& reader_;
  const base::Timestamp now_;
  const std::function<bool()> go_on_;
  std::map<std::int64_t, std::string> entities_;
  std::unordered_map<std::string_view, std::int64_t> numbers_;  // of entities
  std::unordered_map<std::string, std::int64_t> attribute_numbers_;
  std::vector<const std::string*> attributes_;
  std::size_t attribute_bytes_ = 0;
};

// The names of the tables.
bool is_history_table(std::string_view name);

}  // namespace hearth::recorder
