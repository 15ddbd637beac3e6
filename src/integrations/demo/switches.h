// SPDX-License-Identifier: Apache-2.0
// Switches and locks of the demo home. Bus thread only.
#pragma once

#include <map>

#include "domains/lock/lock.h"
#include "domains/switch/switch.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// Obeys at once, or, on a slow radio, reports after a while: that takes its time in a still home too.
class Relay final : public Thing, public domains::SwitchDevice {
 public:
  Relay(World& world, domains::EntityInfo info, double watts, base::Duration radio_delay = base::Duration(0));

  void turn_on() override { set(true); }
  void turn_off() override { set(false); }
  double power() const override { return on_ ? watts_ : 0; }

 private:
  void set(bool on);

  World& world_;
  double watts_;
  base::Duration radio_delay_;
  bool on_;
  domains::Switch& switch_;
  std::map<int, core::Timer> under_way_;  // reports that are in the air
  int last_report_ = 0;
};

// A motor lock: says that it turns, and 0.6 s later that it has.
class MotorLock final : public Thing, public domains::LockDevice {
 public:
  MotorLock(World& world, domains::EntityInfo info, domains::LockCapabilities capabilities, std::string code = {});

  void lock(const std::string& code) override;
  void unlock(const std::string& code) override;
  void open(const std::string& code) override;

 private:
  void turn(const std::string& code, domains::LockState meanwhile, domains::LockState then);

  World& world_;
  std::string code_;
  domains::LockState state_;
  domains::Lock& lock_;
  core::Timer motor_;
};

}  // namespace hearth::integrations::demo
