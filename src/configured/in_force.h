// SPDX-License-Identifier: Apache-2.0
// The plans of one kind that are in force, each with its unit: the running automation or sensor. A unit survives a
// reload if its plan has not changed, and if the new plan is broken. Bus thread only.
//
// A unit has plan(); withdraw(), after which nothing else is called; and replace(plan), if units of this type can
// change in place. For plans there are functions, found by their type: id_of(plan), is_good(plan), is_same(known,
// plan).
#pragma once

#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hearth::configured {

template <class Unit>
class InForce {
 public:
  using Units = std::map<std::string, std::unique_ptr<Unit>, std::less<>>;  // by id of the plan

  // `plans` are pointers, each with an id of its own; of two automations with one id, the second is the broken one. If
  // they are not all there are (`complete`), units of others go on. `make(plan)` adds a unit to the home, in the order
  // of the plans; null if that failed.
  template <class Plans, class Make>
  void apply(const Plans& plans, bool complete, const Make& make) {
    std::map<std::string, typename Plans::const_iterator, std::less<>> wanted;
    for (auto plan = plans.begin(); plan != plans.end(); ++plan) {
      [[maybe_unused]] const bool is_new = wanted.emplace(id_of(**plan), plan).second;
      assert(is_new || kReplaces);  // otherwise the second one would never get a unit
    }
    // First, so that others may have their names. They last until others have taken over their clocks.
    Units former;
    for (auto next = units_.begin(); next != units_.end();) {
      const auto known = next++;
      const auto plan = wanted.find(known->first);
      if (plan == wanted.end() ? !complete : kReplaces || !is_superseded(known->second->plan(), **plan->second))
        continue;
      known->second->withdraw();
      former.insert(units_.extract(known));
    }
    for (const auto& plan : plans) {
      if (Unit* const known = find(id_of(*plan))) {
        if constexpr (kReplaces) {
          if (is_superseded(known->plan(), *plan)) known->replace(plan);
        }
      } else if (auto unit = make(plan)) {
        units_.emplace(id_of(*plan), std::move(unit));
      }
    }
  }

  Unit* find(std::string_view id) const {
    const auto found = units_.find(id);
    return found == units_.end() ? nullptr : found->second.get();
  }
  const Units& all() const { return units_; }
  void clear() { units_.clear(); }

 private:
  static constexpr bool kReplaces = requires { &Unit::replace; };

  static bool is_superseded(const auto& known, const auto& plan) {
    return !is_same(known, plan) && (is_good(plan) || !is_good(known));
  }

  Units units_;
};

}  // namespace hearth::configured
