// SPDX-License-Identifier: Apache-2.0
// Finds the entities, devices and services that an item names. Literal names only: those of a template are not known
// before it runs. Any thread.
#pragma once

#include "automation/home/home.h"
#include "automation/items/item.h"
#include "core/registry/item_references.h"

namespace hearth::automation {

using core::References;

References references_of(const Item& item);
// Of the item and its steps.
std::vector<DelegatedForm> delegated_conditions_of(const Item& item);

// References to things that are not there, for people: an entity id, "area hall" and so on. Bus thread.
std::vector<std::string> missing_of(const References& named, const Home& home);

}  // namespace hearth::automation
