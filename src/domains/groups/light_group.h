// SPDX-License-Identifier: Apache-2.0
// A light made of several lights. Bus thread only.
#pragma once

#include <memory>

#include "domains/groups/typed_group.h"
#include "domains/light/light.h"

namespace hearth::domains {

class LightGroup final : public TypedGroup, public LightDevice {
 public:
  using TypedGroup::TypedGroup;

  void turn_on(const LightCommand& command) override;
  void turn_off(const LightOffCommand& command) override;

 private:
  std::unique_ptr<Entity> make(EntityInfo info, const core::State* last) override;
  core::Words wanted() const override;
  void show(const core::Context* cause) override;
  bool has_turned() const override;

  Light* light_ = nullptr;
};

// Of the lights together, in light_sum.cpp: what one of them can, and the state, null if it is not known. Any thread.
LightCapabilities joined_capabilities(const GroupMembers& members);
std::optional<LightState> sum_of_lights(const GroupMembers& members, bool all);

}  // namespace hearth::domains
