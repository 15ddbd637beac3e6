// SPDX-License-Identifier: Apache-2.0
// Translates an event of a site for its portal: with the ids that entities have at the portal. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::archive {

// The id at the portal of an entity of the site; null if the portal does not know it.
using PortalId = std::function<std::optional<std::string>(std::string_view entity_id)>;

// The event's data; null if it is about nothing that the portal knows: nobody there may see it. A call is about what it
// aims at; anything else about its entity_id.
std::optional<std::string> portal_data(std::string_view type, std::string_view data, const PortalId& portal_id);

}  // namespace hearth::archive
