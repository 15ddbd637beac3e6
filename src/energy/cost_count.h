// SPDX-License-Identifier: Apache-2.0
// Counts what a meter's gains cost, each at the price of its moment; what is a gain is as in the statistics of the
// meter. One thread.
//
// A price that is unknown is waited for as long as a quarter of an hour, in which the report knows it, too. What is
// gained while it is unknown for longer costs nothing: the report names it.
#pragma once

#include <optional>
#include <string>

#include "energy/meters.h"
#include "recorder/log/change.h"

namespace hearth::energy {

class CostCount {
 public:
  static constexpr base::Duration kPriceWait = std::chrono::minutes(15);

  // The text and unit of a price's state.
  struct PriceNow {
    double number;
    std::string unit;  // as EUR/MWh; empty: of the preferences
  };

  // The count of a former run, up to that reading.
  void restore(double cost, base::Timestamp since, std::string reading);
  // A state of the meter. False if nothing is to be shown anew.
  bool take(const recorder::Change& state, Role role, const std::optional<PriceNow>& price);

  // Null before the first reading.
  std::optional<double> cost() const { return cost_; }
  base::Timestamp since() const { return since_; }
  // The last reading that was counted; empty if there is none.
  const std::string& reading() const { return reading_; }

 private:
  void keep(const recorder::Change& state);

  std::optional<double> cost_;
  base::Timestamp since_;
  std::string reading_, attributes_;  // of the last state that was counted; the latter are empty after restore
  base::Timestamp at_;
  std::optional<base::Timestamp> unpriced_since_;
};

}  // namespace hearth::energy
