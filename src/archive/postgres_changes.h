// SPDX-License-Identifier: Apache-2.0
// Reads the archive's changes and statistics of one entity after the other. Entities are numbers here, written as
// texts: their rows in hearth.entities.
//
// One thread, the connection's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/postgres_connection.h"
#include "recorder/history/history_reader.h"

namespace hearth::archive {

// A field that is a number; fails with internal if it is none.
base::Result<std::int64_t> integer(const PostgresConnection::Row& row, std::size_t column);
// For a parameter that is a time: within the years that an archive can have.
std::string time_text(base::Timestamp time);
base::Timestamp time_of(std::int64_t micros);

class PostgresChanges final : public recorder::ChangeReader {
 public:
  static constexpr int kPiece = 1'000;  // changes

  // It must outlive this.
  explicit PostgresChanges(PostgresConnection& connection) : connection_(connection) {}

  base::Result<std::optional<recorder::ChangeList>> next(std::string_view entity, Position& position,
                                                         base::Timestamp from, base::Timestamp until,
                                                         Kinds kinds) override;
  base::Result<recorder::ChangeList> last_before(std::string_view entity, base::Timestamp from) override;

  // As of recorder::HistoryReader.
  base::Result<std::vector<recorder::Statistics>> day_statistics(const std::string& entity, std::int64_t first,
                                                                 std::int64_t last);
  base::Result<std::optional<std::int64_t>> first_day(const std::string& entity);
  base::Result<std::optional<bool>> last_day_is_total(const std::string& entity);
  base::Result<recorder::Total> total_before(const std::string& entity, std::int64_t day);

 private:
  base::Result<std::vector<recorder::Statistics>> last_statistics(const std::string& entity, std::int64_t before);

  PostgresConnection& connection_;
};

// Makes the statistics of the days before `today` of one entity that has lacked them for so long, at most of a month,
// in a transaction. False if there is none.
base::Result<bool> make_statistics(PostgresConnection& connection, std::int64_t today, base::Duration patience);

}  // namespace hearth::archive
