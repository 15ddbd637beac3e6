// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/day_statistics.h"

#include "recorder/history/entity_history.h"
#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"

namespace hearth::recorder {

base::Result<std::vector<Statistics>> statistics_of_days(ChangeReader& reader, const std::string& entity_id,
                                                         const Total& total, std::int64_t first, std::int64_t end) {
  const auto midnight = [](std::int64_t day) { return base::Timestamp(base::Duration(day * kMicrosPerDay)); };
  EntityHistory history(entity_id, {midnight(first), midnight(end) - base::Duration(1)});
  StatisticsWalk walk(total);
  std::vector<Statistics> steps;
  for (bool more = true; more;) {
    auto piece = history.next(reader);
    if (!piece) return std::unexpected(std::move(piece.error()));
    more = piece->more;
    if (piece->initial) walk.begin(midnight(first), *piece->initial);
    for (const Change& change : piece->changes) walk.add(change);
    if (!more) walk.until(midnight(end));
    for (const Statistics& step : walk.take()) add_step(steps, step, Period::five_minutes);
  }
  return steps;
}

base::Result<void> store_day_statistics(ChangeReader& reader, storage::Database& database, std::int64_t entity,
                                        const std::string& entity_id, std::int64_t first, std::int64_t end) {
  const auto total = stored_total(database, entity, first);
  if (!total) return std::unexpected(total.error());
  const auto steps = statistics_of_days(reader, entity_id, *total, first, end);
  if (!steps) return std::unexpected(steps.error());
  return store_statistics(database, entity, *steps);
}

}  // namespace hearth::recorder
