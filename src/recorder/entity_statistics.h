// SPDX-License-Identifier: Apache-2.0
// The statistics of one entity over a span of time, in steps of five minutes: of days that are over as they were put
// down when the day was, of what is newer from the changes themselves.
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
  EntityStatistics(std::string entity_id, Span span) : entity_id_(std::move(entity_id)), span_(span) {}

  // A piece of the work; false where all is done.
  base::Result<bool> read_on(HistoryReader& reader);

  const std::string& entity_id() const { return entity_id_; }
  const std::vector<Statistics>& steps() const { return steps_; }
  // What the total's sum had come to at the start.
  double sum_before() const { return sum_before_; }

 private:
  base::Result<void> begin(HistoryReader& reader);

  const std::string entity_id_;
  const Span span_;
  std::optional<EntityHistory> history_;
  base::Timestamp rest_start_;  // where that begins
  double sum_ = 0;              // and what the total had come to there
  StatisticsWalk walk_;
  std::vector<Statistics> steps_;
  double sum_before_ = 0;
};

}  // namespace hearth::recorder
