// SPDX-License-Identifier: Apache-2.0
// The entries of the registry that go with a connection which a home gives up. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "core/registry/item_references.h"
#include "core/registry/registry_data.h"
#include "core/values/connection.h"

namespace hearth::core {

struct IntegrationParts {
  Texts devices, entities;  // entities by entity id
  // Areas that have some of these, and nothing else; floors that have only such areas. Those that an automation or a
  // script names stay.
  Texts areas, floors;
};

IntegrationParts parts_of(const Connection& connection, const RegistryData& data,
                          const std::vector<ItemReferences>& items);
// Devices and entities of an integration, whichever connection brings them.
IntegrationParts parts_of_integration(const RegistryData& data, std::string_view integration,
                                      const std::vector<ItemReferences>& items);

}  // namespace hearth::core
