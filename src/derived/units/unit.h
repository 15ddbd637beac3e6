// SPDX-License-Identifier: Apache-2.0
// A running Plan: its entity, or entities, in the home. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "derived/plan.h"

namespace hearth::derived {

class Unit;
// Calls the function with each of some units.
using ForEachUnit = std::function<void(const std::function<void(Unit& unit)>& act)>;

class Unit {
 public:
  explicit Unit(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}
  virtual ~Unit() = default;
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  static std::unique_ptr<Unit> create(const std::shared_ptr<const Plan>& plan, const Environment& environment);

  // Adds the entities. Fails as EntityTable::add.
  virtual base::Result<void> start() = 0;
  // Takes them out of the home, which keeps their states. Nothing else may be called afterwards.
  virtual void withdraw() = 0;
  virtual std::vector<std::string> entity_ids() const = 0;

  // Services of meters. Of one of its entities: ends its period; false if it has no such entity.
  virtual bool reset(std::string_view /*entity_id*/, const core::Context& /*cause*/) { return false; }
  // Sets what it has counted. Null if it has no such entity; fails with invalid.
  virtual std::optional<base::Result<void>> calibrate(std::string_view /*entity_id*/, std::string_view /*value*/,
                                                      const core::Context& /*cause*/) {
    return {};
  }
  // Of workday sensors: as Engine::is_workday. Null if it has no such entity.
  virtual std::optional<bool> is_workday(std::string_view /*entity_id*/, std::int64_t /*day*/) const { return {}; }

  const Plan& plan() const { return *plan_; }

 private:
  const std::shared_ptr<const Plan> plan_;
};

}  // namespace hearth::derived
