// SPDX-License-Identifier: Apache-2.0
#include "recorder/queries/history_tables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "recorder/queries/past_table.h"
#include "storage/sqlite_handles.h"

namespace hearth::recorder {
namespace {

using base::Result;

constexpr std::array<std::string_view, 6> kTables{"states",     "states_meta",           "state_attributes",
                                                  "statistics", "statistics_short_term", "statistics_meta"};

// Both by SQLite itself, which finds an entity by its number or its id.
constexpr auto kViews = R"(
  CREATE TEMP VIEW states_meta(metadata_id, entity_id) AS SELECT id, entity_id FROM main.entities;
  CREATE TEMP VIEW statistics_meta(id, statistic_id, source) AS SELECT id, entity_id, 'recorder' FROM main.entities;
)";

}  // namespace

HistoryTables::HistoryTables(HistoryReader& reader, base::Timestamp now, std::function<bool()> go_on)
    : reader_(reader), now_(now), go_on_(std::move(go_on)) {}

Result<void> HistoryTables::add_to(sqlite3* connection) {
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v2(connection, "SELECT id, entity_id FROM entities", -1, &made, nullptr) != SQLITE_OK)
    return base::fail(base::ErrorCode::unavailable, sqlite3_errmsg(connection));
  const storage::Query select(made);
  while (sqlite3_step(made) == SQLITE_ROW)
    entities_.emplace(sqlite3_column_int64(made, 0), reinterpret_cast<const char*>(sqlite3_column_text(made, 1)));
  for (const auto& [number, id] : entities_) numbers_.emplace(id, number);
  for (const PastTable* const table :
       {&kStatesTable, &kStateAttributesTable, &kStatisticsTable, &kShortStatisticsTable}) {
    if (auto added = add_past_table(connection, *table, *this); !added) return added;
  }
  if (sqlite3_exec(connection, kViews, nullptr, nullptr, nullptr) != SQLITE_OK)
    return base::fail(base::ErrorCode::internal, sqlite3_errmsg(connection));
  return {};
}

const std::string* HistoryTables::find_entity(std::int64_t number) const {
  const auto found = entities_.find(number);
  return found == entities_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> HistoryTables::number_of(std::string_view entity_id) const {
  const auto found = numbers_.find(entity_id);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> HistoryTables::number_of_attributes(std::string_view attributes) {
  const auto known = attribute_numbers_.find(std::string(attributes));
  if (known != attribute_numbers_.end()) return known->second;
  if (attribute_bytes_ + attributes.size() > kMostAttributes) return {};
  attribute_bytes_ += attributes.size();
  const auto number = static_cast<std::int64_t>(attributes_.size()) + 1;
  attributes_.push_back(&attribute_numbers_.emplace(attributes, number).first->first);
  return number;
}

const std::string* HistoryTables::find_attributes(std::int64_t number) const {
  return number < 1 || number > static_cast<std::int64_t>(attributes_.size())
             ? nullptr
             : attributes_[static_cast<std::size_t>(number - 1)];
}

bool is_history_table(std::string_view name) {
  return std::ranges::find(kTables, name) != kTables.end();
}

}  // namespace hearth::recorder
