// SPDX-License-Identifier: Apache-2.0
// The statistics of one entity over a span of time, period by period: of days that are over as they were put down when
// the day was, of what is newer from the changes themselves.
//
// One thread, the reader's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recorder/entity_history.h"
#include "recorder/statistics.h"

namespace hearth::recorder {

class EntityStatistics {
 public:
  EntityStatistics(std::string entity_id, Span span, Period period)
      : entity_id_(std::move(entity_id)), span_(span), period_(period) {}

  // A bounded piece of the work; false where all is done.
  base::Result<bool> read_on(HistoryReader& reader);
  // How many pieces there have been.
  std::size_t steps() const { return steps_; }

  const std::string& entity_id() const { return entity_id_; }
  // The periods so far that nothing comes to any more: all but the last one, or all of them behind the last piece. Each
  // is given once.
  std::vector<Statistics> take_finished(bool all);
  // What the total's sum had come to at the start. Known with the first finished one.
  double sum_before() const { return sum_before_; }

 private:
  base::Result<void> begin(HistoryReader& reader);
  base::Result<void> read_days(HistoryReader& reader);
  base::Result<bool> read_changes(HistoryReader& reader);

  const std::string entity_id_;
  const Span span_;
  const Period period_;
  bool begun_ = false;
  std::int64_t entity_ = 0;
  std::int64_t next_day_ = 0;  // to look for what was put down
  Total total_;                // up to where that went
  std::optional<EntityHistory> history_;
  base::Timestamp rest_start_;  // where that begins
  StatisticsWalk walk_;
  std::vector<Statistics> periods_;
  double sum_before_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace hearth::recorder
