// SPDX-License-Identifier: Apache-2.0
#include "core/registry_editor.h"

#include <algorithm>
#include <iterator>

#include "core/registry_json.h"

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

bool carried(const RegistryData& data, const std::string& label) {
  if (data.entities_of_label.contains(label) || data.devices_of_label.contains(label)) return true;
  for (const auto& [id, area] : data.areas) {
    if (area.labels.contains(label)) return true;
  }
  return false;
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

void RegistryEditor::relabel(const Texts& former, const Texts& now) {
  std::ranges::set_symmetric_difference(former, now, std::inserter(labels_, labels_.end()));
}

const std::vector<RegistryEditor::Note>& RegistryEditor::finish() {
  for (const std::string& label : labels_) {
    const bool was = carried(before_, label), is = carried(data_, label);
    if (was != is) note(event_type::kLabelRegistryUpdated, is ? "create" : "remove", "label_id", label);
  }
  return notes_;
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
  relabel(former ? former->labels : Texts(), area.labels);
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
  relabel(former ? former->labels : Texts(), device.labels);
  data_.set(std::move(device));
}

void RegistryEditor::put(RegisteredEntity entity) {
  const RegisteredEntity* const former = data_.entities.find(entity.entity_id);
  put_entity(former, std::move(entity));
}

void RegistryEditor::rename(const std::string& former_id, RegisteredEntity entity) {
  const RegisteredEntity former = data_.entities.at(former_id);
  data_.erase_entity(former_id);
  put_entity(&former, std::move(entity));
}

void RegistryEditor::put_entity(const RegisteredEntity* former, RegisteredEntity entity) {
  keep_times(former, entity, now_);
  if (former && entity == *former) return;
  changed_ = true;
  json::object changed = former ? changes(*former, entity) : json::object();
  if (!former || !changed.empty()) {
    entity.modified_at = now_;
    const bool renamed = former && former->entity_id != entity.entity_id;
    note(event_type::kEntityRegistryUpdated, former ? "update" : "create", "entity_id", entity.entity_id,
         std::move(changed), renamed ? former->entity_id : std::string());
  }
  relabel(former ? former->labels : Texts(), entity.labels);
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
  const auto members = [&](const RegistryData::Index& index) {
    const RegistryData::Ids* const ids = index.find(id);
    return ids ? *ids : RegistryData::Ids();
  };
  const RegistryData::Ids devices = members(data_.devices_of_area), entities = members(data_.entities_of_area);
  for (const auto& [device_id, nothing] : devices) {
    Device device = data_.devices.at(device_id);
    device.area_id.reset();
    put(std::move(device));
  }
  for (const auto& [entity_id, nothing] : entities) {
    RegisteredEntity entity = data_.entities.at(entity_id);
    entity.area_id.reset();
    put(std::move(entity));
  }
  relabel(data_.areas.at(id).labels, {});
  data_.areas.erase(id);
  note(event_type::kAreaRegistryUpdated, "remove", "area_id", id);
}

base::Result<void> RegistryEditor::put(Item item) {
  const Item* const former = data_.find_item(item.collection, item.id);
  if (former && former->fields == item.fields) return {};
  if (auto fits = data_.fits(item); !fits) return fits;
  const auto others = data_.items_of(item.collection);
  item.position = former ? former->position : others.empty() ? 0 : others.back()->position + 1;
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
  json::object data{{"action", action}, {"collection", item.collection}, {"item_id", item.id}};
  if (const RegisteredEntity* const owner = data_.find_entity_by_id(owner_of(item.collection)))
    data["entity_id"] = owner->entity_id;
  notes_.push_back(
      {event_type::kCollectionUpdated, base::to_json(data), {.id = item.id, .collection = item.collection}});
  changed_ = true;
}

void RegistryEditor::erase_entity(const std::string& entity_id) {
  const RegisteredEntity& entity = data_.entities.at(entity_id);
  relabel(entity.labels, {});
  const RegistryData before = data_;
  for (const Item* const item : before.items_of(collection_of(entity.domain(), entity.id))) erase_item(*item);
  data_.erase_entity(entity_id);
  note(event_type::kEntityRegistryUpdated, "remove", "entity_id", entity_id);
}

void RegistryEditor::reorder(const std::vector<std::string>& area_ids) {
  bool moved = false;
  for (int position = 0; const std::string& id : area_ids) {
    Area area = data_.areas.at(id);
    if (area.position != position) {
      area.position = position;
      data_.areas.set(id, std::move(area));
      moved = true;
    }
    ++position;
  }
  if (!moved) return;
  notes_.push_back({event_type::kAreaRegistryUpdated, R"({"action":"reorder","area_id":null})", {}});
  changed_ = true;
}

}  // namespace hearth::core
