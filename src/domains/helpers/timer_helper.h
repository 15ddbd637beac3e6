// SPDX-License-Identifier: Apache-2.0
// A timer: runs for a duration, never shorter, and fires an event when it ends. It resumes after a restart or a kill of
// the hub by the time of its end; a timer whose end has passed meanwhile ends when the home has started. Bus thread
// only.
#pragma once

#include "domains/helpers/helper_entity.h"

namespace hearth::domains {

class TimerHelper final : public HelperEntity {
 public:
  using HelperEntity::HelperEntity;

  base::Result<void> check(const Action& action, const json::object& data) const override;
  void act(const Action& action, const json::object& data) override;
  void home_started() override;

 private:
  enum class Phase { idle, active, paused };

  Report first(const Kind& kind, const core::State* last) override;
  void show() override;

  base::Duration configured() const;
  // Of an active one; not negative.
  base::Duration left() const;
  Report report() const;
  void start(base::Duration given);
  void pause();
  void change(base::Duration by);
  // Neither runs nor is paused any more.
  void rest();
  void run_out();
  // Waits for the end.
  void wait();
  // Writes the state, so that it survives a kill, and then fires the event if it has a name.
  void tell(std::string_view event, const core::Context& context, std::optional<base::Timestamp> finished = {});

  Phase phase_ = Phase::idle;
  base::Duration duration_{0};   // of this run
  base::Duration remaining_{0};  // when it was started, changed or paused
  base::Timestamp end_;          // while it is active, by the clock that people see …
  base::SteadyTime due_;         // … and by one that is never set
  std::string last_transition_;  // started, restarted, paused, cancelled or finished; empty: never
  core::Timer alarm_;
};

}  // namespace hearth::domains
