// SPDX-License-Identifier: Apache-2.0
// The entity of a calendar of another place. Bus thread only.
#pragma once

#include <functional>
#include <string>

#include "domains/entities/thing.h"
#include "domains/integration.h"
#include "integrations/calendars/events/events.h"

namespace hearth::integrations::calendars {

// Changes events at their server.
class EventWriter {
 public:
  virtual ~EventWriter() = default;
  // Fails with invalid; all that can be known without the server.
  virtual base::Result<void> check(const domains::Action& action, const json::object& data) const = 0;
  // `owed`: what the server says to it.
  virtual void act(const domains::Action& action, const json::object& data, domains::CommandAnswer owed) = 0;
};

// The events that an entity has.
struct Look {
  base::Duration ahead = {};  // an event that begins later than this is not shown by the state; zero: any
  std::function<bool(const json::object& fields)> filter = {};  // null: all
};

class CalendarEntity final : public domains::ThingDevice {
 public:
  // `home` must outlive it. `refresh`: asks the server soon.
  CalendarEntity(const domains::IntegrationHome& home, std::function<void()> refresh, Look look = {},
                 EventWriter* writer = nullptr);

  // Adds it to the home, unavailable. Fails as EntityTable::add.
  base::Result<void> add(domains::EntityInfo info);
  // It is available with these events.
  void show(EventsPtr events);
  // Reports once more what it has: the server has answered, and a call may wait for that.
  void confirm();
  void set_unavailable() { thing_->set_available(false); }
  const EventsPtr& events() const { return events_; }
  domains::Thing& thing() const { return *thing_; }

  base::Result<json::object> answer(const domains::Action& action, const json::object& data) override;
  void act(const domains::Action& action, const json::object& data) override;
  base::Result<void> check(const domains::Action& action, const json::object& data) const override;
  bool refresh() override;

 private:
  void report();
  bool is_picked(const Event& event) const { return !look_.filter || look_.filter(event.entry.fields); }

  const domains::IntegrationHome& home_;
  const std::function<void()> refresh_;
  const Look look_;
  EventWriter* const writer_;
  domains::Thing* thing_ = nullptr;
  EventsPtr events_;
  core::Timer next_;
};

}  // namespace hearth::integrations::calendars
