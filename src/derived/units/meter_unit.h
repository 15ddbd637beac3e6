// SPDX-License-Identifier: Apache-2.0
// A utility meter: one sensor, or one for each tariff and a select that chooses the one that counts. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/hub.h"
#include "derived/engines/meter.h"
#include "derived/units/sensor_unit.h"

namespace hearth::derived {

class MeterUnit final : public Unit, public domains::ThingDevice {
 public:
  struct Options {
    Meter::Options meter;
    std::vector<std::string> tariffs;
  };

  MeterUnit(std::shared_ptr<const Plan> plan, const Environment& environment, Options options);

  base::Result<void> start() override;
  void withdraw() override;
  std::vector<std::string> entity_ids() const override;
  // Another tariff is selected.
  void act(const domains::Action& action, const json::object& data) override;

  // Of one of its sensors, or of all if it is the select. False if it has no such entity.
  bool reset(std::string_view entity_id, const core::Context& cause) override;
  std::optional<base::Result<void>> calibrate(std::string_view entity_id, std::string_view value,
                                              const core::Context& cause) override;

 private:
  struct Part {
    Meter* meter;
    std::unique_ptr<SensorUnit> sensor;
  };

  void add_part(const std::string& tariff);
  base::Result<void> add_select();
  void choose(std::string_view tariff);

  const Environment environment_;
  const Options options_;
  std::vector<Part> parts_;
  domains::Thing* select_ = nullptr;  // in the home; null without tariffs
};

// utility_meter.reset and calibrate.
std::vector<core::Registration> add_meter_services(core::Hub& hub, const ForEachUnit& for_each);

}  // namespace hearth::derived
