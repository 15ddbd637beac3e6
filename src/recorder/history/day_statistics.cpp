// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/day_statistics.h"

#include "recorder/history/entity_history.h"
#include "recorder/history/statistics_store.h"
#include "recorder/log/history_file.h"

namespace hearth::recorder {

namespace {

using base::Result;

base::Timestamp midnight(std::int64_t day) {
  return base::Timestamp(base::Duration(day * kMicrosPerDay));
}

Result<std::vector<Statistics>> statistics_between(ChangeReader& reader, const std::string& entity_id,
                                                   const Total& total, base::Timestamp from, base::Timestamp until) {
  // A change at the very start is none that was already in force: its gain counts.
  EntityHistory history(entity_id, {from - base::Duration(1), until - base::Duration(1)});
  StatisticsWalk walk(total);
  std::vector<Statistics> steps;
  for (bool more = true; more;) {
    auto piece = history.next(reader);
    if (!piece) return std::unexpected(std::move(piece.error()));
    more = piece->more;
    if (piece->initial) walk.begin(from, *piece->initial);
    for (const Change& change : piece->changes) walk.add(change);
    if (!more) walk.until(until);
    for (const Statistics& step : walk.take()) add_step(steps, step, Period::five_minutes);
  }
  return steps;
}

}  // namespace

Result<std::vector<Statistics>> statistics_of_days(ChangeReader& reader, const std::string& entity_id,
                                                   const Total& total, std::int64_t first, std::int64_t end) {
  return statistics_between(reader, entity_id, total, midnight(first), midnight(end));
}

Result<void> store_day_statistics(ChangeReader& reader, storage::Database& database, std::int64_t entity,
                                  const std::string& entity_id, std::int64_t first, std::int64_t end) {
  const auto imported = imported_until(database, entity);
  if (!imported) return std::unexpected(imported.error());
  const base::Timestamp from = std::max(midnight(first), *imported);
  if (from >= midnight(end)) return {};
  auto total = stored_total(database, entity, day_of(from));
  if (!total) return std::unexpected(total.error());
  std::vector<Statistics> steps;
  if (from > midnight(day_of(from))) {
    auto stored = stored_statistics(database, entity, day_of(from), day_of(from));
    if (!stored) return std::unexpected(std::move(stored.error()));
    steps = std::move(*stored);
    std::erase_if(steps, [](const Statistics& step) { return !step.imported; });
    if (!steps.empty()) *total = total_after(steps.back());
  }
  const auto rest = statistics_between(reader, entity_id, *total, from, midnight(end));
  if (!rest) return std::unexpected(rest.error());
  steps.insert(steps.end(), rest->begin(), rest->end());
  return store_statistics(database, entity, steps);
}

}  // namespace hearth::recorder
