// SPDX-License-Identifier: Apache-2.0
// Two diagnostic entities of this hub's own: binary_sensor.NAME_connection and sensor.NAME_latency. Bus thread only.
#pragma once

#include <chrono>

#include "domains/entities/thing.h"
#include "domains/integration.h"
#include "integrations/home_assistant/options/options.h"

namespace hearth::integrations::home_assistant {

bool is_connection_sensor(const core::RegisteredEntity& entry, const Options& options);

class ConnectionSensors {
 public:
  // Both must outlive it.
  ConnectionSensors(const domains::IntegrationHome& home, const Options& options) : home_(home), options_(options) {}

  void add();
  void set_connected(bool connected);
  void set_latency(std::chrono::milliseconds time);

 private:
  domains::Thing* put(const domains::Kind& kind, std::string_view part, std::string_view name,
                      std::string_view device_class, domains::Abilities can);

  const domains::IntegrationHome& home_;
  const Options& options_;
  domains::Thing* connection_ = nullptr;
  domains::Thing* latency_ = nullptr;
};

}  // namespace hearth::integrations::home_assistant
