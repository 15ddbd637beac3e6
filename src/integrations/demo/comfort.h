// SPDX-License-Identifier: Apache-2.0
// The humidifier and the water heater of the demo home. Bus thread only.
#pragma once

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// Brings its room to the target humidity.
class AirHumidifier final : public Appliance, public domains::ThingDevice {
 public:
  AirHumidifier(World& world, const domains::EntityInfo& info);

  void act(const domains::Action& action, const json::object& data) override;
  double humidity() const { return room_; }  // of the room, in percent

 private:
  domains::Report reading() const;

  double room_ = 44;
  domains::Thing* humidifier_ = nullptr;
  Pulse pulse_;
};

// Heats its water three degrees at a time.
class Boiler final : public Appliance, public domains::ThingDevice {
 public:
  Boiler(World& world, const domains::EntityInfo& info);

  void act(const domains::Action& action, const json::object& data) override;

 private:
  void pass_time();

  double water_ = 54;  // °C
  bool heats_ = false;
  domains::Thing* boiler_ = nullptr;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
