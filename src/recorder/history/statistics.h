// SPDX-License-Identifier: Apache-2.0
// Statistics of measurements: for every five minutes the time-weighted mean, minimum, maximum, and for totals the
// increase; longer periods are joined from these.
//
// Values only; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "recorder/log/change.h"

namespace hearth::recorder {

constexpr base::Duration kStatisticsStep = std::chrono::minutes(5);

// The statistics of one period that begins at `start`: of five minutes, of an hour if it is an imported one, or of
// those joined.
struct Statistics {
  base::Timestamp start;
  base::Duration covered{0};  // how long there was a value
  double mean = 0;
  double min = 0;
  double max = 0;
  double state = 0;  // the last value; NaN: unknown, of an imported mean
  double sum = 0;    // for totals: the increase since the statistics began
  bool total = false;
  bool angle = false;                         // degrees: 350 and 10 have the mean 0
  bool imported = false;                      // of a former hub: an hour or five minutes, never computed again
  double steadiness = 1;                      // of angles: 1 if all were the same, 0 if they cancel each other out
  std::optional<base::Timestamp> last_reset;  // for totals that say when they began at zero

  // Joins the period that follows.
  void join(const Statistics& later);
};

// When an imported step ends.
base::Timestamp imported_end(const Statistics& step);

// The state of a total's statistics at some time.
struct Total {
  double sum = 0;                                  // of all increases
  std::optional<double> meter;                     // the last value, if it is a meter
  std::optional<base::Timestamp> last_reset = {};  // of that
};

Total total_after(const Statistics& last);

// Goes through one entity's changes, oldest first, and makes statistics for every five minutes with a value.
class StatisticsWalk {
 public:
  // A value holds until the entity's next change, but at most for this long: a clock that was years behind has not
  // measured for years.
  static constexpr base::Duration kMaxHold = std::chrono::days(366);

  explicit StatisticsWalk(const Total& before = {}) : before_(before), sum_(before.sum) {}

  void add(const Change& change);
  // No change until then.
  void until(base::Timestamp end);
  // The completed periods, and the current one up to the last change.
  std::vector<Statistics> take();

  // Starts with a change that was already in force.
  void begin(base::Timestamp at, const Change& change);

 private:
  void hold(base::Timestamp end);
  Statistics& step(base::Timestamp at);
  // A value of a total: counts what it has gained.
  void gain(double value, const Change& change, bool increasing);

  Total before_;
  std::vector<Statistics> steps_;
  base::Timestamp at_;           // up to where statistics are complete
  std::optional<double> value_;  // since then
  base::Timestamp changed_;      // time of the last change
  double sum_;
  bool total_ = false, angle_ = false;
  std::optional<base::Timestamp> last_reset_;
  std::string unit_;  // of value_; empty: unknown
};

// The gain of a total from one change to the next, in the unit of the latter; 0 if one of them is no number.
double gained_between(const Change& before, const Change& after);

// True if a measurement with these attributes is a total: statistics have its increase, otherwise its mean.
bool is_total(std::string_view attributes_json);
// True if it is an angle in degrees, whose mean is over the circle.
bool is_angle(std::string_view attributes_json);

// The state's number if it is a measurement; null if it is not, or unavailable.
std::optional<double> measured(const Change& change);

enum class Period { five_minutes, hour, day, week, month };

// The start of the period that contains the time, in UTC; weeks start on Monday.
base::Timestamp period_start(base::Timestamp time, Period period);

// Joins a step to the period that it belongs to; steps come in order.
void add_step(std::vector<Statistics>& periods, const Statistics& step, Period period);

}  // namespace hearth::recorder
