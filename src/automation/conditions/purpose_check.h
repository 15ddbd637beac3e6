// SPDX-License-Identifier: Apache-2.0
// Finds the entities that a trigger or a condition by purpose is about, and checks them at a moment. Bus thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "automation/config/trigger.h"
#include "automation/home/moment.h"

namespace hearth::automation {

class PurposeCheck {
 public:
  // Both must outlive it.
  PurposeCheck(const PurposeUse& use, const Moment& moment) : use_(use), purpose_(*use.purpose), moment_(moment) {}

  // Entities of the purpose's domains that the target names, as the registry has them now; sorted.
  std::vector<std::string> entity_ids() const;
  // False if it says nothing: it is not there, not of the device class, unavailable or unknown.
  bool counts(const core::StatePtr& state) const;
  // Of one that counts.
  bool is_so(const core::State& state) const;
  // Since when its value is as it is.
  base::Timestamp since(const core::State& state) const;
  // True if a change to a state that is so makes a trigger fire.
  bool has_changed(const core::StatePtr& from, const core::State& to) const;

 private:
  using Test = Purpose::Test;
  using Change = Purpose::Change;

  const Purpose::Source* source_of(const core::State& state) const;
  json::value value_of_source(const core::State& state) const;
  std::optional<double> number_of_state(const core::State& state) const;
  std::string unit_of(const core::State& state) const;
  bool is_within(const core::State& state) const;
  std::optional<double> edge_of(const Threshold::Edge& edge, const std::string& unit) const;
  bool is_in_zone_of_use(const core::State& state, bool wanted) const;

  const PurposeUse& use_;
  const Purpose& purpose_;
  const Moment& moment_;
};

}  // namespace hearth::automation
