// SPDX-License-Identifier: Apache-2.0
// The tables of the archive. docs/archive.md explains them to those who query them.
#pragma once

#include "archive/postgres_connection.h"
#include "base/clock.h"

namespace hearth::archive {

// Creates or migrates them, with an advisory lock against others that do so at the same time. Fails with unavailable
// if a newer hub made them or the server is older than kLeastServer.
constexpr int kLeastServer = 130'000;
base::Result<void> prepare_schema(PostgresConnection& connection);

// A month's part of a table, by its first day: "2026-11-01".
struct Month {
  std::chrono::year_month month;
  std::string name() const;        // y2026m11
  std::string first_day() const;   // 2026-11-01
  std::string next_month() const;  // 2026-12-01
};
Month month_of(base::Timestamp time);

// Partitions exist for months of these years only; other times are in the default partition.
constexpr int kFirstYear = 2000, kLastYear = 2099;
base::Result<void> add_month(PostgresConnection& connection, const Month& month);
// The start of the first month that has anything; null if none has.
base::Result<std::optional<base::Timestamp>> oldest_month(PostgresConnection& connection);
// Drops the partitions of months that ended before that time. Returns how many.
base::Result<std::size_t> drop_months(PostgresConnection& connection, base::Timestamp before);

}  // namespace hearth::archive
