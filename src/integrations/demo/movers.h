// SPDX-License-Identifier: Apache-2.0
// Covers, valves and a fan of the demo home. Bus thread only.
#pragma once

#include <vector>

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// The position of a cover or valve, in percent open.
struct Stand {
  int position;
  std::optional<int> tilt = {};
};

// A cover or a valve: takes some seconds from closed to open, and reports its position each second.
class Shade final : public Appliance, public domains::ThingDevice {
 public:
  Shade(World& world, const domains::Kind& kind, domains::EntityInfo info, core::Words features, Stand first,
        int travel_seconds);

  void act(const domains::Action& action, const json::object& data) override;
  double power() const override { return position_ == target_ ? 0 : 120; }

 private:
  void move_to(double position);
  void step();
  domains::Report standing() const;

  World& world_;
  int travel_seconds_;
  std::optional<int> tilt_;
  double position_ = 0;
  double target_ = 0;
  domains::Thing* cover_ = nullptr;
  core::Timer motor_;
};

// Obeys at once.
class Ventilator final : public Appliance, public domains::ThingDevice {
 public:
  Ventilator(World& world, domains::EntityInfo info, const std::vector<std::string>& presets, int speed);

  void act(const domains::Action& action, const json::object& data) override;
  double power() const override { return fan_->reported() == "on" ? 5 + speed_ * 0.3 : 0; }

 private:
  int speed_;  // percent, also while it is off
  std::string preset_;
  domains::Thing* fan_ = nullptr;
};

}  // namespace hearth::integrations::demo
