// SPDX-License-Identifier: Apache-2.0
// Checks what a user wants to change and does it to one entry. Any thread.
#pragma once

#include "core/registry.h"

namespace hearth::core {

// Whether two names are too alike to stand side by side: case and spaces do not count.
bool same_name(std::string_view one, std::string_view other);

// Each fails with invalid or conflict, as Registry says; `data` is the registry that the entry belongs to.
base::Result<void> apply(FloorEdit edit, Floor& floor, const RegistryData& data);
base::Result<void> apply(AreaEdit edit, Area& area, const RegistryData& data);
base::Result<void> apply(DeviceEdit edit, Device& device, const RegistryData& data);
// The new entity id included.
base::Result<void> apply(EntityEdit edit, RegisteredEntity& entity, const RegistryData& data);

}  // namespace hearth::core
