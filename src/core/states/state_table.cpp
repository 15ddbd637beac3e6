// SPDX-License-Identifier: Apache-2.0
#include "core/states/state_table.h"

namespace hearth::core {

StatePtr StateTable::find(std::string_view entity_id) const {
  const std::size_t hash = hash_of(entity_id);
  for (const Entry& entry : entries(bucket(hash))) {
    if (entry.hash == hash && entry.state->entity_id() == entity_id) return entry.leaf->state;
  }
  return nullptr;
}

}  // namespace hearth::core
