// SPDX-License-Identifier: Apache-2.0
// Gains of an entity's total in long bars that have ended, by its sums at their bounds alone: a year of months is
// thirteen sums instead of a hundred thousand steps.
//
// The reader's thread only.
#pragma once

#include <string>
#include <vector>

#include "energy/slots.h"
#include "recorder/history/history_reader.h"

namespace hearth::api {

class BarSums {
 public:
  // Bars that end after `until` are left out. Statistics of the days up to then must be stored.
  BarSums(std::string entity_id, const energy::Slots& bars, base::Timestamp until);
  // Of shorter bars all steps are as fast.
  static bool suits(const energy::Slots& bars);

  // Reads one sum; false if all is done.
  base::Result<bool> read_on(recorder::HistoryReader& reader);
  // By bar, the first ones; nothing if a bar took back what had been counted: then the steps say more.
  std::vector<double> gained() const;

 private:
  base::Result<double> sum_at(recorder::HistoryReader& reader, base::Timestamp time) const;

  const std::string entity_id_;
  std::vector<base::Timestamp> bounds_;
  std::vector<double> sums_;
};

}  // namespace hearth::api
