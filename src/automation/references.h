// SPDX-License-Identifier: Apache-2.0
// What an item names: entities, devices, areas, floors and labels, and the services that it calls. Only what is written
// as such; what a template finds is not known before it runs. Any thread.
#pragma once

#include <set>
#include <string>

#include "automation/item.h"

namespace hearth::automation {

struct References {
  std::set<std::string> entities, devices, areas, floors, labels, services;
};

References references_of(const Item& item);

}  // namespace hearth::automation
