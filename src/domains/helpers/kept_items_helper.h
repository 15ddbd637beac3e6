// SPDX-License-Identifier: Apache-2.0
// To-do lists and calendars that people make: helpers with items of their own, which the hub keeps with the entity. Bus
// thread only.
#pragma once

#include "domains/helpers/helper_entity.h"
#include "domains/lists/calendar.h"
#include "domains/lists/todo_list.h"

namespace hearth::domains {

// `Device` is what keeps the items, and does the entity's commands.
template <class Device>
class KeptItemsHelper : public HelperEntity {
 public:
  // `needs`: what the device needs.
  template <class... Needs>
  KeptItemsHelper(core::Hub& hub, core::Item item, bool editable, Needs&... needs)
      : HelperEntity(hub, std::move(item), editable), device_(needs...) {}

  void act(const Action& action, const json::object& data) final { device_.act(action, data); }
  base::Result<void> check(const Action& action, const json::object& data) const final {
    return device_.check(action, data);
  }
  base::Result<json::object> answer(const Action& action, const json::object& data) final {
    return device_.answer(action, data);
  }

 private:
  // As it was, until its items are read.
  Report first(const Kind& kind, const core::State* last) final { return last ? restored(kind, {}, *last) : Report(); }
  Abilities abilities() const final { return {.features = Device::kFeatures}; }
  void added_to_home(EntityTable&) final { device_.attach(*thing_); }
  void show() final {}  // its name and icon are the entity's

  Device device_;
};

class TodoListHelper final : public KeptItemsHelper<TodoList> {
 public:
  TodoListHelper(core::Hub& hub, core::Item item, bool editable)
      : KeptItemsHelper(hub, std::move(item), editable, hub.registry) {}
};

class CalendarHelper final : public KeptItemsHelper<Calendar> {
 public:
  CalendarHelper(core::Hub& hub, core::Item item, bool editable)
      : KeptItemsHelper(hub, std::move(item), editable, hub.registry, hub.bus) {}
};

}  // namespace hearth::domains
