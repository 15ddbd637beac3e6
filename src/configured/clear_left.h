// SPDX-License-Identifier: Apache-2.0
// Removes entities of former configurations that the present one does not have. Bus thread only.
#pragma once

#include <functional>
#include <string>

#include "core/hub.h"

namespace hearth::configured {

// True for an entity of the registry that belongs to a kind of configured things, and to none that is in force.
using IsLeft = std::function<bool(const std::string& entity_id, const core::RegisteredEntity& registered)>;

// Removes the states of those that are left; if the configuration is not `complete`, they become unavailable.
void clear_left(core::Hub& hub, bool complete, const IsLeft& is_left);

}  // namespace hearth::configured
