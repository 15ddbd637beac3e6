// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/events/calendar_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/timestamp.h"
#include "domains/entities/kinds.h"
#include "domains/lists/calendar_answer.h"

namespace hearth::integrations::calendars {
namespace {

constexpr const char* kWriting = "create_event delete_event update_event";

}  // namespace

CalendarEntity::CalendarEntity(const domains::IntegrationHome& home, std::function<void()> refresh, Look look,
                               EventWriter* writer)
    : home_(home), refresh_(std::move(refresh)), look_(std::move(look)), writer_(writer) {}

base::Result<void> CalendarEntity::add(domains::EntityInfo info) {
  info.available = false;
  const domains::Abilities can{.features = writer_ ? kWriting : ""};
  auto added =
      home_.domains.entities().add(std::make_unique<domains::Thing>(domains::kCalendar, std::move(info), can, this));
  if (!added) return std::unexpected(std::move(added.error()));
  thing_ = *added;
  return {};
}

void CalendarEntity::show(EventsPtr events) {
  events_ = std::move(events);
  report();
  thing_->set_available(true);
}

void CalendarEntity::confirm() {
  if (events_) return report();
  thing_->report({});
}

void CalendarEntity::report() {
  // Also asks this often because the clock may be set.
  constexpr base::Duration kAtMost = std::chrono::hours(1);
  const base::Timestamp now = thing_->now();
  const std::vector<Events::Found> coming = events_->coming(now);
  base::Timestamp next = now + kAtMost;
  const auto found = std::ranges::find_if(coming, [&](const Events::Found& each) { return is_picked(*each.event); });
  const domains::series::Occurrence* shown = found == coming.end() ? nullptr : &found->occurrence;
  if (shown && look_.ahead > base::Duration() && shown->start > now + look_.ahead) {
    next = std::min(next, shown->start - look_.ahead);
    shown = nullptr;
  }
  if (shown) next = std::min(next, shown->start <= now ? shown->end : shown->start);
  thing_->report(domains::calendar_report(shown, now, thing_->time_zone()));
  next_ = home_.bus.schedule_at(next, [this] { report(); });
}

base::Result<json::object> CalendarEntity::answer(const domains::Action&, const json::object& data) {
  if (!events_ || !thing_->available()) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} has not been read yet, or its server does not answer.", thing_->entity_id()));
  }
  const auto time = [&](std::string_view key) { return base::parse_timestamp(data.at(key).get_string()).value(); };
  const auto found = events_->between(time("start"), time("end"));
  if (!found) return std::unexpected(found.error());
  json::array events;
  for (const Events::Found& each : *found) {
    if (!is_picked(*each.event)) continue;
    events.push_back(domains::event_answer(each.event->entry.uid, each.event->entry.fields, each.occurrence));
  }
  return json::object{{"events", std::move(events)}};
}

void CalendarEntity::act(const domains::Action& action, const json::object& data) {
  if (writer_) writer_->act(action, data, thing_->answer_later());
}

base::Result<void> CalendarEntity::check(const domains::Action& action, const json::object& data) const {
  return writer_ ? writer_->check(action, data) : base::Result<void>();
}

bool CalendarEntity::refresh() {
  refresh_();
  return true;
}

}  // namespace hearth::integrations::calendars
