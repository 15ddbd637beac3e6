// SPDX-License-Identifier: Apache-2.0
#include "recorder/moment.h"

#include <optional>
#include <string>

namespace hearth::recorder {
namespace {

using base::Result;

// Text and number of the first row; nothing where there is no such row or table.
struct Row {
  std::string text;
  std::int64_t number = 0;
};
Result<std::optional<Row>> first_row(storage::Database& database, std::string_view table, std::string_view sql) {
  auto tables = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  if (!tables) return std::unexpected(std::move(tables.error()));
  auto row = tables->bind(table).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return std::optional<Row>();
  auto select = database.prepare(sql);
  if (!select) return std::unexpected(std::move(select.error()));
  row = select->step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return std::optional<Row>();
  return std::optional<Row>({std::string(select->text(0)), select->integer(1)});
}

}  // namespace

// The log of the look at history.db holds all that came after the states as they were saved last before it, and the
// look at home.db has those or newer ones. They are not newer than the log where their mark lies within it.
Result<bool> of_one_moment(storage::Database& home, storage::Database& history) {
  const auto mark = first_row(home, "last_states_mark", "SELECT history, change FROM last_states_mark");
  if (!mark) return std::unexpected(mark.error());
  const auto last =
      first_row(history, "changes", "SELECT name, (SELECT coalesce(max(id), 0) FROM changes) FROM history");
  if (!last) return std::unexpected(last.error());
  if (!*mark || !*last || (*mark)->text != (*last)->text) return true;
  return (*mark)->number <= (*last)->number;
}

}  // namespace hearth::recorder
