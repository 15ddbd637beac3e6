// SPDX-License-Identifier: Apache-2.0
// A player that plays its tracks one after the other. Bus thread only.
#pragma once

#include <cstddef>

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Player final : public Appliance, public domains::ThingDevice {
 public:
  Player(World& world, const domains::EntityInfo& info, json::array sources);

  void act(const domains::Action& action, const json::object& data) override;
  double power() const override { return thing_->reported() == "off" ? 1 : 25; }

 private:
  void play(std::size_t track, double position);
  void show(std::string_view value, double position);
  double position() const;

  World& world_;
  std::size_t track_ = 0;
  double position_ = 0;  // seconds, as last reported
  base::SteadyTime since_;
  domains::Thing* thing_ = nullptr;
  core::Timer end_;
};

}  // namespace hearth::integrations::demo
