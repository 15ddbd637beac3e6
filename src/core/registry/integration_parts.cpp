// SPDX-License-Identifier: Apache-2.0
#include "core/registry/integration_parts.h"

#include <algorithm>

namespace hearth::core {
namespace {

bool is_named(std::set<std::string> References::* kind, const std::string& id,
              const std::vector<ItemReferences>& items) {
  return std::ranges::any_of(items, [&](const ItemReferences& item) { return (item.named.*kind).contains(id); });
}

IntegrationParts parts_that(const auto& go, const RegistryData& data, const std::vector<ItemReferences>& items) {
  IntegrationParts parts;
  Texts others;  // areas in use by other integrations
  for (const auto& [id, device] : data.devices) {
    const bool goes = go(device);
    if (goes) parts.devices.insert(id);
    if (device.area_id) (goes ? parts.areas : others).insert(*device.area_id);
  }
  for (const auto& [id, entity] : data.entities) {
    const bool goes = go(entity);
    if (goes) parts.entities.insert(id);
    if (entity.area_id) (goes ? parts.areas : others).insert(*entity.area_id);
  }
  std::erase_if(parts.areas, [&](const std::string& id) {
    return others.contains(id) || !data.areas.contains(id) || is_named(&References::areas, id, items);
  });
  Texts kept;  // floors of areas that stay
  for (const auto& [id, area] : data.areas) {
    if (area.floor_id) (parts.areas.contains(id) ? parts.floors : kept).insert(*area.floor_id);
  }
  std::erase_if(parts.floors, [&](const std::string& id) {
    return kept.contains(id) || !data.floors.contains(id) || is_named(&References::floors, id, items);
  });
  return parts;
}

}  // namespace

IntegrationParts parts_of(const Connection& connection, const RegistryData& data,
                          const std::vector<ItemReferences>& items) {
  return parts_that([&](const auto& entry) { return is_provided_by(connection, entry); }, data, items);
}

IntegrationParts parts_of_integration(const RegistryData& data, std::string_view integration,
                                      const std::vector<ItemReferences>& items) {
  return parts_that([&](const auto& entry) { return entry.integration == integration; }, data, items);
}

}  // namespace hearth::core
