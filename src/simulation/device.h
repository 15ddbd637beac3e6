// SPDX-License-Identifier: Apache-2.0
// A device of a simulated home, with its entity: it obeys each command at once. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "domains/entities/entity_table.h"
#include "simulation/scenario.h"

namespace hearth::simulation {

class Device {
 public:
  virtual ~Device() = default;
  // It is so now, by itself. Attributes that are not given stay, unless the given ones are all. Fails with invalid if
  // its kind cannot be so.
  base::Result<void> show(const GivenState& state);
  virtual std::string_view entity_id() const = 0;
  // From now on it obeys no command: it is only ever what it is shown to be.
  void stop_obeying() { obeys_ = false; }

 protected:
  bool obeys() const { return obeys_; }
  virtual base::Result<void> report(const GivenState& state) = 0;
  virtual domains::Entity& entity() const = 0;

 private:
  bool obeys_ = true;
};

// True if entities of that domain have services, so that they are devices here.
bool is_device_domain(std::string_view domain);

// Adds the entity, which is `unknown` until it is shown. `attributes`: what it is to show, which say what it can do.
// Fails as EntityTable::add does. The device must outlive the entity.
base::Result<std::unique_ptr<Device>> add_device(domains::EntityTable& entities, const core::EntityId& id,
                                                 const json::object& attributes);

}  // namespace hearth::simulation
