// SPDX-License-Identifier: Apache-2.0
#include "core/device_delegate.h"

#include <set>

#include "core/hub.h"

namespace hearth::core {
namespace {

DeviceDelegate* delegate_among(Hub& hub, std::string_view device_id, const auto& entities,
                               const RegistryData& registry) {
  // One entity of each provider.
  std::set<std::string_view> seen;
  ResolvedTarget examples;
  for (const auto& [id, entity] : entities) {
    const RegisteredEntity* const entry = registry.entities.find(id);
    const std::string_view provider = entry ? provider_of(*entry) : std::string_view();
    if (!provider.empty() && seen.insert(provider).second) examples.entity_ids.emplace_back(id);
  }
  for (const Providers::Share& share : hub.services.providers().take(examples, registry)) {
    auto* const delegate = dynamic_cast<DeviceDelegate*>(share.provider);
    if (delegate && delegate->has_device(device_id)) return delegate;
  }
  return nullptr;
}

}  // namespace

DeviceDelegate* find_delegate(Hub& hub, std::string_view device_id) {
  const auto registry = hub.registry.snapshot();
  const auto* const parts = registry->entities_of_device.find(device_id);
  DeviceDelegate* const found = parts ? delegate_among(hub, device_id, *parts, *registry) : nullptr;
  // A device may have no entities.
  return found ? found : delegate_among(hub, device_id, registry->entities, *registry);
}

}  // namespace hearth::core
