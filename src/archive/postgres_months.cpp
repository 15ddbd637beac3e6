// SPDX-License-Identifier: Apache-2.0
#include "archive/postgres_months.h"

#include "archive/archive.h"
#include "archive/postgres_schema.h"
#include "base/log/log.h"

namespace hearth::archive {

bool PostgresMonths::drop_old(PostgresConnection& connection) {
  constexpr base::Duration kInterval = std::chrono::hours(1);
  if (keep_ == ArchiveOptions::kForever) return true;
  const auto now = clock_.steady_now();
  // Not at once after the start: the clock may be wrong until it is synchronised.
  if (!dropped_at_) dropped_at_ = now;
  if (now - *dropped_at_ < kInterval) return true;
  dropped_at_ = now;
  const auto dropped = drop_months(connection, clock_.now() - keep_);
  if (!dropped) {
    base::log_warning("archive", "months that are older than `keep` allows cannot be dropped: {}",
                      dropped.error().message);
    return false;
  }
  if (*dropped > 0)
    base::log_info("archive", "{} partitions of months that are older than `keep` allows are dropped", *dropped);
  return true;
}

}  // namespace hearth::archive
