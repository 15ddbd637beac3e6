// SPDX-License-Identifier: Apache-2.0
// A binary sensor: on or off, with the meaning that its device class gives it: a motion's on is motion, a door's is
// open. Bus thread only.
#pragma once

#include "domains/entity.h"

namespace hearth::domains {

class BinarySensor final : public Entity {
 public:
  static constexpr std::string_view kDomain = "binary_sensor";

  explicit BinarySensor(EntityInfo info, EntityDevice* device = nullptr) : Entity(kDomain, std::move(info), device) {}

  void report(bool on) {
    on_ = on;
    write();
  }

 protected:
  std::string value() const override { return on_ ? *on_ ? "on" : "off" : std::string(core::kUnknown); }

 private:
  std::optional<bool> on_;  // nothing: not reported yet
};

}  // namespace hearth::domains
