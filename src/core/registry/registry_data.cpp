// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace hearth::core {
namespace {

void join(auto& index, const std::string& group, const auto& entry) {
  const auto* const found = index.find(group);
  auto members = found ? *found : std::remove_cvref_t<decltype(*found)>();
  members.insert(entry);
  index.set(group, std::move(members));
}

void leave(auto& index, const std::string& group, const std::string& member) {
  auto members = index.at(group);
  members.erase(member);
  if (members.empty())
    index.erase(group);
  else
    index.set(group, std::move(members));
}

// Calls change(index, group) for each group that it belongs to.
void for_each_group(RegistryData& data, const RegisteredEntity& entity, auto change) {
  if (entity.device_id) change(data.entities_of_device, *entity.device_id);
  if (entity.area_id) change(data.entities_of_area, *entity.area_id);
  for (const auto& label : entity.labels) change(data.entities_of_label, label);
}

void for_each_group(RegistryData& data, const Device& device, auto change) {
  if (device.area_id) change(data.devices_of_area, *device.area_id);
  for (const auto& label : device.labels) change(data.devices_of_label, label);
}

}  // namespace

std::size_t RegistryData::IdentityHash::operator()(const EntityIdentity& identity) const {
  const auto& [integration, domain, unique_id] = identity;
  std::size_t hash = 0;
  for (const std::string_view part : {integration, domain, unique_id})
    hash = hash * 31 + std::hash<std::string_view>()(part);
  return hash;
}

std::string RegistryData::item_key(std::string_view collection, std::string_view id) {
  std::string key(collection);
  key += '\n';
  key += id;
  return key;
}

void RegistryData::set(Device device) {
  erase_device(device.id);
  std::string id = device.id;
  const auto entry = devices.set(std::move(id), std::move(device));
  for_each_group(*this, entry->value.second, [&](auto& index, const auto& group) { join(index, group, entry); });
}

void RegistryData::set(RegisteredEntity entity) {
  erase_entity(entity.entity_id);
  if (!provider_of(entity).empty()) ++entities_elsewhere;
  std::string id = entity.entity_id;
  const auto entry = entities.set(std::move(id), std::move(entity));
  entities_by_id.insert(entry);
  entities_by_identity.insert(entry);
  for_each_group(*this, entry->value.second, [&](auto& index, const auto& group) { join(index, group, entry); });
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
    if (!place_of(item)) return;
    item.position = position++;
    item.created_at = item.modified_at = now;
    set(std::move(item));
  }
}

void RegistryData::erase_device(std::string_view id) {
  const Device* const former = devices.find(id);
  if (!former) return;
  for_each_group(*this, *former, [&](auto& index, const auto& group) { leave(index, group, former->id); });
  devices.erase(id);
}

void RegistryData::erase_entity(std::string_view entity_id) {
  const RegisteredEntity* const former = entities.find(entity_id);
  if (!former) return;
  if (!provider_of(*former).empty()) --entities_elsewhere;
  for_each_group(*this, *former, [&](auto& index, const auto& group) { leave(index, group, former->entity_id); });
  entities_by_id.erase(former->id);
  entities_by_identity.erase(EntityIdentity(former->integration, former->domain(), former->unique_id));
  entities.erase(entity_id);
}

const RegisteredEntity* RegistryData::find_entity(std::string_view integration, std::string_view domain,
                                                  std::string_view unique_id) const {
  const auto* const entry = entities_by_identity.find(EntityIdentity(integration, domain, unique_id));
  return entry ? &entry->second : nullptr;
}

const RegisteredEntity* RegistryData::find_entity_by_id(std::string_view id) const {
  const auto* const entry = entities_by_id.find(id);
  return entry ? &entry->second : nullptr;
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

base::Result<int> RegistryData::place_of(const Item& item) const {
  const CollectionBounds bounds = bounds_of(item.collection);
  std::size_t count = 1, bytes = base::to_json(item.fields).size();
  const Item* former = nullptr;
  int position = 0;
  if (bytes > bounds.item_bytes) {
    return base::fail(base::ErrorCode::invalid, fmt::format("One of them has at most {} KiB, this one {} bytes.",
                                                            bounds.item_bytes / 1024, bytes));
  }
  for (auto next = items.lower_bound(item_key(item.collection, "")); next != items.end(); ++next) {
    const Item& other = next->second;
    if (other.collection != item.collection) break;
    if (other.id == item.id) {
      former = &other;
      continue;
    }
    position = std::max(position, other.position + 1);
    bytes += other.bytes;
    ++count;
  }
  if (count > bounds.items)
    return base::fail(base::ErrorCode::invalid, fmt::format("There are at most {} of them.", bounds.items));
  if (bytes > bounds.bytes) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("All of them together have at most {} KiB.", bounds.bytes / 1024));
  }
  return former ? former->position : position;
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
