// SPDX-License-Identifier: Apache-2.0
#include "recorder/day_statistics.h"

#include "recorder/entity_history.h"
#include "recorder/history_file.h"
#include "recorder/statistics_store.h"

namespace hearth::recorder {

base::Result<void> put_down_days(HistoryReader& reader, storage::Database& database, std::int64_t entity,
                                 const std::string& entity_id, std::int64_t first, std::int64_t today) {
  const auto midnight = [](std::int64_t day) { return base::Timestamp(base::Duration(day * kMicrosPerDay)); };
  const auto sum = stored_sum(database, entity, first);
  if (!sum) return std::unexpected(sum.error());
  EntityHistory history(entity_id, {midnight(first), midnight(today) - base::Duration(1)});
  StatisticsWalk walk(*sum);
  std::vector<Statistics> steps;
  for (bool more = true; more;) {
    auto piece = history.next(reader);
    if (!piece) return std::unexpected(std::move(piece.error()));
    more = piece->more;
    if (piece->initial) walk.begin(midnight(first), *piece->initial, *sum);
    for (const Change& change : piece->changes) walk.add(change);
    if (!more) walk.until(midnight(today));
    for (Statistics& step : walk.take()) {
      if (!steps.empty() && steps.back().start == step.start)
        steps.back().join(step);
      else
        steps.push_back(step);
    }
  }
  if (steps.empty()) return {};
  auto transaction = storage::Transaction::begin(database, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (auto stored = store_statistics(database, entity, steps); !stored) return stored;
  return transaction->commit();
}

}  // namespace hearth::recorder
