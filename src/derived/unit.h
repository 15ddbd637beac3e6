// SPDX-License-Identifier: Apache-2.0
// A Plan at work: its entity, or entities, in the home. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "derived/plan.h"

namespace hearth::derived {

class Unit {
 public:
  explicit Unit(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}
  virtual ~Unit() = default;
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  static std::unique_ptr<Unit> create(const std::shared_ptr<const Plan>& plan, const Surroundings& surroundings);

  // Adds the entities. Fails as EntityTable::add.
  virtual base::Result<void> start() = 0;
  // Takes them out of the home, which keeps their states. Nothing else may be called afterwards.
  virtual void withdraw() = 0;
  virtual std::vector<std::string> entity_ids() const = 0;

  const Plan& plan() const { return *plan_; }

 private:
  const std::shared_ptr<const Plan> plan_;
};

}  // namespace hearth::derived
