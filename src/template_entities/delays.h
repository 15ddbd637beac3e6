// SPDX-License-Identifier: Apache-2.0
// delay_on, delay_off and auto_off of a template binary sensor: its template's result becomes its state after a delay.
// The clocks survive a restart. Bus thread only.
#pragma once

#include <functional>
#include <optional>

#include "automation/triggers/for_clocks.h"
#include "template_entities/plan.h"

namespace hearth::template_entities {

class Delays {
 public:
  // Called when the state is to change; null: unknown.
  using Become = std::function<void(std::optional<bool> on)>;

  // All must outlive it.
  Delays(automation::Home& home, const EntityPlan& plan, Become become);

  // True if the entity has any.
  static bool any(const EntityPlan& plan) { return plan.delay_on || plan.delay_off || plan.auto_off; }

  // The template says so now, as the entity is `present`. With `again` (a trigger fired) clocks begin anew, otherwise
  // only what has changed counts. Fails with invalid if the template of a delay does.
  base::Result<void> want(std::optional<bool> wanted, std::optional<bool> present,
                          const templates::Variables& variables, bool again, const automation::Moment& moment);
  // As it showed before the restart.
  void restore(std::optional<bool> present);

 private:
  void ended(const std::string& clock, const automation::Moment& moment);
  void become(std::optional<bool> on, const automation::Moment& moment);

  const EntityPlan& plan_;
  const Become become_;
  automation::ForClocks clocks_;  // "on", "off" and "auto_off"
  bool restored_ = false;
  std::optional<std::optional<bool>> wanted_;
  templates::Variables variables_;
};

}  // namespace hearth::template_entities
