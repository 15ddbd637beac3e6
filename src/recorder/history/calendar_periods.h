// SPDX-License-Identifier: Apache-2.0
// The periods of statistics by the clocks of a home: days and what is longer begin at its midnight, hours and what
// is shorter are the same everywhere.
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
  // Quarters of an hour; years.
  static CalendarPeriods quarters();
  static CalendarPeriods years(const std::string& zone);

  // Of quarters hour, of years month.
  Period period() const { return period_; }
  // Of the period that contains the time; its end is the start of the next one.
  base::Timestamp start_of(base::Timestamp time);
  base::Timestamp end_of(base::Timestamp time);
  // Joins a step to the period that it begins in; steps come in order.
  void add(std::vector<Statistics>& periods, const Statistics& step);

 private:
  enum class Length { period, quarter, year };

  void find(base::Timestamp time);
  base::Timestamp first(base::Timestamp clock) const;

  Period period_;
  Length length_ = Length::period;
  const date::time_zone* zone_ = nullptr;
  base::Timestamp start_, end_;  // of the period that was found last
};

}  // namespace hearth::recorder
