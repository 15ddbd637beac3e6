// SPDX-License-Identifier: Apache-2.0
// Adds entities to the home. One folder under integrations/ each; created by its constructor `(const IntegrationHome&,
// const Options&)`, which does nothing else. Bus thread only.
//
// An integration may fail: an error or an exception ends nothing else. If it fails to start, it is stopped and
// destroyed, its entities are unavailable, and a new one is created and started after a while.
#pragma once

#include "base/result.h"
#include "domains/domains.h"
#include "domains/entities/integration_bus.h"

namespace hearth::domains {

// What an integration may use of the home. All of it outlives the integration.
struct IntegrationHome {
  core::Hub& hub;  // tasks on its bus go through `bus`
  Domains& domains;
  IntegrationBus& bus;
};

class Integration {
 public:
  // Joins its own threads, if it has any.
  virtual ~Integration() = default;
  // Adds the entities and starts to control them. An error's message is shown to people.
  virtual base::Result<void> start() = 0;
  // Ends everything that runs by itself; entities keep their states and are not commanded any more. Also called after a
  // failed start.
  virtual void stop() = 0;
};

}  // namespace hearth::domains
