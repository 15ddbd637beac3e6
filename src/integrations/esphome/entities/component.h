// SPDX-License-Identifier: Apache-2.0
// The components of ESPHome as a table: the types of their messages, and how each becomes an entity. Bus thread only,
// except the table, which any thread may read.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "integrations/esphome/entities/node_entity.h"

namespace hearth::integrations::esphome {

// The entities of a node by what their states name.
class EntityIndex {
 public:
  // False if there is such a one already.
  bool add(NodeEntity& entity) {
    const auto place = place_of(key_of(entity));
    if (place != entities_.end() && place->first == key_of(entity)) return false;
    entities_.emplace(place, key_of(entity), &entity);
    return true;
  }
  void remove(const NodeEntity& entity) {
    const auto place = place_of(key_of(entity));
    if (place != entities_.end() && place->second == &entity) entities_.erase(place);
  }
  // Null if there is none.
  NodeEntity* find(const Component& component, std::uint32_t device_id, std::uint32_t key) const {
    const Key wanted{&component, device_id, key};
    const auto place = std::ranges::lower_bound(entities_, wanted, {}, &Entry::first);
    return place == entities_.end() || place->first != wanted ? nullptr : place->second;
  }

 private:
  using Key = std::tuple<const Component*, std::uint32_t, std::uint32_t>;
  using Entry = std::pair<Key, NodeEntity*>;
  static Key key_of(const NodeEntity& entity) { return {&entity.component(), entity.device_id(), entity.key()}; }
  std::vector<Entry>::iterator place_of(const Key& key) {
    return std::ranges::lower_bound(entities_, key, {}, &Entry::first);
  }

  std::vector<Entry> entities_;  // sorted
};

struct Component {
  std::string_view name;  // as unique ids have it
  std::string_view domain;
  std::uint32_t list, state;  // the types of the description and of the state; 0: it has no state
  // The entity of a description; null if it cannot be read.
  std::unique_ptr<NodeEntity> (*make)(NodeContext& node, std::string_view description);
  // Reports a state to its entity, if there is one. False if it cannot be read.
  bool (*receive)(const EntityIndex& entities, std::string_view state);
};

// Reads a state and gives it to its entity: `Entity` has a State and show(State).
template <class Entity>
bool receive_state(const EntityIndex& entities, std::string_view payload) {
  const auto state = parse_message<typename Entity::State>(payload);
  if (!state) return false;
  if (NodeEntity* const found = entities.find(*Entity::component_of(), state->device_id(), state->key());
      found && found->entity())
    static_cast<Entity*>(found)->show(*state);
  return true;
}

template <class Entity>
std::unique_ptr<NodeEntity> make_entity(NodeContext& node, std::string_view payload) {
  auto list = parse_message<typename Entity::List>(payload);
  if (!list) return nullptr;
  CommonFields common = take_common(*list);
  return std::make_unique<Entity>(node, *Entity::component_of(), std::move(common), std::move(*list));
}

// Null if the hub does not know such a component.
const Component* component_of_list(std::uint32_t type);
const Component* component_of_state(std::uint32_t type);

}  // namespace hearth::integrations::esphome
