// SPDX-License-Identifier: Apache-2.0
// The triggers that watch templates, events, the time and the hub itself. Bus thread only.
#pragma once

#include <memory>
#include <vector>

#include "automation/conditions/look_through.h"
#include "automation/conditions/trigger_notes.h"
#include "automation/triggers/alarm.h"
#include "automation/triggers/held_clocks.h"
#include "automation/triggers/live_data.h"
#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class TemplateWatch final : public TriggerWatch {
 public:
  TemplateWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place, Fire fire);

 private:
  void on_value(const base::Result<templates::Value>& value, const core::Event* event);
  // True if it has looked at a state that it looks through.
  bool is_away() const;
  // To the log, unless that failure was the last one it told.
  void tell(const std::string& failure);
  FiringFacts facts(const core::StatePtr& from, const core::StatePtr& to, std::optional<base::Duration> held) const;
  void fire(const core::StatePtr& from, const core::StatePtr& to, std::optional<base::Duration> held,
            const std::optional<core::Context>& cause) const;

  const Trigger& trigger_;
  const TemplateTrigger& kind_;
  Home& home_;
  const templates::Variables variables_;
  const Fire fire_;
  std::optional<bool> was_true_;     // absent: nobody knows
  std::optional<core::Timer> away_;  // while it is: until that is too long
  std::string told_;                 // why it could not be rendered; empty if it could
  ArmedStates kept_;                 // one, of no entity: was_true_
  HeldClocks clocks_;                // one, of no entity
  LiveData live_;
};

class EventWatch final : public TriggerWatch {
 public:
  EventWatch(const Trigger& trigger, Home& home, Fire fire, std::optional<std::uint64_t> since);

 private:
  void on_event(const core::Event& event) const;

  const Trigger& trigger_;
  const EventTrigger& kind_;
  Home& home_;
  const Fire fire_;
  EventRouter::Listening listening_;
};

// Of the triggers `time`, `time_pattern` and `sun`: an alarm for each time.
class TimeWatch final : public TriggerWatch {
 public:
  TimeWatch(const Trigger& trigger, Home& home, Fire fire);

  std::vector<MissedTime> missed(base::Timestamp after, base::Timestamp until, std::size_t most) override;
  void tell_jumps(std::size_t most, TellMissed tell) override;

 private:
  using Facts = std::vector<std::pair<std::string, templates::Value>>;

  void add(Alarm::Next next, std::string source, Facts facts = {});
  std::vector<MissedTime> missed_by(std::size_t alarm, base::Timestamp after, base::Timestamp until,
                                    std::size_t most) const;
  // The clock has left that one of the alarm's behind, perhaps with others after it.
  void jumped(std::size_t alarm, const DueTime& first) const;

  const Trigger& trigger_;
  Home& home_;
  const Fire fire_;
  TellMissed tell_missed_;
  std::size_t most_missed_ = 0;
  std::vector<std::unique_ptr<Alarm>> alarms_;
  std::vector<std::function<void(base::Timestamp now, const DueTime& due)>> rings_;  // of the alarms
  std::vector<core::EntityListeners::Listening> listenings_;
};

class HubWatch final : public TriggerWatch {
 public:
  HubWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  core::Subscription subscription_;
};

}  // namespace hearth::automation
