// SPDX-License-Identifier: Apache-2.0
// The trigger `calendar`: an event of a calendar begins or ends, or will soon. Each event counts once, even if it is
// edited afterwards. Bus thread only.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class CalendarWatch final : public TriggerWatch {
 public:
  CalendarWatch(const Trigger& trigger, Home& home, Fire fire);

  std::vector<MissedTime> missed(base::Timestamp after, base::Timestamp until, std::size_t most) override;

 private:
  static constexpr std::size_t kMaxFired = 1'000;

  struct Due {
    base::Timestamp at;
    std::string uid;  // with the recurrence id of an event that recurs
    json::object event;
  };

  // Events due after `after` up to `until`, in order.
  std::vector<Due> due(base::Timestamp after, base::Timestamp until) const;
  // Looks at the calendar again, and waits for what comes next.
  void look();
  void fire(const Due& due);

  const Trigger& trigger_;
  const CalendarTrigger& kind_;
  Home& home_;
  const Fire fire_;
  base::Timestamp done_;           // what was due up to here has fired
  std::deque<std::string> fired_;  // uids of the last events that have
  core::Timer next_;
  core::EntityListeners::Listening changes_;
  base::Handle edits_;
};

}  // namespace hearth::automation
