// SPDX-License-Identifier: Apache-2.0
// Entities that no integration brings: clients write their states (POST /api/states). Such an entity has an entry in
// the registry as soon as somebody edits it; before that, readers get the entry that it would have, so that such
// entities need no memory in the registry. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/hub.h"

namespace hearth::core {

// The entry of an entity without one.
RegisteredEntity client_entry(const State& state, const RegistryData& registry);

// The unit that the user wants for the sensor; empty if none.
std::string_view wanted_unit(const RegisteredEntity& entity);
// Converts value and unit_of_measurement if they can be, otherwise leaves them.
void convert_to(std::string_view unit, std::string& value, json::object& attributes);

// A state as the user wants it.
struct ShownState {
  std::string value, attributes_json;
};
// The client's state, with the name, icon, device class and unit that the user has set.
ShownState overridden(const RegisteredEntity& entity, std::string_view value, std::string_view attributes_json);
// The state to show now, after a change of the entry: a field that the user no longer sets is as the client wrote it. A
// unit that the user wants no more stays until the client's next write.
ShownState shown_again(const RegisteredEntity& entity, std::string_view value, std::string_view attributes_json);

// As StateMachine::set, with what the user has set for such an entity. Also fails with conflict, which names the
// provider, if the entity lives elsewhere.
base::Result<StateMachine::Written> set_client_state(Hub& hub, const EntityId& id, StateMachine::Write write);

// As Registry::update_entity and remove_entity, for entities without an entry, too. Also fails with conflict if the new
// id is that of a state, and with invalid for a unit that the sensor's cannot be converted to.
base::Result<RegisteredEntity> update_entity(Hub& hub, const std::string& entity_id, EntityEdit edit,
                                             const Context& context);
base::Result<void> remove_entity(Hub& hub, const std::string& entity_id, const Context& context);

}  // namespace hearth::core
