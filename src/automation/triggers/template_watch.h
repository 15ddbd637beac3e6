// SPDX-License-Identifier: Apache-2.0
// The trigger `template`. Bus thread only.
#pragma once

#include "automation/store/trigger_notes.h"
#include "automation/triggers/for_clocks.h"
#include "automation/triggers/live_template.h"
#include "automation/triggers/skip_unavailable.h"
#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class TemplateWatch final : public TriggerWatch {
 public:
  TemplateWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place, Fire fire);

 private:
  void on_value(const base::Result<templates::Value>& value, const core::Event* event, const Moment& moment);
  // True if it has looked at a state that it looks through.
  bool is_away(const Moment& moment) const;
  // To the log, unless that failure was the last one it told.
  void tell(const std::string& failure);
  FiringFacts facts(const core::StatePtr& from, const core::StatePtr& to, std::optional<base::Duration> held) const;
  void fire(const core::StatePtr& from, const core::StatePtr& to, std::optional<base::Duration> held,
            const std::optional<core::Context>& cause, const Moment& moment) const;

  const Trigger& trigger_;
  const TemplateTrigger& kind_;
  Home& home_;
  const templates::Variables variables_;
  const Fire fire_;
  std::optional<bool> was_true_;     // absent: nobody knows
  std::optional<core::Timer> away_;  // while it is: until that is too long
  std::string told_;                 // why it could not be rendered; empty if it could
  ArmedStates kept_;                 // one, of no entity: was_true_
  ForClocks clocks_;                 // one, of no entity
  LiveTemplate live_;
};

}  // namespace hearth::automation
