// SPDX-License-Identifier: Apache-2.0
// Says which entities of the hub there are mirrored, as far as the hub there and the section decide it. Pure functions;
// any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/registry/registry_data.h"
#include "integrations/home_assistant/mirror/listed.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

// The integration of entities that have no entry there, and of the two sensors of a connection.
constexpr std::string_view kIntegration = "home_assistant";
constexpr int kMostHops = 3;  // hubs that a mirrored entity may have come through

// `mirrored` if nothing is against it. `area_there` and `labels_there`: its own and its device's. `own_uuid`: of the
// hub here.
Fate fate_of(const OtherEntity& entity, std::string_view area_there, const std::vector<std::string>& labels_there,
             const Options& options, std::string_view own_uuid);
// Of an entity without an entry there. `attributes`: of its state.
Fate fate_of(std::string_view entity_id_there, const json::object& attributes, const Options& options);

// True if one of this hub's own, with this id or this identity, stands before that of there.
bool is_local_first(std::string_view entity_id_there, std::string_view platform, const Options& options);

// The part of the identity here: the integration and the unique id. `second`: another hub has the first.
struct MirroredIdentity {
  std::string integration, unique_id;
};
MirroredIdentity identity_of(const OtherEntity& entity, const Options& options, bool second = false);
MirroredIdentity identity_of(std::string_view entity_id_there, const Options& options);

std::string_view domain_of(std::string_view entity_id);
// With the prefix, once. Fails with invalid if that is no id here.
base::Result<core::EntityId> id_here(std::string_view entity_id_there, const Options& options);

}  // namespace hearth::integrations::home_assistant
