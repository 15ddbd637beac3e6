// SPDX-License-Identifier: Apache-2.0
// The statistics of one entity over a time span, period by period: stored ones for days that have ended, otherwise
// computed from the changes.
//
// One thread, the reader's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recorder/history/calendar_periods.h"
#include "recorder/history/entity_history.h"
#include "recorder/history/statistics.h"

namespace hearth::recorder {

class EntityStatistics {
 public:
  EntityStatistics(std::string entity_id, Span span, const CalendarPeriods& calendar)
      : entity_id_(std::move(entity_id)), span_(span), calendar_(calendar) {}

  // Does a bounded piece of the work; false if all is done.
  base::Result<bool> read_on(HistoryReader& reader);
  // How many pieces were done.
  std::size_t steps() const { return steps_; }

  const std::string& entity_id() const { return entity_id_; }
  // The periods that are complete: all but the last one, or all of them after the last piece. Returns each once.
  std::vector<Statistics> take_finished(bool all);
  // The hour in which the first step within the span begins. REQUIRES: a period is complete.
  base::Timestamp first_hour() const { return *first_hour_; }
  // The total's sum at the start. Known once a period is complete.
  double sum_before() const { return sum_before_; }

 private:
  base::Result<void> begin(HistoryReader& reader);
  base::Result<void> read_days(HistoryReader& reader);
  base::Result<bool> read_changes(HistoryReader& reader);
  // The span begins: the steps so far are before it.
  void start_span();
  void add(const Statistics& step);

  const std::string entity_id_;
  const Span span_;
  CalendarPeriods calendar_;
  bool begun_ = false;
  std::int64_t next_day_ = 0;  // the next day to look for in the stored ones
  Total total_;                // up to the last stored day
  std::optional<EntityHistory> history_;
  base::Timestamp rest_start_;  // where the changes begin, maybe before the span
  bool in_span_ = false;        // the walk is
  StatisticsWalk walk_;
  std::vector<Statistics> periods_;
  std::optional<base::Timestamp> first_hour_;
  double sum_before_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace hearth::recorder
