// SPDX-License-Identifier: Apache-2.0
// The periods of statistics by the clocks of a home: days, weeks and months begin at its midnight, hours and five
// minutes are the same everywhere.
//
// One thread.
#pragma once

#include <string>
#include <vector>

#include "recorder/history/statistics.h"

namespace date {
class time_zone;
}

namespace hearth::recorder {

class CalendarPeriods {
 public:
  // The zone is one such as Europe/Berlin. In UTC without one, or if the machine does not know it.
  CalendarPeriods(Period period, const std::string& zone = {});  // NOLINT: a period alone is one of UTC

  Period period() const { return period_; }
  // Of the period that contains the time; its end is the start of the next one.
  base::Timestamp start_of(base::Timestamp time);
  base::Timestamp end_of(base::Timestamp time);
  // Joins a step to the period that it begins in; steps come in order.
  void add(std::vector<Statistics>& periods, const Statistics& step);

 private:
  void find(base::Timestamp time);

  Period period_;
  const date::time_zone* zone_ = nullptr;
  base::Timestamp start_, end_;  // of the period that was found last
};

}  // namespace hearth::recorder
