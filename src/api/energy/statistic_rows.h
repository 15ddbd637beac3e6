// SPDX-License-Identifier: Apache-2.0
// The rows of one statistic over a span, in quarters of an hour: those that the hub measured, and before them those
// that were imported. Not in the order of time: own ones first.
//
// The reader's thread only.
#pragma once

#include <functional>
#include <string>

#include "api/history/statistics/imported_periods.h"
#include "recorder/history/entity_statistics.h"

namespace hearth::api {

class StatisticRows {
 public:
  // `begin` is told the sum that precedes the rows which follow.
  using Begin = std::function<void(double sum_before)>;
  using Take = std::function<void(const recorder::Statistics& row)>;

  // `imported` may be null: then there are none.
  StatisticRows(recorder::ImportedStatistics* imported, const std::string& statistic_id, recorder::Span span,
                Begin begin, Take take);

  // Does a bounded piece of the work; false if all is done.
  base::Result<bool> read_on(recorder::HistoryReader& reader);

 private:
  base::Result<bool> read_own(recorder::HistoryReader& reader);

  recorder::EntityStatistics own_;
  ImportedPeriods imported_;
  const Begin begin_;
  const Take take_;
  bool own_done_ = false, any_own_ = false;
};

}  // namespace hearth::api
