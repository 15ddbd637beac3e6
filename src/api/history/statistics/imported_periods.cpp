// SPDX-License-Identifier: Apache-2.0
#include "api/history/statistics/imported_periods.h"

#include <algorithm>

namespace hearth::api {
namespace {

constexpr std::size_t kRowsAtOnce = 8'192;

}  // namespace

ImportedPeriods::ImportedPeriods(recorder::ImportedStatistics* imported, std::string statistic_id, recorder::Span span,
                                 const recorder::CalendarPeriods& calendar)
    : imported_(imported),
      statistic_id_(std::move(statistic_id)),
      span_(span),
      calendar_(calendar),
      next_row_(span.start) {}

base::Result<bool> ImportedPeriods::begin() {
  if (!imported_ || calendar_.period() == recorder::Period::five_minutes) return false;
  auto found = imported_->find(statistic_id_);
  if (!found) return std::unexpected(std::move(found.error()));
  if (!*found) return false;
  statistic_ = std::move(*found);
  const auto sum = imported_->sum_before(statistic_id_, span_.start);
  if (!sum) return std::unexpected(sum.error());
  sum_before_ = *sum;
  return true;
}

base::Result<std::vector<recorder::Statistics>> ImportedPeriods::next(base::Timestamp before) {
  before = std::min(before, span_.end + base::Duration(1));
  for (;;) {
    auto rows = imported_->rows(statistic_id_, next_row_, before, kRowsAtOnce);
    if (!rows) return rows;
    for (const recorder::Statistics& row : *rows) calendar_.add(periods_, row);
    const bool all = rows->size() < kRowsAtOnce;
    if (!rows->empty()) next_row_ = rows->back().start + base::Duration(1);
    if (all) return std::exchange(periods_, {});
    if (periods_.size() < 2) continue;
    // The last one may go on.
    std::vector<recorder::Statistics> finished = std::exchange(periods_, {periods_.back()});
    finished.pop_back();
    return finished;
  }
}

}  // namespace hearth::api
