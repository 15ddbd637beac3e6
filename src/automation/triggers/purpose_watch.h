// SPDX-License-Identifier: Apache-2.0
// A trigger by purpose: watches the entities that its target names, which may change. Bus thread only.
#pragma once

#include <string>
#include <vector>

#include "automation/conditions/purpose_check.h"
#include "automation/triggers/for_clocks.h"
#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class PurposeWatch final : public TriggerWatch {
 public:
  PurposeWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place, Fire fire,
               std::optional<std::uint64_t> since);

 private:
  using Behavior = PurposeTrigger::Behavior;

  void listen(std::uint64_t since);
  // Of the registry.
  void on_edit(const core::Event& event);
  void on_change(const core::StateChange& change, const core::Event& event);
  // Ends the clocks of what is so no more; `changed` is null for an edit of the registry.
  void end_broken(const core::StateChange* changed, const Moment& moment);
  struct Count {
    std::size_t so = 0, all = 0;
  };
  Count count(const Moment& moment) const;
  FiringFacts facts(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                    std::optional<base::Duration> held) const;
  void fire(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
            std::optional<base::Duration> held, const std::optional<core::Context>& cause, const Moment& moment) const;

  const Trigger& trigger_;
  const PurposeTrigger& kind_;
  Home& home_;
  const templates::Variables variables_;
  const Fire fire_;
  std::vector<std::string> entity_ids_;
  ForClocks clocks_;  // of `first` and `all` one at most
  core::EntityListeners::Listening listening_;
  base::Handle edits_;
};

}  // namespace hearth::automation
