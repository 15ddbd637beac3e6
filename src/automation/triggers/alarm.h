// SPDX-License-Identifier: Apache-2.0
// Rings at each of a series of instants, by the wall clock. An instant is missed if a jump of the clock leaves it more
// than an hour in the past; none rings twice if the clock is set back by up to three hours. While the clock of the
// machine is not set, due instants wait. Bus thread only.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "automation/values/local_times.h"
#include "core/hub.h"

namespace hearth::automation {

class Alarm {
 public:
  static constexpr base::Duration kLate = std::chrono::hours(1), kBack = std::chrono::hours(3);
  static constexpr base::Duration kBetweenLooks = std::chrono::seconds(1);  // at whether the clock is set

  using Next = std::function<std::optional<DueTime>(base::Timestamp after)>;
  using Ring = std::function<void(const DueTime& due)>;

  // The hub must outlive it. `ring` and `missed`, which has the first instant that a jump of the clock left too far
  // behind, must not destroy it before they return. `clock_is_set`: once true, it stays so.
  Alarm(core::Hub& hub, std::function<bool()> clock_is_set, Next next, Ring ring, Ring missed);
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Its instants after `after` up to `until`: the last `most` of them.
  std::vector<DueTime> between(base::Timestamp after, base::Timestamp until, std::size_t most) const;
  // The facts that `next` depends on have changed.
  void set();

 private:
  void due(const DueTime& time);

  core::Hub& hub_;
  const std::function<bool()> clock_is_set_;
  const Next next_;
  const Ring ring_, missed_;
  std::optional<base::Timestamp> last_;
  bool guessed_ = false;  // the next instant, by a clock that was not set
  core::Timer timer_;
  core::Subscription zone_changes_;
};

}  // namespace hearth::automation
