// SPDX-License-Identifier: Apache-2.0
// A calendar that the hub itself keeps: the device behind a `calendar` entity that has no other. Bus thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "domains/entities/integration_bus.h"
#include "domains/lists/calendar_series.h"
#include "domains/lists/entity_items.h"

namespace hearth::domains {

class Calendar final : public ThingDevice {
 public:
  static constexpr std::size_t kMaxTextBytes = 4'096;
  static constexpr std::size_t kMaxOccurrences = 10'000;  // in one answer
  static constexpr const char* kFeatures = "create_event delete_event update_event";

  // Both must outlive it.
  Calendar(core::Registry& registry, IntegrationBus& bus)
      : items_(registry), schedule_at_([&bus](base::Timestamp time, core::EventBus::Task task) {
          return bus.schedule_at(time, std::move(task));
        }) {}
  Calendar(core::Registry& registry, core::EventBus& bus)
      : items_(registry), schedule_at_([&bus](base::Timestamp time, core::EventBus::Task task) {
          return bus.schedule_at(time, std::move(task));
        }) {}
  // Call once the entity is in the home. `first`: the events of a new one, with the fields of an event.
  void attach(Thing& thing, const std::vector<json::object>& first = {});

  // {"events": [{"uid", "summary", "start", "end"} and "description", "location" if it has them; "recurrence_id" and
  // "rrule" of one that recurs]}, in the order of their starts. `start` and `end` are days, or times with the home's
  // offset.
  base::Result<json::object> answer(const Action& action, const json::object& data) override;
  void act(const Action& action, const json::object& data) override;
  base::Result<void> check(const Action& action, const json::object& data) const override;

 private:
  struct Event {
    series::Occurrence occurrence;
    const core::Item* item;
  };
  struct Events {
    EntityItems::List list;  // keeps the items alive
    std::vector<Event> events;
  };

  // The events that have not ended at `after` and begin before `before`, in the order of their starts. Fails with
  // invalid if they are too many.
  base::Result<Events> between(base::Timestamp after, base::Timestamp before) const;
  // Likewise: those that are under way, and of each event the next time.
  Events coming(base::Timestamp now) const;
  static void sort(std::vector<Event>& events);
  // The effect of an update or a delete. REQUIRES: the data have a uid. Fails with invalid.
  base::Result<series::Plan> plan(const Action& action, const json::object& data) const;
  // Reports the present event or the next, and waits until that changes.
  void report();

  EntityItems items_;
  std::function<core::Timer(base::Timestamp, core::EventBus::Task)> schedule_at_;
  core::Timer next_;
};

}  // namespace hearth::domains
