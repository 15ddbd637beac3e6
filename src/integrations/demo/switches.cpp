// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/switches.h"

#include "base/log.h"

namespace hearth::integrations::demo {

using domains::LockState;

Relay::Relay(World& world, domains::EntityInfo info, double watts, base::Duration radio_delay)
    : world_(world),
      watts_(watts),
      radio_delay_(radio_delay),
      on_(world.remembered<domains::Switch>(info, false)),
      switch_(world.add<domains::Switch>(on_, std::move(info), *this)) {}

void Relay::set(bool on) {
  on_ = on;
  if (radio_delay_ == base::Duration(0)) return switch_.report(on);
  const int number = ++last_report_;
  under_way_[number] = world_.bus().schedule(radio_delay_, [this, number, on, cause = switch_.command_context()] {
    under_way_.erase(number);
    switch_.report(on, &cause);
  });
}

MotorLock::MotorLock(World& world, domains::EntityInfo info, domains::LockCapabilities capabilities, std::string code)
    : world_(world),
      code_(std::move(code)),
      state_(world.remembered<domains::Lock>(info, LockState::locked)),
      lock_(world.add<domains::Lock>(state_, std::move(info), capabilities, *this)) {}

void MotorLock::lock(const std::string& code) {
  turn(code, LockState::locking, LockState::locked);
}
void MotorLock::unlock(const std::string& code) {
  turn(code, LockState::unlocking, LockState::unlocked);
}
void MotorLock::open(const std::string& code) {
  turn(code, LockState::opening, LockState::open);
}

void MotorLock::turn(const std::string& code, LockState meanwhile, LockState then) {
  if (!code_.empty() && code != code_) {
    base::log_warning("demo", "{} refuses a wrong code", lock_.entity_id());
    return lock_.report(state_);
  }
  if (state_ == then) return lock_.report(state_);
  if (world_.still()) return lock_.report(state_ = then);
  lock_.report(state_ = meanwhile);
  motor_ = world_.after(std::chrono::milliseconds(600), [this, then] { lock_.report(state_ = then); });
}

}  // namespace hearth::integrations::demo
