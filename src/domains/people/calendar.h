// SPDX-License-Identifier: Apache-2.0
// A calendar that the hub itself keeps: the device behind a `calendar` entity that has no other. Bus thread only.
#pragma once

#include <string>
#include <vector>

#include "domains/entities/integration_bus.h"
#include "domains/people/entity_items.h"

namespace hearth::domains {

class Calendar final : public ThingDevice {
 public:
  static constexpr std::size_t kMaxTextBytes = 4'096;
  static constexpr const char* kFeatures = "create_event delete_event update_event";

  Calendar(core::Registry& registry, IntegrationBus& bus) : items_(registry), bus_(bus) {}
  // Call once the entity is in the home. `first`: the events of a new one, with the fields of an event.
  void attach(Thing& thing, const std::vector<json::object>& first = {});

  // {"events": [{"uid", "summary", "start", "end"} and "description", "location" if it has them]}, in the order of
  // their starts. `start` and `end` are days, or times with the home's offset.
  base::Result<json::object> answer(const Action& action, const json::object& data) override;
  void act(const Action& action, const json::object& data) override;
  base::Result<void> check(const Action& action, const json::object& data) const override;

 private:
  struct Event {
    base::Timestamp start, end;
    const core::Item* item;
  };
  struct Events {
    EntityItems::List list;  // keeps the items alive
    std::vector<Event> events;
  };

  // The events that have not ended at `after` and begin before `before`, in the order of their starts.
  Events between(base::Timestamp after, base::Timestamp before) const;
  // Reports the present event or the next, and waits until that changes.
  void report();

  EntityItems items_;
  IntegrationBus& bus_;
  core::Timer next_;
};

}  // namespace hearth::domains
