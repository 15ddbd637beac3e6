// SPDX-License-Identifier: Apache-2.0
#include "core/services/device_delegate.h"

#include <set>

#include "core/hub.h"

namespace hearth::core {

DeviceDelegate* find_delegate(Hub& hub, std::string_view device_id) {
  const auto registry = hub.registry.snapshot();
  // One entity of each provider. A device may have no entities.
  std::set<std::string_view> seen;
  ResolvedTarget examples;
  for (const auto& [id, entity] : registry->entities) {
    const std::string_view provider = provider_of(entity);
    if (!provider.empty() && seen.insert(provider).second) examples.entity_ids.push_back(id);
  }
  for (const Providers::Share& share : hub.services.providers().take(examples, *registry)) {
    auto* const delegate = dynamic_cast<DeviceDelegate*>(share.provider);
    if (delegate && delegate->has_device(device_id)) return delegate;
  }
  return nullptr;
}

}  // namespace hearth::core
