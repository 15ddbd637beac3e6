// SPDX-License-Identifier: Apache-2.0
// Shows a trigger with `skip_unavailable` the real states of entities only, as if `unavailable` and `unknown` had never
// been. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "automation/config/trigger.h"
#include "automation/store/trigger_notes.h"
#include "automation/values/state_values.h"
#include "core/hub.h"

namespace hearth::automation {

class SkipUnavailable {
 public:
  // An entity has had no real state for longer than the gap.
  using TooLong = std::function<void(const std::string& entity_id)>;

  // Without a gap it sees all as it is. `place` tells the trigger apart in the home: what the last real states were
  // survives a restart.
  SkipUnavailable(core::Hub& hub, Store& store, const std::string& place, const std::optional<base::Duration>& gap,
                  TooLong too_long)
      : hub_(hub), gap_(gap), too_long_(std::move(too_long)), last_real_(store, "real", gap ? place : "") {}
  SkipUnavailable(const SkipUnavailable&) = delete;
  SkipUnavailable& operator=(const SkipUnavailable&) = delete;

  // As the trigger sees the change; none if it sees nothing of it. `known`: the last real state, if this has not seen
  // it itself; null if nobody has.
  std::optional<core::StateChange> seen(const core::StateChange& change, const core::StatePtr& known);
  // True if the entity has no real state now, and the trigger looks through that.
  bool is_away(std::string_view entity_id) const;

 private:
  struct Away {
    core::StatePtr last_real;  // null if nobody knows it
    core::Timer timer;
  };

  core::StatePtr last_real(std::string_view entity_id, const core::StatePtr& known) const;

  core::Hub& hub_;
  const std::optional<base::Duration> gap_;
  const TooLong too_long_;
  std::map<std::string, Away, std::less<>> away_;  // by entity id
  TriggerNotes last_real_;                         // of those that are away
};

}  // namespace hearth::automation
