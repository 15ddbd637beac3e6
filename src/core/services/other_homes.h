// SPDX-License-Identifier: Apache-2.0
// Entities of other homes, as a portal of a fleet has them: their states are here, but services for them are called
// there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/services/service_call.h"

namespace hearth::core {

// Bus thread.
class OtherHomes {
 public:
  virtual ~OtherHomes() = default;
  // Calls the service for these entities, which are all of other homes; replies as a ServiceHandler does, with
  // unavailable, whose message names the site, if nobody answers there.
  virtual void call(const ServiceRequest& request, const std::vector<std::string>& entity_ids, ServiceReply reply) = 0;
};

}  // namespace hearth::core
