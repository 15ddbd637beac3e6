// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/old_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::import_ha {

using base::Result;

namespace {

constexpr std::uint64_t kLeastRow = 16;  // bytes of a row, of any table that is read

}  // namespace

Result<OldColumns> old_columns(storage::Database& old, std::string_view table) {
  auto select = old.prepare("SELECT name FROM pragma_table_info(?)");
  if (!select) return std::unexpected(std::move(select.error()));
  OldColumns columns;
  auto read = select->bind(table).for_each([&](const storage::Statement& row) { columns.emplace(row.text(0)); });
  if (!read) return std::unexpected(std::move(read.error()));
  return columns;
}

std::string select_old(const OldColumns& has, std::string_view table, const std::vector<std::string_view>& columns) {
  std::string sql = "SELECT ";
  for (const std::string_view column : columns) {
    if (column != columns.front()) sql += ", ";
    sql += has.contains(column) ? column : "NULL";
  }
  return sql.append(" FROM ").append(table);
}

Result<OldRange> old_range(storage::Database& old, std::string_view table, std::string_view id) {
  OldRange range;
  for (auto [bound, order] : {std::pair{&range.first, "ASC"}, {&range.last, "DESC"}}) {
    auto select = old.prepare(fmt::format("SELECT {0} FROM {1} ORDER BY {0} {2} LIMIT 1", id, table, order));
    if (!select) return std::unexpected(std::move(select.error()));
    auto row = select->step();
    // A damaged page at one end: the middle may be sound.
    if (!row && old.damaged()) {
      *bound = bound == &range.first ? 0 : INT64_MAX / 2;
      range.most = old.size() / kLeastRow;
      continue;
    }
    if (!row) return std::unexpected(std::move(row.error()));
    if (*row) *bound = select->integer(0);
  }
  return range;
}

OldPass::OldPass(storage::Database& old, const OldColumns& has, std::string table,
                 const std::vector<std::string_view>& columns, Take take, Lost lost)
    : old_(&old),
      table_(std::move(table)),
      id_(columns.front()),
      select_(select_old(has, table_, columns)),
      take_(std::move(take)),
      lost_(std::move(lost)) {}

Result<std::int64_t> OldPass::read(std::int64_t at, std::int64_t until, std::size_t most) {
  const auto all = read_range({at, until + 1}, most, at);
  if (!all) return std::unexpected(all.error());
  if (*all) return at;
  return pass_damage(at, until);
}

Result<bool> OldPass::read_range(const Range& range, std::size_t most, std::int64_t& at) {
  auto select = old_->prepare(fmt::format("{0} WHERE {1} > ? AND {1} < ? ORDER BY {1} {2} LIMIT ?", select_, id_,
                                          range.backwards ? "DESC" : "ASC"));
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(range.after, range.before, static_cast<std::int64_t>(most));
  for (std::size_t rows = 0;; ++rows) {
    auto row = select->step();
    if (!row && old_->damaged()) return false;
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) {
      if (rows < most && !range.backwards) at = range.before - 1;
      return true;
    }
    at = select->integer(0);
    if (auto taken = take_(*select); !taken) return std::unexpected(std::move(taken.error()));
  }
}

// The rows behind the damage are found by leaps, each twice as long as the one before, and then read backwards, because
// the last leap may have been too long.
Result<std::int64_t> OldPass::pass_damage(std::int64_t after, std::int64_t until) {
  std::int64_t beyond = until + 1;
  for (std::int64_t leap = 1; leap < until - after; leap *= 2) {
    auto select =
        old_->prepare(fmt::format("SELECT {0} FROM {1} NOT INDEXED WHERE {0} > ? ORDER BY {0} LIMIT 1", id_, table_));
    if (!select) return std::unexpected(std::move(select.error()));
    auto row = select->bind(after + leap).step();
    if (!row && old_->damaged()) continue;
    if (!row) return std::unexpected(std::move(row.error()));
    if (*row) beyond = std::min(beyond, select->integer(0));
    break;
  }
  std::int64_t sound = beyond;
  const auto all = read_range({after, beyond, true}, INT64_MAX, sound);
  if (!all) return std::unexpected(all.error());
  if (!*all) {
    if (auto told = lost_(after, sound); !told) return std::unexpected(std::move(told.error()));
  }
  return beyond - 1;
}

}  // namespace hearth::import_ha
