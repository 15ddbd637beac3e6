// SPDX-License-Identifier: Apache-2.0
// Takes the rows of a statistic, oldest first: what a meter has gained, and what a price was, in each slot.
//
// One thread; the slots must outlive it.
#pragma once

#include <optional>
#include <vector>

#include "energy/slots.h"
#include "recorder/history/statistics.h"

namespace hearth::energy {

// Something odd that a meter did, maybe several times.
struct Oddity {
  std::size_t count = 0;
  base::Timestamp at;  // the last time
  double amount = 0;   // of all times
};

class MeterReading {
 public:
  // `factor`: of the meter's unit, in the unit that is shown.
  MeterReading(const Slots& slots, double factor) : MeterReading(slots, factor, slots.start(0)) {}
  // Odd values are noted from then on.
  MeterReading(const Slots& slots, double factor, base::Timestamp noted_from)
      : slots_(slots), factor_(factor), noted_from_(noted_from), gained_(slots.size(), 0.0) {}

  // Before the rows of one origin: the sum that precedes them.
  void begin(double sum_before);
  // A row of more than a quarter of an hour, as imported ones are, is spread over the quarters of its hour.
  void add(const recorder::Statistics& row);

  // The gain of the first slots, in the meter's unit, if that is known without rows.
  void put_first(const std::vector<double>& gained);

  const std::vector<double>& gained() const { return gained_; }
  // When the oldest row begins; null if there was none.
  std::optional<base::Timestamp> first() const { return first_; }
  const Oddity& resets() const { return resets_; }        // shows less than before, and counts on from there
  const Oddity& backwards() const { return backwards_; }  // has taken back what it had counted

 private:
  void put(base::Timestamp time, double gain);

  const Slots& slots_;
  const double factor_;
  const base::Timestamp noted_from_;
  std::vector<double> gained_;
  double sum_ = 0;
  std::optional<double> state_;
  std::optional<base::Timestamp> first_;
  Oddity resets_, backwards_;
};

class PriceReading {
 public:
  explicit PriceReading(const Slots& slots) : slots_(slots), weighted_(slots.size(), 0.0), seconds_(slots.size(), 0) {}

  void add(const recorder::Statistics& row);
  // Its values from then until then, where no row is; for prices that have no statistics.
  void hold(base::Timestamp from, base::Timestamp until, double value);
  bool any() const { return any_; }
  // The mean over time, times the factor; NaN where it is unknown.
  std::vector<double> prices(double factor) const;

 private:
  void put(base::Timestamp time, base::Duration length, double value);

  const Slots& slots_;
  std::vector<double> weighted_, seconds_;
  bool any_ = false;
};

}  // namespace hearth::energy
