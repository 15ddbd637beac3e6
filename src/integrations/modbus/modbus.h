// SPDX-License-Identifier: Apache-2.0
// Devices that speak Modbus: over TCP, UDP, RTU over TCP, or a serial line. All hubs of the section are one connection
// of the home, with a link each. Bus thread only.
#pragma once

#include <memory>
#include <vector>

#include "base/config/config_reader.h"
#include "domains/integration.h"
#include "integrations/modbus/hub.h"
#include "integrations/modbus/services.h"

namespace hearth::integrations::modbus {

class Modbus final : public domains::Integration {
 public:
  struct Options {
    std::vector<HubOptions> hubs;

    // Fails with invalid; a line for each error.
    static base::Result<Options> parse(const base::ConfigNode& section);
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
  };

  Modbus(const domains::IntegrationHome& home, Options options) : home_(home), options_(std::move(options)) {}

  base::Result<void> start() override;
  void stop() override;
  json::object diagnosis() const override;

 private:
  void report_health() const;

  const domains::IntegrationHome home_;
  Options options_;
  std::vector<std::unique_ptr<ModbusHub>> hubs_;
  std::unique_ptr<Services> services_;
};

}  // namespace hearth::integrations::modbus
