// SPDX-License-Identifier: Apache-2.0
#include "recorder/history/entity_statistics.h"

#include "recorder/log/history_file.h"

namespace hearth::recorder {
namespace {

constexpr std::int64_t kDaysAtOnce = 32;

base::Timestamp beginning_of(std::int64_t day) {
  return base::Timestamp(base::Duration(day * kMicrosPerDay));
}

}  // namespace

base::Result<void> EntityStatistics::begin(HistoryReader& reader) {
  begun_ = true;
  next_day_ = day_of(span_.start);
  // A total counts on from the last stored day.
  rest_start_ = beginning_of(next_day_);
  if (auto opened = reader.open(); !opened) return opened;
  if (!reader.records(entity_id_)) {
    next_day_ = day_of(span_.end) + 1;
    return {};
  }
  const auto before = reader.total_before(entity_id_, next_day_);
  if (!before) return std::unexpected(before.error());
  total_ = *before;
  sum_before_ = total_.sum;
  // There is nothing before the first stored day.
  const auto first = reader.first_day(entity_id_);
  if (!first) return std::unexpected(first.error());
  next_day_ = *first ? std::max(next_day_, **first) : day_of(span_.end) + 1;
  return {};
}

// Reads the stored days; later periods need the changes.
base::Result<void> EntityStatistics::read_days(HistoryReader& reader) {
  const std::int64_t last = std::min(next_day_ + kDaysAtOnce - 1, day_of(span_.end));
  const auto stored = reader.day_statistics(entity_id_, next_day_, last);
  if (!stored) return std::unexpected(stored.error());
  for (const Statistics& step : *stored) {
    if (step.start < span_.start) sum_before_ = step.sum;
    // A former hub's hour says nothing about its five minutes.
    if (calendar_.period() == Period::five_minutes && step.covered > kStatisticsStep) continue;
    if (step.start >= span_.start && step.start <= span_.end) add(step);
  }
  if (!stored->empty()) {
    total_ = total_after(stored->back());
    // The import of a former hub's statistics ends within a day.
    rest_start_ =
        stored->back().imported ? imported_end(stored->back()) : beginning_of(day_of(stored->back().start) + 1);
  }
  next_day_ = last + 1;
  return {};
}

base::Result<bool> EntityStatistics::read_changes(HistoryReader& reader) {
  if (!history_) {
    walk_ = StatisticsWalk(total_);
    // A change at the very start is none that was already in force: its gain counts.
    history_.emplace(entity_id_, Span{rest_start_ - base::Duration(1), span_.end});
    in_span_ = rest_start_ >= span_.start;
  }
  auto piece = history_->next(reader);
  if (!piece) return std::unexpected(std::move(piece.error()));
  if (piece->initial) walk_.begin(rest_start_, *piece->initial);
  for (const Change& change : piece->changes) {
    if (!in_span_ && change.updated >= span_.start) start_span();
    walk_.add(change);
  }
  if (!piece->more && !in_span_) start_span();
  if (!piece->more) walk_.until(span_.end);
  if (!in_span_) return piece->more;
  for (const Statistics& step : walk_.take()) add(step);
  return piece->more;
}

void EntityStatistics::add(const Statistics& step) {
  if (!first_hour_) first_hour_ = period_start(step.start, Period::hour);
  calendar_.add(periods_, step);
}

void EntityStatistics::start_span() {
  walk_.until(span_.start);
  const auto before = walk_.take();
  if (!before.empty()) sum_before_ = before.back().sum;
  in_span_ = true;
}

std::vector<Statistics> EntityStatistics::take_finished(bool all) {
  if (all) return std::exchange(periods_, {});
  if (periods_.size() < 2) return {};
  std::vector<Statistics> finished = std::exchange(periods_, {periods_.back()});
  finished.pop_back();
  return finished;
}

base::Result<bool> EntityStatistics::read_on(HistoryReader& reader) {
  ++steps_;
  if (!begun_ || next_day_ <= day_of(span_.end)) {
    auto done = begun_ ? read_days(reader) : begin(reader);
    if (!done) return std::unexpected(std::move(done.error()));
    return true;
  }
  return read_changes(reader);
}

}  // namespace hearth::recorder
