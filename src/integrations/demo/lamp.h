// SPDX-License-Identifier: Apache-2.0
// A lamp of the demo home: obeys at once. Bus thread only.
#pragma once

#include "domains/light/light.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Lamp final : public Appliance, public domains::LightDevice {
 public:
  Lamp(World& world, domains::EntityInfo info, domains::LightCapabilities capabilities, domains::LightState first,
       double watts)
      : state_(world.remembered<domains::Light>(info, std::move(first))),
        watts_(watts),
        light_(world.add<domains::Light>(state_, std::move(info), std::move(capabilities), *this)) {}

  void turn_on(const domains::LightCommand& command) override {
    // A flash does not change the state.
    if (!command.flash) state_ = domains::apply(state_, command);
    light_.report(state_);
  }
  void turn_off(const domains::LightOffCommand& command) override {
    if (!command.flash) state_.on = false;
    light_.report(state_);
  }
  double power() const override { return state_.on ? watts_ * state_.brightness / 255 : 0; }

 private:
  domains::LightState state_;
  double watts_;
  domains::Light& light_;
};

}  // namespace hearth::integrations::demo
