// SPDX-License-Identifier: Apache-2.0
#include "api/energy/statistic_rows.h"

namespace hearth::api {

StatisticRows::StatisticRows(recorder::ImportedStatistics* imported, const std::string& statistic_id,
                             recorder::Span span, Begin begin, Take take)
    : own_(statistic_id, span, recorder::CalendarPeriods::quarters()),
      imported_(imported, statistic_id, span, recorder::CalendarPeriods::quarters()),
      begin_(std::move(begin)),
      take_(std::move(take)) {}

base::Result<bool> StatisticRows::read_own(recorder::HistoryReader& reader) {
  const auto more = own_.read_on(reader);
  if (!more) return more;
  for (const recorder::Statistics& row : own_.take_finished(!*more)) {
    if (!std::exchange(any_own_, true)) begin_(own_.sum_before());
    take_(row);
  }
  if (*more) return true;
  own_done_ = true;
  const auto any = imported_.begin();
  if (any && *any) begin_(imported_.sum_before());
  return any;
}

base::Result<bool> StatisticRows::read_on(recorder::HistoryReader& reader) {
  if (!own_done_) return read_own(reader);
  const auto rows = imported_.next(any_own_ ? own_.first_hour() : base::Timestamp::max());
  if (!rows) return std::unexpected(rows.error());
  for (const recorder::Statistics& row : *rows) take_(row);
  return !rows->empty();
}

}  // namespace hearth::api
