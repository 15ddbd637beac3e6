// SPDX-License-Identifier: Apache-2.0
// The parts that calls, events and delegated triggers of one hub there use. Bus thread only.
#pragma once

#include <functional>
#include <string>

#include "core/hub.h"
#include "domains/entities/integration_bus.h"
#include "integrations/home_assistant/calls/contexts.h"
#include "integrations/home_assistant/mirror/mirrored_ids.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/requests.h"

namespace hearth::integrations::home_assistant {

// All must outlive them.
struct CallsHome {
  core::Hub& hub;
  domains::IntegrationBus& bus;
  Requests& requests;
  const MirroredIds& ids;
  const Options& options;
  Contexts& contexts;
  // Called with true if the token may not do what the section asks for (events, delegated triggers), perhaps often;
  // with false when there is a new connection.
  std::function<void(bool missing)> rights_missing = {};

  // For people: home (Home Assistant).
  std::string name() const { return options.name + " (Home Assistant)"; }
};

}  // namespace hearth::integrations::home_assistant
