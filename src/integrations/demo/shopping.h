// SPDX-License-Identifier: Apache-2.0
// The shopping list of the demo home. Bus thread only.
#pragma once

#include "domains/lists/todo_list.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

class Shopping final : public Appliance {
 public:
  Shopping(World& world, const domains::EntityInfo& info) : list_(world.registry()) {
    const bool first = !world.known(domains::kTodo, info);
    list_.attach(
        world.add(domains::kTodo, world.remembered(domains::kTodo, info, domains::Report()), info,
                  {.features = domains::TodoList::kFeatures}, &list_),
        first ? std::vector<std::string>{"Bread", "Oat milk", "Batteries", "Light bulbs"} : std::vector<std::string>());
  }

 private:
  domains::TodoList list_;
};

}  // namespace hearth::integrations::demo
