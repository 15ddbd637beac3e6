// SPDX-License-Identifier: Apache-2.0
// The alarm panel, the siren and the doorbell of the demo home. Bus thread only.
#pragma once

#include <string>

#include "integrations/demo/sensors.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// Arms half a minute after the command, or at once if somebody stays at home; disarms by its code.
class AlarmPanel final : public Appliance, public domains::ThingDevice {
 public:
  AlarmPanel(World& world, const domains::EntityInfo& info, std::string code);

  base::Result<void> check(const domains::Action& action, const json::object& data) const override;
  void act(const domains::Action& action, const json::object& data) override;

 private:
  World& world_;
  std::string code_;
  domains::Thing& panel_;
  core::Timer delay_;
};

// Sounds for the given duration, otherwise for a minute.
class Siren final : public Appliance, public domains::ThingDevice {
 public:
  Siren(World& world, const domains::EntityInfo& info);

  void act(const domains::Action& action, const json::object& data) override;

 private:
  World& world_;
  domains::Thing& siren_;
  core::Timer end_;
};

// Something that happens now and then. It reports the attributes; the hub sets the time.
class Happening final : public Appliance {
 public:
  Happening(World& world, const domains::Kind& kind, const domains::EntityInfo& info, domains::Abilities can,
            const Habit& habit, json::object attributes);

 private:
  World& world_;
  Habit habit_;
  json::object attributes_;
  bool on_ = false;
  domains::Thing& thing_;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
