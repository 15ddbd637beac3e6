// SPDX-License-Identifier: Apache-2.0
// A sensor: one measured or counted value, or a text. Bus thread only.
#pragma once

#include "domains/entity.h"

namespace hearth::domains {

struct SensorCapabilities {
  std::string unit = {};         // of measurement; empty: none
  std::string state_class = {};  // measurement, total, total_increasing; empty: none
  int precision = 1;             // decimals of numbers
};

class Sensor final : public Entity {
 public:
  static constexpr std::string_view kDomain = "sensor";

  Sensor(EntityInfo info, SensorCapabilities capabilities, EntityDevice* device = nullptr)
      : Entity(kDomain, std::move(info), device), capabilities_(std::move(capabilities)) {}

  // A number that is none is unknown.
  void report(double value);
  void report(std::string value);

 protected:
  std::string value() const override { return value_; }
  void add_capabilities(json::object& attributes) const override;

 private:
  SensorCapabilities capabilities_;
  std::string value_{core::kUnknown};
};

}  // namespace hearth::domains
