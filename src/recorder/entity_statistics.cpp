// SPDX-License-Identifier: Apache-2.0
#include "recorder/entity_statistics.h"

#include "recorder/history_file.h"
#include "recorder/statistics_store.h"

namespace hearth::recorder {

// The days that are put down, and from where on the changes have to be asked.
base::Result<void> EntityStatistics::begin(HistoryReader& reader) {
  Span rest = span_;
  if (auto opened = reader.open(); !opened) return opened;
  if (!reader.recorder().options().retention.records(entity_id_)) {
    history_.emplace(entity_id_, rest);
    return {};
  }
  const auto entity = reader.number_of(entity_id_);
  if (!entity) return std::unexpected(entity.error());
  const auto before = stored_sum(reader.database(), *entity, day_of(span_.start));
  if (!before) return std::unexpected(before.error());
  sum_ = sum_before_ = *before;
  auto stored = stored_statistics(reader.database(), *entity, day_of(span_.start), day_of(span_.end));
  if (!stored) return std::unexpected(std::move(stored.error()));
  for (Statistics& step : *stored) {
    sum_ = step.sum;
    if (step.start < span_.start) sum_before_ = step.sum;
    if (step.start >= span_.start && step.start <= span_.end) steps_.push_back(step);
  }
  if (!stored->empty()) {
    const base::Timestamp next_day{base::Duration((day_of(stored->back().start) + 1) * kMicrosPerDay)};
    rest.start = std::max(rest.start, next_day);
  }
  history_.emplace(entity_id_, rest);
  rest_start_ = rest.start;
  return {};
}

base::Result<bool> EntityStatistics::read_on(HistoryReader& reader) {
  if (!history_) {
    if (auto begun = begin(reader); !begun) return std::unexpected(std::move(begun.error()));
    walk_ = StatisticsWalk(sum_);
    return true;
  }
  auto piece = history_->next(reader);
  if (!piece) return std::unexpected(std::move(piece.error()));
  if (piece->initial) walk_.begin(rest_start_, *piece->initial, sum_);
  for (const Change& change : piece->changes) walk_.add(change);
  if (!piece->more) walk_.until(span_.end);
  for (Statistics& step : walk_.take()) {
    if (!steps_.empty() && steps_.back().start == step.start)
      steps_.back().join(step);
    else
      steps_.push_back(step);
  }
  return piece->more;
}

}  // namespace hearth::recorder
