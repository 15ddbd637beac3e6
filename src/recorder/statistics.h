// SPDX-License-Identifier: Apache-2.0
// What was measured, in short: for every five minutes the mean over time, the least, the greatest, and of totals the
// sum of what was added; and longer periods put together from these.
//
// Values only; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "recorder/change.h"

namespace hearth::recorder {

constexpr base::Duration kStatisticsStep = std::chrono::minutes(5);

// What has been measured from `start` on, over one period.
struct Statistics {
  base::Timestamp start;
  base::Duration covered{0};  // for how long there was a value
  double mean = 0;
  double min = 0;
  double max = 0;
  double state = 0;  // the last value
  double sum = 0;    // of totals: all that was added since the statistics began
  bool total = false;

  // Takes in what came behind it.
  void join(const Statistics& later);
};

// What the statistics of the time before have come to.
struct Total {
  double sum = 0;               // of all that was added
  std::optional<double> meter;  // what it showed last, where it is one
};

Total total_after(const Statistics& last);

// Walks along one entity's changes, oldest first, and tells of each five minutes that had a value.
class StatisticsWalk {
 public:
  // An entity's value holds until its next change, but no longer than this: a clock that was years behind is no
  // measurement of years.
  static constexpr base::Duration kMaxHold = std::chrono::days(366);

  explicit StatisticsWalk(const Total& before = {}) : before_(before), sum_(before.sum) {}

  void add(const Change& change);
  // Nothing has changed until then.
  void until(base::Timestamp end);
  // The periods that are over, and the one under way, up to what was added.
  std::vector<Statistics> take();

  // Begins with a change that held already.
  void begin(base::Timestamp at, const Change& change);

 private:
  void hold(base::Timestamp end);
  Statistics& step(base::Timestamp at);

  Total before_;
  std::vector<Statistics> steps_;
  base::Timestamp at_;           // up to where it is told
  std::optional<double> value_;  // since then
  base::Timestamp changed_;      // when the last change was
  double sum_;
  bool total_ = false;
};

// What an entity's state is as a number, where it is measured; nothing where it is not, or not available.
std::optional<double> measured(const Change& change);

enum class Period { five_minutes, hour, day, week, month };

// The start of the period that the time lies in, in UTC; weeks start on Monday.
base::Timestamp period_start(base::Timestamp time, Period period);

// Adds a step behind those before it to the period that it lies in.
void add_step(std::vector<Statistics>& periods, const Statistics& step, Period period);

}  // namespace hearth::recorder
