// SPDX-License-Identifier: Apache-2.0
// A camera that looks at the house. Bus thread only.
#pragma once

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Camera final : public Appliance, public domains::ThingDevice {
 public:
  Camera(World& world, const domains::EntityInfo& info);

  void act(const domains::Action& action, const json::object& data) override;
  double power() const override { return on_ ? 4 : 0.5; }

 private:
  void look();

  World& world_;
  bool on_ = true;
  const std::string title_;
  domains::Thing* thing_ = nullptr;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
