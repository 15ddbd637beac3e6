// SPDX-License-Identifier: Apache-2.0
// The weather outside the demo home and its forecast: both from one function of time, so each forecast comes true.
// Bus thread only.
#pragma once

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Forecaster final : public Appliance, public domains::ThingDevice {
 public:
  Forecaster(World& world, const domains::EntityInfo& info);

  void act(const domains::Action&, const json::object&) override {}  // its only service is a query
  base::Result<json::object> answer(const domains::Action& action, const json::object& data) override;

 private:
  domains::Report reading() const;
  // Summarises the hours from `begin`, counted from now.
  json::object part(double begin, int hours) const;

  World& world_;
  domains::Thing* thing_ = nullptr;
  Pulse pulse_;
};

}  // namespace hearth::integrations::demo
