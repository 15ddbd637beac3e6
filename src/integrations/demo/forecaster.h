// SPDX-License-Identifier: Apache-2.0
// The weather outside the demo home, and what it will be: by the same function of time, so each forecast comes true.
// Bus thread only.
#pragma once

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Forecaster final : public Appliance, public domains::ThingDevice {
 public:
  Forecaster(World& world, const domains::EntityInfo& info);

  void act(const domains::Action&, const json::object&) override {}  // it has no action but the question
  base::Result<json::object> answer(const domains::Action& action, const json::object& data) override;

 private:
  domains::Report reading() const;
  // What the hours from `begin`, so many from now, are like together.
  json::object part(double begin, int hours) const;

  World& world_;
  domains::Thing* thing_ = nullptr;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
