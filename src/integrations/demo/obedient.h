// SPDX-License-Identifier: Apache-2.0
// A device of the demo home that obeys each command at once. Bus thread only.
#pragma once

#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Obedient final : public Appliance, public domains::ThingDevice {
 public:
  Obedient(World& world, const domains::Kind& kind, const domains::EntityInfo& info, domains::Abilities can = {},
           domains::Report first = {})
      : thing_(world.add(kind, world.remembered(kind, info, std::move(first)), info, std::move(can), this)) {}

  void act(const domains::Action& action, const json::object& data) override {
    thing_.report(domains::outcome(thing_.kind(), action, data));
  }
  const domains::Thing& thing() const { return thing_; }

 private:
  domains::Thing& thing_;
};

}  // namespace hearth::integrations::demo
