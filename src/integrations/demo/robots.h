// SPDX-License-Identifier: Apache-2.0
// A vacuum and a lawn mower: they work for a while and return to the dock by themselves. Bus thread only.
#pragma once

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Robot final : public Appliance, public domains::ThingDevice {
 public:
  Robot(World& world, const domains::Kind& kind, const domains::EntityInfo& info, domains::Abilities can);

  void act(const domains::Action& action, const json::object& data) override;

 private:
  static constexpr int kFull = 100, kTired = 20;  // percent of the battery

  void become(std::string_view value);
  void pass_minute();

  World& world_;
  int battery_ = kFull;
  int minutes_ = 0;  // of work since it left its dock
  domains::Thing* thing_ = nullptr;
  core::Timer minute_;
};

}  // namespace hearth::integrations::demo
