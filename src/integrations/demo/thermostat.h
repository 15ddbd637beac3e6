// SPDX-License-Identifier: Apache-2.0
// A room with a radiator, a thermostat and a thermometer that agree. Bus thread only.
#pragma once

#include "domains/climate/climate.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Thermostat final : public Appliance, public domains::ClimateDevice {
 public:
  // `thermometer`: the room's sensor, in the same device.
  Thermostat(World& world, domains::EntityInfo info, domains::EntityInfo thermometer);

  void set(const domains::ClimateCommand& command) override;

 private:
  void pass_time();
  void switch_valve();
  void report();

  World& world_;
  domains::ClimateState state_;
  double room_;          // °C
  double radiator_ = 0;  // how warm the radiator is, from 0, cold, to 1
  domains::Climate& climate_;
  domains::Thing& thermometer_;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
