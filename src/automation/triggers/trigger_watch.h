// SPDX-License-Identifier: Apache-2.0
// An armed trigger: it fires as long as its watch lives. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automation/config/trigger.h"
#include "automation/home/home.h"
#include "automation/values/local_times.h"

namespace hearth::automation {

struct Firing {
  templates::Value trigger;              // what templates see as `trigger`
  std::string source;                    // for people: state of light.hall
  std::optional<core::Context> cause{};  // of the event; absent for a time
  core::StatePtr state{};                // that the event told; null if none
  std::shared_ptr<Answer> answer{};      // of a conversation; null if nobody waits for one
  std::optional<DueTime> due{};          // of a time; absent for an event
};

class TriggerWatch {
 public:
  // May be called in any callback of the bus, but must not destroy the watch before it returns. `moment`: of what made
  // it fire.
  using Fire = std::function<void(Firing firing, const Moment& moment)>;

  virtual ~TriggerWatch() = default;

  // A time at which it would have fired, and what makes it fire after all.
  struct MissedTime {
    DueTime due;
    std::string trigger_id;
    std::function<void()> fire;
    std::size_t place = 0;  // of those that are due at once: in the order of the triggers
  };
  // Sorts them by time, and by trigger if several are due at once; keeps the last `most`.
  static void keep_last(std::vector<MissedTime>& times, std::size_t most);
  // Times after `after` up to `until`; at most `most` of the last ones. None if it does not fire by the
  // clock.
  virtual std::vector<MissedTime> missed(base::Timestamp, base::Timestamp, std::size_t) { return {}; }
  // Called with the times that a jump of the clock made it miss, oldest first, at most `most` of the last ones. If it
  // is not set, they are logged.
  using ReportMissed = std::function<void(std::vector<MissedTime> times)>;
  virtual void report_jumps(std::size_t /*most*/, ReportMissed /*tell*/) {}

  // All must outlive it. `variables` are what the trigger's templates see. `place` tells the trigger apart in the home,
  // for what of it survives a restart; empty: nothing does. Events and state changes after number `since` count; by
  // default those that are fired from now on.
  static std::unique_ptr<TriggerWatch> create(const Trigger& trigger, Home& home, templates::Variables variables,
                                              std::string place, Fire fire, std::optional<std::uint64_t> since = {});
};

using FiringFacts = std::vector<std::pair<std::string, templates::Value>>;
// `trigger` as templates see it: the facts, after platform, id, idx and alias.
templates::Value trigger_value(const Trigger& trigger, FiringFacts facts);

// How long something must be so for the trigger to fire, by a `for` that sees `trigger`. Null, with the reason in the
// log, if its template gives no duration.
std::optional<base::Duration> held_time(const Home& home, const Moment& moment, const DurationData& held,
                                        const templates::VariablesView& variables, templates::Value trigger);
// `a trigger of automation.hall`, for the log: by the `this` of its templates.
std::string trigger_name(const templates::VariablesView& variables);

}  // namespace hearth::automation
