// SPDX-License-Identifier: Apache-2.0
// The clocks of a trigger's `for`: for each entity, how long its condition has held. They survive a restart, and a
// reload that does not change the trigger. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "automation/config/trigger.h"
#include "automation/home/home.h"
#include "automation/store/keys.h"

namespace hearth::automation {

class ForClocks {
 public:
  struct Clock {
    core::StatePtr from, to;  // of the change that began it; null if none did
    base::Duration time{0};
    std::optional<core::Context> cause = {};
    base::Timestamp due = {};
    core::Timer timer = {};
    bool unconfirmed = false;  // it has run out, but its entity has not reported since the restart, or is away
    bool stopped = false;      // its entity has been away for too long
  };
  // Of a clock that has run out, and is gone.
  using Ended = std::function<void(const std::string& entity_id, const Clock& clock, const Moment& moment)>;

  // True if the trigger looks through the present state of the entity.
  using IsAway = std::function<bool(std::string_view entity_id)>;

  // `place` tells the trigger apart in the home; empty: its clocks end with it.
  ForClocks(Home& home, std::string place, Ended ended, IsAway is_away = {});
  ~ForClocks();
  ForClocks(const ForClocks&) = delete;
  ForClocks& operator=(const ForClocks&) = delete;

  // A clock of no time has ended when this returns.
  void begin(std::string_view entity_id, Clock clock, const Moment& moment);
  // Null if none runs.
  const Clock* find(std::string_view entity_id) const;
  // The entity has reported, and the trigger still holds: a clock that waited for this report ends, one that was
  // stopped begins anew.
  void go_on(std::string_view entity_id, const Moment& moment);
  void stop(std::string_view entity_id);
  void end(std::string_view entity_id);
  void end_all();

 private:
  using Clocks = std::map<std::string, Clock, std::less<>>;  // by entity id

  std::string key_of(std::string_view entity_id) const { return keys::clocks(place_) + std::string(entity_id); }
  void put(const std::string& entity_id, const Clock& clock) const;
  void restore(std::string entity_id, Clock clock);
  void arm(const std::string& entity_id);
  void due(const std::string& entity_id, const Moment& moment);
  // After a restart: whether the entity's state is one that nobody has confirmed yet.
  bool is_restored(const std::string& entity_id) const;

  Home& home_;
  const std::string place_;
  const Ended ended_;
  const IsAway is_away_;
  Clocks clocks_;
  base::Handle confirmed_;
  core::Subscription started_;
};

}  // namespace hearth::automation
