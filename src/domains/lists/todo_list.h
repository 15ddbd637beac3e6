// SPDX-License-Identifier: Apache-2.0
// A to-do list that the hub itself keeps: the device behind a `todo` entity that has no other. Bus thread only.
#pragma once

#include <string>
#include <vector>

#include "domains/lists/entity_items.h"
#include "domains/lists/todo_items.h"

namespace hearth::domains {

class TodoList final : public ThingDevice {
 public:
  static constexpr std::size_t kMaxTextBytes = 4'096;
  static constexpr const char* kFeatures =
      "create_item delete_item update_item move_item set_due_date set_due_datetime set_description";

  explicit TodoList(core::Registry& registry) : items_(registry) {}
  // Call once the entity is in the home. `first`: what is to be done in a new one.
  void attach(Thing& thing, const std::vector<std::string>& first = {});

  // {"items": [{"uid", "summary", "status"} and "due", "description" if it has them]}.
  base::Result<json::object> answer(const Action& action, const json::object& data) override;
  void act(const Action& action, const json::object& data) override;
  base::Result<void> check(const Action& action, const json::object& data) const override;

 private:
  // In their order.
  EntityItems::List list() const;
  void move(const EntityItems::List& list, const json::object& data);
  void report();

  EntityItems items_;
};

}  // namespace hearth::domains
