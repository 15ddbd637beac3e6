// SPDX-License-Identifier: Apache-2.0
// The shopping list of the demo home. Bus thread only.
#pragma once

#include "domains/todo_list.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Shopping final : public Appliance {
 public:
  Shopping(World& world, const domains::EntityInfo& info) {
    list_.attach(world.add(domains::kTodo, {.value = list_.open_items()}, info,
                           {.features = domains::TodoList::kFeatures}, &list_));
  }

 private:
  domains::TodoList list_{{"Bread", "Oat milk", "Batteries", "Light bulbs"}};
};

}  // namespace hearth::integrations::demo
