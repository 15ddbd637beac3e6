// SPDX-License-Identifier: Apache-2.0
// A switch: on or off, nothing between. Bus thread only.
#pragma once

#include "domains/domain_services.h"
#include "domains/entity.h"

namespace hearth::domains {

class SwitchDevice : public EntityDevice {
 public:
  virtual void turn_on() = 0;
  virtual void turn_off() = 0;
};

class Switch final : public Entity {
 public:
  static constexpr std::string_view kDomain = "switch";

  Switch(EntityInfo info, SwitchDevice& device) : Entity(kDomain, std::move(info), &device), device_(device) {}

  bool is_on() const { return on_.value_or(false); }
  // `cause`: the command answered, where the device can tell.
  void report(bool on, const core::Context* cause = nullptr);

  SwitchDevice& device() { return device_; }

 protected:
  std::string value() const override;

 private:
  SwitchDevice& device_;
  std::optional<bool> on_;  // nothing: not reported yet
};

// turn_on, turn_off, toggle.
void add_switch_services(DomainServices& services);

}  // namespace hearth::domains
