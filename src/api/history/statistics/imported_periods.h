// SPDX-License-Identifier: Apache-2.0
// The periods of one imported statistic within a span, joined from its hours.
//
// The thread of history.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recorder/history/calendar_periods.h"
#include "recorder/history/entity_history.h"
#include "recorder/history/imported_statistics.h"

namespace hearth::api {

class ImportedPeriods {
 public:
  // `imported` may be null: then there are none. Of five minutes there are none, either.
  ImportedPeriods(recorder::ImportedStatistics* imported, std::string statistic_id, recorder::Span span,
                  const recorder::CalendarPeriods& calendar);

  // False if nothing of it was imported. Before next.
  base::Result<bool> begin();
  const recorder::ImportedStatistic& statistic() const { return *statistic_; }
  double sum_before() const { return sum_before_; }
  // Some of those that begin before that time; empty if there are no more.
  base::Result<std::vector<recorder::Statistics>> next(base::Timestamp before);

 private:
  recorder::ImportedStatistics* imported_;
  const std::string statistic_id_;
  const recorder::Span span_;
  recorder::CalendarPeriods calendar_;
  std::optional<recorder::ImportedStatistic> statistic_;
  double sum_before_ = 0;
  base::Timestamp next_row_;
  std::vector<recorder::Statistics> periods_;
};

}  // namespace hearth::api
