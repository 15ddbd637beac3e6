// SPDX-License-Identifier: Apache-2.0
// The entries of the registry that go with an integration which a home gives up. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "core/registry/item_references.h"
#include "core/registry/registry_data.h"

namespace hearth::core {

struct IntegrationParts {
  Texts devices, entities;  // entities by entity id
  // Areas that have some of these, and nothing else; floors that have only such areas. Those that an automation or a
  // script names stay.
  Texts areas, floors;
};

IntegrationParts parts_of_integration(const RegistryData& data, std::string_view integration,
                                      const std::vector<ItemReferences>& items);

}  // namespace hearth::core
