// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry_editor.h"

#include <algorithm>
#include <type_traits>

#include "core/registry/registry_json.h"

namespace hearth::core {
namespace {

// The former values of changed fields that clients know.
template <class Entry>
json::object changes(const Entry& former, const Entry& entry) {
  json::object differing;
  const json::object now = to_json(entry);
  for (auto& [key, value] : to_json(former)) {
    if (key != "modified_at" && value != now.at(key)) differing[key] = value;
  }
  return differing;
}

template <class Entry>
void keep_times(const Entry* former, Entry& entry, base::Timestamp now) {
  entry.created_at = former ? former->created_at : now;
  entry.modified_at = former ? former->modified_at : now;
}

}  // namespace

void RegistryEditor::note(std::string_view type, std::string_view action, std::string_view id_key, std::string_view id,
                          json::object changed, std::string_view former_id) {
  json::object data{{"action", action}, {id_key, id}};
  if (!changed.empty()) data["changes"] = std::move(changed);
  if (!former_id.empty()) data["old_entity_id"] = former_id;
  notes_.push_back({type, base::to_json(data), {std::string(id), std::string(former_id)}});
  changed_ = true;
}

base::Result<void> RegistryEditor::finish() {
  for (const std::string& label : labels_) {
    if (data_.find_item(kLabels, label)) continue;
    if (auto made = put(label_of(label)); !made) return made;
  }
  return {};
}

void RegistryEditor::put(Floor floor) {
  const Floor* const former = data_.floors.find(floor.id);
  keep_times(former, floor, now_);
  if (former && floor == *former) return;
  floor.modified_at = now_;
  note(event_type::kFloorRegistryUpdated, former ? "update" : "create", "floor_id", floor.id);
  std::string id = floor.id;
  data_.floors.set(std::move(id), std::move(floor));
}

void RegistryEditor::put(Area area) {
  const Area* const former = data_.areas.find(area.id);
  keep_times(former, area, now_);
  if (former && area == *former) return;
  area.modified_at = now_;
  note(event_type::kAreaRegistryUpdated, former ? "update" : "create", "area_id", area.id);
  labels_.insert(area.labels.begin(), area.labels.end());
  std::string id = area.id;
  data_.areas.set(std::move(id), std::move(area));
}

void RegistryEditor::put(Device device) {
  const Device* const former = data_.devices.find(device.id);
  keep_times(former, device, now_);
  if (former && device == *former) return;
  device.modified_at = now_;
  note(event_type::kDeviceRegistryUpdated, former ? "update" : "create", "device_id", device.id,
       former ? changes(*former, device) : json::object());
  labels_.insert(device.labels.begin(), device.labels.end());
  data_.set(std::move(device));
}

void RegistryEditor::put(RegisteredEntity entity) {
  const RegisteredEntity* const former = data_.entities.find(entity.entity_id);
  const std::string id = entity.entity_id;
  put_entity(former, id, std::move(entity));
}

void RegistryEditor::rename(const std::string& former_id, RegisteredEntity entity) {
  replace_sensor(former_id, entity.entity_id);
  const RegisteredEntity* const known = data_.entities.find(former_id);
  if (!known) return put_entity(nullptr, former_id, std::move(entity));
  const RegisteredEntity former = *known;
  data_.erase_entity(former_id);
  put_entity(&former, former_id, std::move(entity));
}

void RegistryEditor::replace(const std::string& from, const std::string& to, RegisteredEntity entity) {
  data_.erase_entity(from);
  note(event_type::kEntityRegistryUpdated, "remove", "entity_id", from);
  rename(to, std::move(entity));
}

void RegistryEditor::replace_sensor(const std::string& former_id, const OptionalText& now) {
  const auto areas = data_.areas;
  for (const auto& [id, area] : areas) {
    if (area.temperature_entity_id != former_id && area.humidity_entity_id != former_id) continue;
    Area changed = area;
    for (OptionalText* const sensor : {&changed.temperature_entity_id, &changed.humidity_entity_id})
      if (*sensor == former_id) *sensor = now;
    put(std::move(changed));
  }
}

void RegistryEditor::put_entity(const RegisteredEntity* former, const std::string& former_id, RegisteredEntity entity) {
  keep_times(former, entity, now_);
  if (former && entity == *former) return;
  changed_ = true;
  json::object changed = former ? changes(*former, entity) : json::object();
  // An entry that a provider had is news for those who follow where it comes from.
  const bool moved = former && !former->provider.empty() && former->provider != entity.provider;
  if (!former || !changed.empty() || moved) {
    entity.modified_at = now_;
    const bool renamed = former_id != entity.entity_id;
    note(event_type::kEntityRegistryUpdated, former ? "update" : "create", "entity_id", entity.entity_id,
         std::move(changed), renamed ? former_id : std::string());
  }
  labels_.insert(entity.labels.begin(), entity.labels.end());
  data_.set(std::move(entity));
}

void RegistryEditor::erase_floor(const std::string& id) {
  const auto areas = data_.areas;
  for (const auto& [area_id, area] : areas) {
    if (area.floor_id != id) continue;
    Area without = area;
    without.floor_id.reset();
    put(std::move(without));
  }
  data_.floors.erase(id);
  note(event_type::kFloorRegistryUpdated, "remove", "floor_id", id);
}

void RegistryEditor::erase_area(const std::string& id) {
  // Copies, because the indexes change meanwhile.
  const auto members = [&](const auto& index) {
    const auto* const found = index.find(id);
    return found ? *found : std::remove_cvref_t<decltype(*found)>();
  };
  const RegistryData::DeviceGroup devices = members(data_.devices_of_area);
  const RegistryData::EntityGroup entities = members(data_.entities_of_area);
  for (const auto& [device_id, entry] : devices) {
    Device device = entry;
    device.area_id.reset();
    put(std::move(device));
  }
  for (const auto& [entity_id, entry] : entities) {
    RegisteredEntity entity = entry;
    entity.area_id.reset();
    put(std::move(entity));
  }
  data_.areas.erase(id);
  note(event_type::kAreaRegistryUpdated, "remove", "area_id", id);
}

void RegistryEditor::remember_entity(const std::string& entity_id) {
  const RegisteredEntity* const entity = data_.entities.find(entity_id);
  if (!entity || !entity->device_id) return;
  RegisteredEntity gone = *entity;
  gone.modified_at = now_;
  data_.removed.add(std::move(gone));
}

void RegistryEditor::remember_devices(const Texts& ids) {
  for (const std::string& id : ids) {
    const Device* const device = data_.devices.find(id);
    if (!device) continue;
    Device gone = *device;
    gone.modified_at = now_;
    data_.removed.add(std::move(gone));
  }
}

std::optional<RegisteredEntity> RegistryEditor::take_back(const EntityIdentity& identity) {
  const RegisteredEntity* const found = data_.removed.find_entity(identity);
  if (!found) return {};
  RegisteredEntity entity = *found;
  data_.removed.erase_entity(identity);
  if (entity.area_id && !data_.areas.contains(*entity.area_id)) entity.area_id.reset();
  std::erase_if(entity.labels, [&](const std::string& label) { return !data_.find_item(kLabels, label); });
  std::erase_if(entity.categories, [&](const auto& each) { return !data_.find_item(kCategories, each.second); });
  return entity;
}

std::optional<Device> RegistryEditor::take_back(const Device& like) {
  const Device* const found = data_.removed.find_device(like);
  if (!found) return {};
  Device device = *found;
  data_.removed.erase_device(device.id);
  if (device.area_id && !data_.areas.contains(*device.area_id)) device.area_id.reset();
  std::erase_if(device.labels, [&](const std::string& label) { return !data_.find_item(kLabels, label); });
  return device;
}

void RegistryEditor::erase_devices(const Texts& ids) {
  // A copy, because the indexes change meanwhile.
  const RegistryData before = data_;
  for (const auto& [id, device] : before.devices) {
    if (ids.contains(id) || !device.via_device_id || !ids.contains(*device.via_device_id)) continue;
    Device without = device;
    without.via_device_id.reset();
    put(std::move(without));
  }
  for (const std::string& id : ids) {
    if (!before.devices.contains(id)) continue;
    if (const auto* const members = before.entities_of_device.find(id)) {
      for (const auto& [entity_id, entry] : *members) {
        RegisteredEntity entity = entry;
        entity.device_id.reset();
        put(std::move(entity));
      }
    }
    data_.erase_device(id);
    note(event_type::kDeviceRegistryUpdated, "remove", "device_id", id);
  }
}

base::Result<void> RegistryEditor::put(Item item) {
  const Item* const former = data_.find_item(item.collection, item.id);
  if (former && former->fields == item.fields) return {};
  const auto place = data_.place_of(item);
  if (!place) return std::unexpected(place.error());
  item.position = *place;
  keep_times(former, item, now_);
  item.modified_at = now_;
  item.revision = former ? former->revision + 1 : 1;
  note(item, former ? "update" : "create");
  data_.set(std::move(item));
  return {};
}

void RegistryEditor::erase_item(const Item& item) {
  note(item, "remove");
  data_.items.erase(RegistryData::item_key(item.collection, item.id));
}

void RegistryEditor::note(const Item& item, std::string_view action) {
  json::object data{{"action", action}};
  std::string_view type = event_type::kCollectionUpdated;
  if (item.collection == kLabels) {
    type = event_type::kLabelRegistryUpdated;
    data["label_id"] = item.id;
  } else if (item.collection == kCategories) {
    type = event_type::kCategoryRegistryUpdated;
    data["scope"] = item.fields.at("scope");
    data["category_id"] = item.id;
  } else {
    data["collection"] = item.collection;
    data["item_id"] = item.id;
    if (const RegisteredEntity* const owner = data_.find_entity_by_id(owner_of(item.collection)))
      data["entity_id"] = owner->entity_id;
  }
  notes_.push_back({type, base::to_json(data), {.id = item.id, .collection = item.collection}});
  changed_ = true;
}

void RegistryEditor::erase_label(const std::string& id) {
  // A copy, because the indexes change meanwhile.
  const RegistryData before = data_;
  const auto without = [&](auto carrier) {
    carrier.labels.erase(id);
    put(std::move(carrier));
  };
  for (const auto& [area_id, area] : before.areas) {
    if (area.labels.contains(id)) without(area);
  }
  if (const auto* const devices = before.devices_of_label.find(id)) {
    for (const auto& [device_id, device] : *devices) without(device);
  }
  if (const auto* const entities = before.entities_of_label.find(id)) {
    for (const auto& [entity_id, entity] : *entities) without(entity);
  }
  erase_item(*before.find_item(kLabels, id));
}

void RegistryEditor::erase_category(const Item& category) {
  const RegistryData before = data_;
  const std::string scope(scope_of(category));
  for (const auto& [entity_id, entity] : before.entities) {
    const auto chosen = entity.categories.find(scope);
    if (chosen == entity.categories.end() || chosen->second != category.id) continue;
    RegisteredEntity without = entity;
    without.categories.erase(scope);
    put(std::move(without));
  }
  erase_item(category);
}

void RegistryEditor::erase_entity(const std::string& entity_id) {
  const RegisteredEntity& entity = data_.entities.at(entity_id);
  replace_sensor(entity_id, {});
  const RegistryData before = data_;
  for (const Item* const item : before.items_of(collection_of(entity.domain(), entity.id))) erase_item(*item);
  data_.erase_entity(entity_id);
  note(event_type::kEntityRegistryUpdated, "remove", "entity_id", entity_id);
}

void RegistryEditor::reorder(auto& entries, const std::vector<std::string>& ids, std::string_view type,
                             std::string_view id_key) {
  bool moved = false;
  for (int position = 0; const std::string& id : ids) {
    auto entry = entries.at(id);
    if (entry.position != position) {
      entry.position = position;
      entries.set(id, std::move(entry));
      moved = true;
    }
    ++position;
  }
  if (!moved) return;
  notes_.push_back({type, base::to_json(json::object{{"action", "reorder"}, {id_key, nullptr}}), {}});
  changed_ = true;
}

void RegistryEditor::reorder_floors(const std::vector<std::string>& ids) {
  reorder(data_.floors, ids, event_type::kFloorRegistryUpdated, "floor_id");
}

void RegistryEditor::reorder_areas(const std::vector<std::string>& ids) {
  reorder(data_.areas, ids, event_type::kAreaRegistryUpdated, "area_id");
}

}  // namespace hearth::core
