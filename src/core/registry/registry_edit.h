// SPDX-License-Identifier: Apache-2.0
// Checks a user's changes and applies them to one entry. Any thread.
#pragma once

#include "core/registry/registry.h"

namespace hearth::core {

// True if two names are the same except for case and spaces.
bool same_name(std::string_view one, std::string_view other);

// Each fails with invalid or conflict, as Registry says; `data` is the registry that contains the entry.
base::Result<void> apply(FloorEdit edit, Floor& floor, const RegistryData& data);
base::Result<void> apply(AreaEdit edit, Area& area, const RegistryData& data);
base::Result<void> apply(DeviceEdit edit, Device& device, const RegistryData& data);
// Including the new entity id.
base::Result<void> apply(EntityEdit edit, RegisteredEntity& entity, const RegistryData& data);

}  // namespace hearth::core
