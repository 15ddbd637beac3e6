// SPDX-License-Identifier: Apache-2.0
// The triggers `time`, `time_pattern` and `sun`. Bus thread only.
#pragma once

#include <memory>
#include <vector>

#include "automation/triggers/alarm.h"
#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

// Of the triggers `time`, `time_pattern` and `sun`: an alarm for each time.
class TimeWatch final : public TriggerWatch {
 public:
  TimeWatch(const Trigger& trigger, Home& home, Fire fire);

  std::vector<MissedTime> missed(base::Timestamp after, base::Timestamp until, std::size_t most) override;
  void report_jumps(std::size_t most, ReportMissed tell) override;

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
  ReportMissed report_missed_;
  std::size_t most_missed_ = 0;
  std::vector<std::unique_ptr<Alarm>> alarms_;
  std::vector<std::function<void(base::Timestamp now, const DueTime& due)>> rings_;  // of the alarms
  std::vector<core::EntityListeners::Listening> listenings_;
};

}  // namespace hearth::automation
