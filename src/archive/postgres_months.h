// SPDX-License-Identifier: Apache-2.0
// Drops the months that ended longer ago than the archive keeps, once an hour. One thread.
#pragma once

#include <optional>

#include "archive/postgres_connection.h"
#include "base/clock.h"

namespace hearth::archive {

class PostgresMonths {
 public:
  // The clock must outlive this. `keep`: ArchiveOptions::kForever drops none.
  PostgresMonths(const base::Clock& clock, base::Duration keep) : clock_(clock), keep_(keep) {}

  // Call it between transactions. False if it failed, which the log says: the connection may be broken.
  [[nodiscard]] bool drop_old(PostgresConnection& connection);

 private:
  const base::Clock& clock_;
  const base::Duration keep_;
  std::optional<base::SteadyTime> dropped_at_;
};

}  // namespace hearth::archive
