// SPDX-License-Identifier: Apache-2.0
// Switches and locks of the demo home. Bus thread only.
#pragma once

#include <map>

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// Obeys at once or, on a slow radio, reports after a delay, which is the same in a still home.
class Relay final : public Appliance, public domains::ThingDevice {
 public:
  Relay(World& world, domains::EntityInfo info, double watts, base::Duration radio_delay = base::Duration(0));

  void act(const domains::Action& action, const json::object& data) override;
  double power() const override { return on_ ? watts_ : 0; }

 private:
  World& world_;
  double watts_;
  base::Duration radio_delay_;
  domains::Thing& switch_;
  bool on_;
  std::map<int, core::Timer> under_way_;  // reports not yet delivered
  int last_report_ = 0;
};

// A motor lock: reports that it turns and, 0.6 s later, that it is done.
class MotorLock final : public Appliance, public domains::ThingDevice {
 public:
  MotorLock(World& world, domains::EntityInfo info, domains::Abilities can, std::string code = {});

  void act(const domains::Action& action, const json::object& data) override;

 private:
  World& world_;
  std::string code_;
  domains::Thing& lock_;
  core::Timer motor_;
};

}  // namespace hearth::integrations::demo
