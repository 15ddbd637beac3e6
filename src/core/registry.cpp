// SPDX-License-Identifier: Apache-2.0
#include "core/registry.h"

#include <algorithm>

namespace hearth::core {
namespace {

using Index = RegistryData::Index;

void join(Index& index, const std::string& group, const std::string& member) {
  const RegistryData::Ids* const found = index.find(group);
  RegistryData::Ids members = found ? *found : RegistryData::Ids();
  members.set(member, {});
  index.set(group, std::move(members));
}

void leave(Index& index, const std::string& group, const std::string& member) {
  RegistryData::Ids members = *index.find(group);
  members.erase(member);
  if (members.empty())
    index.erase(group);
  else
    index.set(group, std::move(members));
}

void index(RegistryData& data, const RegisteredEntity& entity,
           void (*change)(Index&, const std::string&, const std::string&)) {
  if (entity.device_id) change(data.entities_of_device, *entity.device_id, entity.entity_id);
  if (entity.area_id) change(data.entities_of_area, *entity.area_id, entity.entity_id);
  for (const auto& label : entity.labels) change(data.entities_of_label, label, entity.entity_id);
}

void index(RegistryData& data, const Device& device, void (*change)(Index&, const std::string&, const std::string&)) {
  if (device.area_id) change(data.devices_of_area, *device.area_id, device.id);
  for (const auto& label : device.labels) change(data.devices_of_label, label, device.id);
}

std::string identity_of(const RegisteredEntity& entity) {
  return RegistryData::identity(entity.integration, entity.entity_id.substr(0, entity.entity_id.find('.')),
                                entity.unique_id);
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

void RegistryData::set(Device device) {
  if (const Device* former = devices.find(device.id)) index(*this, *former, leave);
  index(*this, device, join);
  std::string id = device.id;
  devices.set(std::move(id), std::move(device));
}

void RegistryData::set(RegisteredEntity entity) {
  erase_entity(entity.entity_id);
  entity_ids.set(identity_of(entity), entity.entity_id);
  index(*this, entity, join);
  std::string id = entity.entity_id;
  entities.set(std::move(id), std::move(entity));
}

void RegistryData::erase_entity(std::string_view entity_id) {
  const RegisteredEntity* const former = entities.find(entity_id);
  if (!former) return;
  index(*this, *former, leave);
  entity_ids.erase(identity_of(*former));
  entities.erase(entity_id);
}

const Area* RegistryData::area_of(const RegisteredEntity& entity) const {
  const std::optional<std::string>* id = &entity.area_id;
  if (!*id && entity.device_id) {
    if (const Device* device = devices.find(*entity.device_id)) id = &device->area_id;
  }
  return *id ? areas.find(**id) : nullptr;
}

template <class Change>
void Registry::change(Change&& apply) {
  base::MutexLock lock(mutex_);
  auto next = std::make_shared<RegistryData>(*data_.load());
  apply(*next);
  data_.publish(std::move(next));
}

Area Registry::ensure_area(const std::string& name, std::optional<std::string> floor_id) {
  Area area;
  change([&](RegistryData& data) {
    for (const auto& [id, known] : data.areas) {
      if (known.name != name) continue;
      area = known;
      return;
    }
    std::string slug = slugify(name);
    if (slug.empty()) slug = "area";
    std::string id = slug;
    for (int n = 2; data.areas.contains(id); ++n) id = slug + "_" + std::to_string(n);
    area = {id, name, std::move(floor_id), {}};
    data.areas.set(id, area);
  });
  return area;
}

void Registry::put_device(Device device) {
  change([&](RegistryData& data) { data.set(std::move(device)); });
}

base::Result<EntityId> Registry::put_entity(const EntityId& wanted, RegisteredEntity entity) {
  auto result = base::Result<EntityId>(wanted);
  change([&](RegistryData& data) {
    if (const std::string* known =
            data.entity_ids.find(RegistryData::identity(entity.integration, wanted.domain(), entity.unique_id))) {
      result = EntityId::parse(*known);
    } else {
      for (int n = 2; result && data.entities.contains(result->str()); ++n) {
        result = EntityId::parse(std::string(wanted.str()) + "_" + std::to_string(n));
      }
    }
    if (!result) return;
    entity.entity_id = result->str();
    data.set(std::move(entity));
  });
  return result;
}

void Registry::remove_entity(std::string_view entity_id) {
  change([&](RegistryData& data) { data.erase_entity(entity_id); });
}

}  // namespace hearth::core
