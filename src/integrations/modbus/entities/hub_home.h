// SPDX-License-Identifier: Apache-2.0
// The entities of one hub as the home sees them: added with what they were before, and their life in common. Bus thread
// only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "domains/climate/climate.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/integration.h"
#include "domains/light/light.h"
#include "integrations/modbus/options/options.h"

namespace hearth::integrations::modbus {

class HubHome {
 public:
  HubHome(const domains::IntegrationHome& home, std::string hub) : home_(home), hub_(std::move(hub)) {}

  // `part`: of a virtual count, 0 for the first. Null if it cannot be added, which is logged.
  domains::Thing* add(const domains::Kind& kind, const CommonOptions& options, std::int64_t part,
                      domains::Abilities can, domains::ThingDevice* device = nullptr);

  domains::Light* add_light(const CommonOptions& options, domains::LightDevice& device);
  domains::Climate* add_climate(const CommonOptions& options, domains::ClimateCapabilities can,
                                domains::ClimateDevice& device);

  domains::IntegrationBus& bus() const { return home_.bus; }

 private:
  domains::EntityInfo info_of(std::string_view domain, const CommonOptions& options, std::int64_t part) const;
  // Null if there is none.
  core::StatePtr last_state(std::string_view domain, const std::string& unique_id) const;
  template <class Entity>
  Entity* put(std::unique_ptr<Entity> entity);

  const domains::IntegrationHome& home_;
  const std::string hub_;
};

// A failure of one entity, said once until it is well again.
class Trouble {
 public:
  // `what`: "modbus_hub, sensor.pump".
  void say(std::string_view what, const RequestFailure& failure);
  void over() { told_.clear(); }

 private:
  std::string told_;
};

// Ends the call that waits for a write.
void tell_call(const domains::CommandAnswer& owed, const Answer& answer);

}  // namespace hearth::integrations::modbus
