// SPDX-License-Identifier: Apache-2.0
// The triggers that watch states of named entities. Bus thread only.
#pragma once

#include <map>
#include <string>

#include "automation/conditions/comparison.h"
#include "automation/store/trigger_notes.h"
#include "automation/triggers/for_clocks.h"
#include "automation/triggers/skip_unavailable.h"
#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class StateWatch final : public TriggerWatch {
 public:
  StateWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place, Fire fire,
             std::optional<std::uint64_t> since);

 private:
  void on_change(const core::StateChange& told, const core::Event& event);
  bool matches(const json::value& from, const json::value& to) const;
  bool still_so(const ForClocks::Clock& clock, const json::value& now) const;
  FiringFacts facts(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                    std::optional<base::Duration> held) const;
  void fire(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
            std::optional<base::Duration> held, const std::optional<core::Context>& cause, const Moment& moment) const;

  const Trigger& trigger_;
  const StateTrigger& kind_;
  Home& home_;
  const templates::Variables variables_;
  const Fire fire_;
  ForClocks clocks_;
  SkipUnavailable look_;
  core::EntityListeners::Listening listening_;
};

class NumericWatch final : public TriggerWatch {
 public:
  NumericWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place, Fire fire);

 private:
  void on_change(const core::StateChange& told, const core::Event& event);
  // Returns whether a state that is so arms the trigger.
  bool on_seen(const core::StateChange& change, const core::Event& event, const Moment& moment);
  Fit fit(const core::StatePtr& state, const Moment& moment) const;
  FiringFacts facts(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
                    std::optional<base::Duration> held) const;
  void fire(std::string_view entity_id, const core::StatePtr& from, const core::StatePtr& to,
            std::optional<base::Duration> held, const std::optional<core::Context>& cause, const Moment& moment) const;

  const Trigger& trigger_;
  const NumericTrigger& kind_;
  Home& home_;
  const templates::Variables variables_;
  const Fire fire_;
  std::map<std::string, bool, std::less<>> armed_;  // by entity
  ArmedStates kept_;
  ForClocks clocks_;
  SkipUnavailable look_;
  core::EntityListeners::Listening listening_;
};

}  // namespace hearth::automation
