// SPDX-License-Identifier: Apache-2.0
// For each meter of the home that has a price, and not its costs as a statistic: a sensor of what it has cost since
// then, as other programs expect it. Of sensor.meter it is sensor.meter_cost; of what goes to the grid
// sensor.meter_compensation. Restarts go on with the count. Bus thread only, except where noted.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/threads/published.h"
#include "domains/entities/entity_table.h"
#include "energy/meters.h"

namespace hearth::energy {

// The entities of the sensors, by role and statistic of the meter.
using CostEntities = std::map<std::pair<Role, std::string>, std::string>;

// True if a meter of the registry's preferences makes this entity. Any thread.
bool is_cost_sensor(const core::RegistryData& registry, const core::RegisteredEntity& entity);

class CostSensors {
 public:
  // Both must outlive this.
  CostSensors(core::Hub& hub, domains::EntityTable& entities);
  ~CostSensors();
  CostSensors(const CostSensors&) = delete;
  CostSensors& operator=(const CostSensors&) = delete;

  // Once: the sensors of the present preferences.
  void start();
  void stop();

  // Any thread.
  std::shared_ptr<const CostEntities> entities_now() const { return shown_.load(); }

 private:
  class Sensor;

  // As the preferences are now.
  void rebuild();
  void publish();

  core::Hub& hub_;
  domains::EntityTable& entities_;
  std::map<std::pair<Role, std::string>, std::unique_ptr<Sensor>> sensors_;
  base::Published<CostEntities> shown_{std::make_shared<const CostEntities>()};
  std::vector<core::Subscription> subscriptions_;
};

}  // namespace hearth::energy
