// SPDX-License-Identifier: Apache-2.0
// What brings entities into the home. One folder under integrations/ each; made by its constructor
// `(const IntegrationHome&, const Options&)`, which does no more than that. Bus thread only.
//
// An integration may fail: an error, or what is thrown, ends nothing but itself. If it does not start it is stopped and
// destroyed, its entities are unavailable, and a new one is made and started after a while.
#pragma once

#include "base/result.h"
#include "domains/domains.h"
#include "domains/integration_bus.h"

namespace hearth::domains {

// What an integration gets of the home. All of it outlives the integration.
struct IntegrationHome {
  core::Hub& hub;  // what runs on its bus goes by way of `bus`
  Domains& domains;
  IntegrationBus& bus;
};

class Integration {
 public:
  // Waits for its own threads, if it has any.
  virtual ~Integration() = default;
  // Adds the entities and begins to drive them. The message of an error is shown to people.
  virtual base::Result<void> start() = 0;
  // Ends all that moves by itself; the entities keep their states. The entities are not commanded after it. Called also
  // after a start that failed.
  virtual void stop() = 0;
};

}  // namespace hearth::domains
