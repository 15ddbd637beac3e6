// SPDX-License-Identifier: Apache-2.0
#include "core/registry_data.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::core {
namespace {

using Index = RegistryData::Index;
using ChangeIndex = void(Index&, const std::string& group, const std::string& member);

void join(Index& index, const std::string& group, const std::string& member) {
  const RegistryData::Ids* const found = index.find(group);
  RegistryData::Ids members = found ? *found : RegistryData::Ids();
  members.set(member, {});
  index.set(group, std::move(members));
}

void leave(Index& index, const std::string& group, const std::string& member) {
  RegistryData::Ids members = index.at(group);
  members.erase(member);
  if (members.empty())
    index.erase(group);
  else
    index.set(group, std::move(members));
}

void index(RegistryData& data, const RegisteredEntity& entity, ChangeIndex* change) {
  if (entity.device_id) change(data.entities_of_device, *entity.device_id, entity.entity_id);
  if (entity.area_id) change(data.entities_of_area, *entity.area_id, entity.entity_id);
  for (const auto& label : entity.labels) change(data.entities_of_label, label, entity.entity_id);
}

void index(RegistryData& data, const Device& device, ChangeIndex* change) {
  if (device.area_id) change(data.devices_of_area, *device.area_id, device.id);
  for (const auto& label : device.labels) change(data.devices_of_label, label, device.id);
}

std::string identity_of(const RegisteredEntity& entity) {
  return RegistryData::identity(entity.integration, entity.domain(), entity.unique_id);
}

}  // namespace

std::string RegistryData::identity(std::string_view integration, std::string_view domain, std::string_view unique_id) {
  std::string text(integration);
  text += '\n';
  text += domain;
  text += '\n';
  text += unique_id;
  return text;
}

std::string RegistryData::item_key(std::string_view collection, std::string_view id) {
  std::string key(collection);
  key += '\n';
  key += id;
  return key;
}

void RegistryData::set(Device device) {
  if (const Device* const former = devices.find(device.id)) index(*this, *former, leave);
  index(*this, device, join);
  std::string id = device.id;
  devices.set(std::move(id), std::move(device));
}

void RegistryData::set(RegisteredEntity entity) {
  erase_entity(entity.entity_id);
  entity_ids.set(entity.id, entity.entity_id);
  entity_ids_by_identity.set(identity_of(entity), entity.entity_id);
  index(*this, entity, join);
  std::string id = entity.entity_id;
  entities.set(std::move(id), std::move(entity));
}

void RegistryData::set(Item item) {
  item.bytes = base::to_json(item.fields).size();
  std::string key = item_key(item.collection, item.id);
  items.set(std::move(key), std::move(item));
}

void RegistryData::add_missing_labels(base::Timestamp now) {
  Texts carried;
  for (const auto& [label, carriers] : entities_of_label) carried.insert(label);
  for (const auto& [label, carriers] : devices_of_label) carried.insert(label);
  for (const auto& [id, area] : areas) carried.insert(area.labels.begin(), area.labels.end());
  const auto labels = items_of(kLabels);
  int position = labels.empty() ? 0 : labels.back()->position + 1;
  for (const std::string& label : carried) {
    if (find_item(kLabels, label)) continue;
    Item item = label_of(label);
    if (!fits(item)) return;
    item.position = position++;
    item.created_at = item.modified_at = now;
    set(std::move(item));
  }
}

void RegistryData::erase_device(std::string_view id) {
  const Device* const former = devices.find(id);
  if (!former) return;
  index(*this, *former, leave);
  devices.erase(id);
}

void RegistryData::erase_entity(std::string_view entity_id) {
  const RegisteredEntity* const former = entities.find(entity_id);
  if (!former) return;
  index(*this, *former, leave);
  entity_ids.erase(former->id);
  entity_ids_by_identity.erase(identity_of(*former));
  entities.erase(entity_id);
}

const RegisteredEntity* RegistryData::find_entity(std::string_view integration, std::string_view domain,
                                                  std::string_view unique_id) const {
  const std::string* const id = entity_ids_by_identity.find(identity(integration, domain, unique_id));
  return id ? entities.find(*id) : nullptr;
}

const RegisteredEntity* RegistryData::find_entity_by_id(std::string_view id) const {
  const std::string* const entity_id = entity_ids.find(id);
  return entity_id ? entities.find(*entity_id) : nullptr;
}

const Item* RegistryData::find_item(std::string_view collection, std::string_view id) const {
  return items.find(item_key(collection, id));
}

std::vector<const Item*> RegistryData::items_of(std::string_view collection) const {
  std::vector<const Item*> found;
  for (auto next = items.lower_bound(item_key(collection, "")); next != items.end(); ++next) {
    if (next->second.collection != collection) break;
    found.push_back(&next->second);
  }
  std::sort(found.begin(), found.end(), [](const Item* one, const Item* other) {
    return one->position != other->position ? one->position < other->position : one->id < other->id;
  });
  return found;
}

base::Result<void> RegistryData::fits(const Item& item) const {
  const CollectionBounds bounds = bounds_of(item.collection);
  std::size_t count = 1, bytes = base::to_json(item.fields).size();
  if (bytes > bounds.item_bytes) {
    return base::fail(base::ErrorCode::invalid, fmt::format("One of them has at most {} KiB, this one {} bytes.",
                                                            bounds.item_bytes / 1024, bytes));
  }
  for (auto next = items.lower_bound(item_key(item.collection, "")); next != items.end(); ++next) {
    const Item& other = next->second;
    if (other.collection != item.collection) break;
    if (other.id == item.id) continue;
    bytes += other.bytes;
    ++count;
  }
  if (count > bounds.items)
    return base::fail(base::ErrorCode::invalid, fmt::format("There are at most {} of them.", bounds.items));
  if (bytes > bounds.bytes) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("All of them together have at most {} KiB.", bounds.bytes / 1024));
  }
  return {};
}

const Device* RegistryData::device_of(const RegisteredEntity& entity) const {
  return entity.device_id ? devices.find(*entity.device_id) : nullptr;
}

const Area* RegistryData::area_of(const RegisteredEntity& entity) const {
  const OptionalText* id = &entity.area_id;
  if (!*id) {
    if (const Device* const device = device_of(entity)) id = &device->area_id;
  }
  return *id ? areas.find(**id) : nullptr;
}

bool RegistryData::enabled(const RegisteredEntity& entity) const {
  const Device* const device = device_of(entity);
  return !entity.disabled_by && !(device && device->disabled_by);
}

std::string RegistryData::friendly_name(const RegisteredEntity& entity) const {
  if (entity.name) return *entity.name;
  const std::string original = entity.original_name.value_or("");
  const Device* const device = device_of(entity);
  if (!entity.has_entity_name || !device) return original;
  const std::string of = device->name_by_user ? *device->name_by_user : device->name.value_or("");
  if (of.empty() || original.empty()) return of + original;
  return of + ' ' + original;
}

}  // namespace hearth::core
