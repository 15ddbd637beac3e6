// SPDX-License-Identifier: Apache-2.0
// Entities of other homes: their states are here, and services for them are called there. A portal of a fleet has such.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/service_call.h"

namespace hearth::core {

// What stands for the integration in the registry's entries of such entities. Their unique id is
// <site>.<domain>.<object id there>.
constexpr std::string_view kFleetIntegration = "fleet";

// The site that the entity is from; empty for one of this home. Valid as long as the entity.
inline std::string_view site_of(const RegisteredEntity& entity) {
  if (entity.integration != kFleetIntegration) return {};
  return std::string_view(entity.unique_id).substr(0, entity.unique_id.find('.'));
}

// Bus thread.
class OtherHomes {
 public:
  virtual ~OtherHomes() = default;
  // Calls the service for these entities, which are all of other homes; replies as a ServiceHandler does, with
  // unavailable, whose message names the site, if nobody answers there.
  virtual void call(const ServiceRequest& request, const std::vector<std::string>& entity_ids, ServiceReply reply) = 0;
};

}  // namespace hearth::core
