// SPDX-License-Identifier: Apache-2.0
#include "core/readable_registry.h"

#include <algorithm>

#include "core/client_entity.h"
#include "core/registry/collection_type.h"

namespace hearth::core {

bool ReadableRegistry::reads_any(const RegistryData::EntityGroup* entities) const {
  if (!entities) return false;
  return std::any_of(entities->begin(), entities->end(), [this](const auto& entry) { return reads(entry.first); });
}

// Of the integration that is called like the collection, with the item's id as their unique id. A sensor that is made
// of others may have several, each with a part of its own behind the id.
bool ReadableRegistry::reads_entity_of(std::string_view collection, std::string_view id) const {
  const CollectionType* const known_type = find_collection_type(collection);
  const auto& index = data_->entities_by_identity;
  bool any = false;
  for (auto next = index.lower_bound(EntityIdentity(collection, "", ""));
       next != index.end() && next->second.integration == collection;) {
    const std::string domain(next->second.domain());
    for (auto part = index.lower_bound(EntityIdentity(collection, domain, id)); part != index.end(); ++part) {
      const RegisteredEntity& entity = part->second;
      if (entity.integration != collection || entity.domain() != domain || !entity.unique_id.starts_with(id)) break;
      const bool whole = entity.unique_id.size() == id.size();
      if (!whole && known_type) break;
      if (!whole && entity.unique_id[id.size()] != '_') continue;
      any = true;
      if (reads(entity.entity_id)) return true;
    }
    next = index.lower_bound(EntityIdentity(collection, domain + '\0', ""));
  }
  // Not yet, or no more: its entity would have this id.
  return !any && known_type && reads(std::string(known_type->domain) + '.' + std::string(id));
}

bool ReadableRegistry::reads_item(std::string_view collection, std::string_view id) const {
  if (all() || collection == kPageResources || is_document(collection)) return true;
  if (collection == kLabels) return reads_label(id);
  if (collection == kCategories) return reads_category(id);
  const std::string_view owner = owner_of(collection);
  if (owner.empty()) return reads_entity_of(collection, id);
  const RegisteredEntity* const entity = data_->find_entity_by_id(owner);
  return entity && reads(entity->entity_id);
}

std::vector<const Item*> ReadableRegistry::items_of(std::string_view collection) const {
  std::vector<const Item*> items = data_->items_of(collection);
  if (!all()) std::erase_if(items, [&](const Item* item) { return !reads_item(collection, item->id); });
  return items;
}

const Item* ReadableRegistry::find_item(std::string_view collection, std::string_view id) const {
  const Item* const item = data_->find_item(collection, id);
  return item && reads_item(collection, id) ? item : nullptr;
}

bool ReadableRegistry::reads_device(std::string_view id) const {
  return all() || reads_any(data_->entities_of_device.find(id));
}

bool ReadableRegistry::reads_area(std::string_view id) const {
  if (all() || reads_any(data_->entities_of_area.find(id))) return true;
  const RegistryData::DeviceGroup* const devices = data_->devices_of_area.find(id);
  if (!devices) return false;
  return std::any_of(devices->begin(), devices->end(), [this](const auto& device) {
    const RegistryData::EntityGroup* const parts = data_->entities_of_device.find(device.first);
    if (!parts) return false;
    return std::any_of(parts->begin(), parts->end(),
                       [this](const auto& part) { return !part.second.area_id && reads(part.first); });
  });
}

bool ReadableRegistry::reads_floor(std::string_view id) const {
  if (all()) return true;
  return std::any_of(data_->areas.begin(), data_->areas.end(),
                     [&](const auto& area) { return area.second.floor_id == id && reads_area(area.first); });
}

bool ReadableRegistry::hides(std::string_view id) const {
  if (all()) return false;
  return (data_->entities.contains(id) && !reads(id)) || (data_->devices.contains(id) && !reads_device(id)) ||
         (data_->areas.contains(id) && !reads_area(id)) || (data_->floors.contains(id) && !reads_floor(id));
}

bool ReadableRegistry::reads_label(std::string_view id) const {
  if (all() || reads_any(data_->entities_of_label.find(id))) return true;
  if (const auto* const devices = data_->devices_of_label.find(id)) {
    for (const auto& [device_id, device] : *devices)
      if (reads_device(device_id)) return true;
  }
  return std::any_of(data_->areas.begin(), data_->areas.end(), [&](const auto& area) {
    return area.second.labels.contains(std::string(id)) && reads_area(area.first);
  });
}

bool ReadableRegistry::reads_category(std::string_view id) const {
  if (all()) return true;
  return std::any_of(data_->entities.begin(), data_->entities.end(), [&](const auto& entity) {
    return std::ranges::any_of(entity.second.categories, [&](const auto& chosen) { return chosen.second == id; }) &&
           reads(entity.first);
  });
}

const RegisteredEntity* ReadableRegistry::find_entity(std::string_view entity_id) const {
  const RegisteredEntity* const entity = data_->entities.find(entity_id);
  return entity && reads(entity_id) ? entity : nullptr;
}

RegisteredEntity ReadableRegistry::entry_of(const State& state) const {
  const RegisteredEntity* const entity = data_->entities.find(state.entity_id());
  return entity ? *entity : client_entry(state, *data_);
}

std::vector<std::string> ReadableRegistry::entities_of_device(std::string_view id) const {
  std::vector<std::string> ids;
  if (const auto* const entities = data_->entities_of_device.find(id)) {
    for (const auto& [entity_id, entity] : *entities) {
      if (reads(entity_id)) ids.push_back(entity_id);
    }
  }
  return ids;
}

}  // namespace hearth::core
