// SPDX-License-Identifier: Apache-2.0
// An entry that comes anew takes these from the one that it was before. Any thread.
#pragma once

#include "base/result.h"
#include "core/registry/registry_data.h"
#include "core/values/entity_id.h"

namespace hearth::core {

void keep_user_fields(const Device& former, Device& device);
void keep_user_fields(const RegisteredEntity& former, RegisteredEntity& entity);

// The id, or with a number appended if it is taken. Fails with invalid if that is too long.
base::Result<EntityId> free_entity_id(const EntityId& wanted, const RegistryData& data);

// The id that the entity had before it was gone; the wanted one, if that was the integration's, which wants another
// now.
base::Result<EntityId> former_entity_id(const RegisteredEntity& gone, const EntityId& wanted);

}  // namespace hearth::core
