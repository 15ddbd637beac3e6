// SPDX-License-Identifier: Apache-2.0
// The services modbus.write_register, write_coil, restart and stop. Bus thread only.
#pragma once

#include <memory>
#include <vector>

#include "integrations/modbus/hub.h"

namespace hearth::integrations::modbus {

class Services {
 public:
  // Both must outlive this.
  Services(const domains::IntegrationHome& home, const std::vector<std::unique_ptr<ModbusHub>>& hubs);

 private:
  using Reply = core::ServiceReply;

  void add_write(bool coil);
  void add_control(std::string service, std::string name, std::string description, void (ModbusHub::*act)());
  // Fails with invalid if there is none of that name.
  base::Result<ModbusHub*> hub_of(const json::object& data) const;

  const domains::IntegrationHome& home_;
  const std::vector<std::unique_ptr<ModbusHub>>& hubs_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::integrations::modbus
