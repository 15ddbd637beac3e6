// SPDX-License-Identifier: Apache-2.0
#include "archive/postgres_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text/timestamp.h"

namespace hearth::archive {
namespace {

using base::Result;
using recorder::Change;
using recorder::ChangeList;

// A position after everything.
constexpr std::int64_t kNoMore = INT64_MAX;

// $1 is the entity. Microseconds since 1970 are exact as numbers.
constexpr const char* kColumns =
    "SELECT (extract(epoch FROM updated) * 1000000)::bigint, (extract(epoch FROM changed) * 1000000)::bigint, state, "
    "attribute_sets.attributes, context_id, parent_id, user_id, epoch, sequence "
    "FROM hearth.changes LEFT JOIN hearth.attribute_sets ON attribute_sets.id = changes.attributes "
    "WHERE entity = $1::integer";

Result<void> add(ChangeList& list, const PostgresConnection::Row& row) {
  const auto updated = integer(row, 0), changed = integer(row, 1), sequence = integer(row, 8);
  if (!updated || !changed || !sequence)
    return std::unexpected((updated ? changed ? sequence : changed : updated).error());
  const auto text = [&](std::size_t column) {
    return row[column] ? std::string_view(*row[column]) : std::string_view();
  };
  Change change;
  change.updated = time_of(*updated);
  change.changed = time_of(*changed);
  change.removed = !row[2];
  change.value = text(2);
  change.attributes = text(3);
  change.context_id = text(4);
  change.parent_id = text(5);
  change.user_id = text(6);
  change.number = *sequence;
  list.add(change);
  return {};
}

}  // namespace

Result<std::int64_t> integer(const PostgresConnection::Row& row, std::size_t column) {
  std::int64_t value = 0;
  if (column < row.size() && row[column]) {
    const std::string& text = *row[column];
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc()) return value;
  }
  return base::fail(base::ErrorCode::internal, "PostgreSQL gives no number.");
}

std::string time_text(base::Timestamp time) {
  using namespace std::chrono;
  constexpr base::Timestamp kFirst{sys_days(year(1970) / 1 / 1)}, kLast{sys_days(year(9999) / 12 / 31)};
  return base::to_string(std::clamp(time, kFirst, kLast));
}

base::Timestamp time_of(std::int64_t micros) {
  return base::Timestamp(base::Duration(micros));
}

Result<std::optional<ChangeList>> PostgresChanges::next(std::string_view entity, Position& position,
                                                        base::Timestamp from, base::Timestamp until, Kinds kinds) {
  if (position.last_change == kNoMore) return std::optional<ChangeList>();
  const bool first = position.last.time_since_epoch() == base::Duration::min();
  std::vector<std::string> parameters{std::string(entity), time_text(first ? from : position.last), time_text(until)};
  std::string sql = kColumns;
  sql += " AND updated <= $3::timestamptz AND ";
  if (first) {
    sql += "updated >= $2::timestamptz";
  } else {
    sql += "updated >= $2::timestamptz AND (updated, epoch, sequence) > ($2::timestamptz, $4::integer, $5::bigint)";
    parameters.push_back(std::to_string(position.seen));
    parameters.push_back(std::to_string(position.last_change));
  }
  if (kinds == Kinds::without_measurements) sql += " AND NOT measured";
  sql += fmt::format(" ORDER BY updated, epoch, sequence LIMIT {}", kPiece);
  const auto rows = connection_.run(sql, parameters);
  if (!rows) return std::unexpected(rows.error());
  ChangeList list;
  for (const auto& row : *rows) {
    if (auto added = add(list, row); !added) return std::unexpected(std::move(added.error()));
  }
  if (rows->size() < kPiece) {
    position.last_change = kNoMore;
  } else {
    const auto epoch = integer(rows->back(), 7);
    if (!epoch) return std::unexpected(epoch.error());
    position = {list.changes().back().updated, list.changes().back().number, *epoch};
  }
  return std::optional(std::move(list));
}

Result<ChangeList> PostgresChanges::last_before(std::string_view entity, base::Timestamp from) {
  const auto rows = connection_.run(
      std::string(kColumns) + " AND updated < $2::timestamptz ORDER BY updated DESC, epoch DESC, sequence DESC LIMIT 1",
      {std::string(entity), time_text(from)});
  if (!rows) return std::unexpected(rows.error());
  ChangeList last;
  if (rows->empty()) return last;
  if (auto added = add(last, rows->front()); !added) return std::unexpected(std::move(added.error()));
  return last;
}

}  // namespace hearth::archive
