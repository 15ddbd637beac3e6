// SPDX-License-Identifier: Apache-2.0
#include "core/registry.h"

#include <algorithm>

namespace hearth::core {

const Area* RegistryData::area_of(const RegisteredEntity& entity) const {
  std::optional<std::string> id = entity.area_id;
  if (!id && entity.device_id) {
    if (const auto device = devices.find(*entity.device_id); device != devices.end()) id = device->second.area_id;
  }
  if (!id) return nullptr;
  const auto area = areas.find(*id);
  return area == areas.end() ? nullptr : &area->second;
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
    const auto found = std::find_if(data.areas.begin(), data.areas.end(),
                                    [&](const auto& entry) { return entry.second.name == name; });
    if (found != data.areas.end()) {
      area = found->second;
      return;
    }
    std::string slug = slugify(name);
    if (slug.empty()) slug = "area";
    std::string id = slug;
    for (int n = 2; data.areas.contains(id); ++n) id = slug + "_" + std::to_string(n);
    area = {id, name, std::move(floor_id), {}};
    data.areas.emplace(id, area);
  });
  return area;
}

void Registry::put_device(Device device) {
  change([&](RegistryData& data) { data.devices.insert_or_assign(device.id, device); });
}

base::Result<EntityId> Registry::put_entity(const EntityId& wanted, RegisteredEntity entity) {
  auto result = base::Result<EntityId>(wanted);
  change([&](RegistryData& data) {
    for (const auto& [id, known] : data.entities) {
      if (known.integration != entity.integration || known.unique_id != entity.unique_id) continue;
      if (EntityId::parse(id)->domain() != wanted.domain()) continue;
      result = EntityId::parse(id);
      entity.entity_id = id;
      data.entities.insert_or_assign(id, entity);
      return;
    }
    for (int n = 2; result && data.entities.contains(result->str()); ++n) {
      result = EntityId::parse(std::string(wanted.str()) + "_" + std::to_string(n));
    }
    if (!result) return;
    entity.entity_id = result->str();
    data.entities.emplace(entity.entity_id, entity);
  });
  return result;
}

void Registry::remove_entity(std::string_view entity_id) {
  change([&](RegistryData& data) {
    if (const auto it = data.entities.find(entity_id); it != data.entities.end()) data.entities.erase(it);
  });
}

}  // namespace hearth::core
