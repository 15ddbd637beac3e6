// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/calendar_watch.h"

#include <algorithm>
#include <tuple>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "domains/entities/local_time.h"

namespace hearth::automation {
namespace {

using templates::Value;

constexpr base::Duration kAhead = std::chrono::hours(1);  // how far it looks at a time
constexpr std::size_t kDayLength = 10;                    // of 2026-04-20

bool is_day(std::string_view text) {
  return text.size() == kDayLength;
}

}  // namespace

CalendarWatch::CalendarWatch(const Trigger& trigger, Home& home, Fire fire)
    : trigger_(trigger),
      kind_(std::get<CalendarTrigger>(trigger.kind)),
      home_(home),
      fire_(std::move(fire)),
      done_(home.hub.clock.now()) {
  changes_ = home.hub.entity_listeners.listen({kind_.entity_id},
                                              [this](const core::StateChange&, const core::Event&) { look(); });
  edits_ = home.events.listen({std::string(core::event_type::kCollectionUpdated)}, [this](const core::Event& event) {
    if (event.registry_change) look();
  });
  look();
}

std::vector<CalendarWatch::Due> CalendarWatch::due(base::Timestamp after, base::Timestamp until) const {
  std::vector<Due> all;
  // An event that begins or ends at the moment; a second more, because the ends of a span do not count.
  constexpr base::Duration kMargin = std::chrono::seconds(1);
  base::Result<json::array> events;
  try {
    events =
        home_.ports->calendar_events(kind_.entity_id, after - kind_.offset - kMargin, until - kind_.offset + kMargin);
  } catch (const std::exception& thrown) {
    base::log_error("automation", "{} could not be read: {}", kind_.entity_id, thrown.what());
  }
  if (!events) return all;
  const std::string zone = home_.hub.config.load()->time_zone;
  for (json::value& each : *events) {
    json::object& event = each.as_object();
    const std::string text = base::text_at(event, kind_.start ? "start" : "end");
    const base::Timestamp moment =
        is_day(text) ? domains::start_of_day(text, zone) : base::parse_timestamp(text).value_or(base::Timestamp());
    const base::Timestamp at = moment + kind_.offset;
    if (at > after && at <= until)
      all.push_back({at, base::text_at(event, "uid") + base::text_at(event, "recurrence_id"), std::move(event)});
  }
  std::ranges::sort(all, {}, [](const Due& each) { return std::tie(each.at, each.uid); });
  return all;
}

void CalendarWatch::look() {
  const base::Timestamp now = home_.hub.clock.now(), until = now + kAhead;
  base::Timestamp next = until;
  for (const Due& each : due(done_, until)) {
    if (each.at > now) {
      next = each.at;
      break;
    }
    if (std::ranges::find(fired_, each.uid) != fired_.end()) continue;
    fired_.push_back(each.uid);
    if (fired_.size() > kMaxFired) fired_.pop_front();
    fire(each);
  }
  // A clock that was set back makes nothing fire twice.
  done_ = std::max(done_, now);
  next_ = home_.hub.bus.schedule_at(next, [this] { look(); });
}

std::vector<TriggerWatch::MissedTime> CalendarWatch::missed(base::Timestamp after, base::Timestamp until,
                                                            std::size_t most) {
  std::vector<MissedTime> all;
  for (Due& each : due(after, until)) {
    const DueTime at{each.at};
    all.push_back({at, trigger_.id, [this, missed_event = std::move(each)] { fire(missed_event); }});
  }
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
  return all;
}

void CalendarWatch::fire(const Due& due) {
  const json::object& event = due.event;
  templates::Dict told;
  for (const char* const key : {"summary", "start", "end", "description", "location"}) {
    const json::value& value = base::value_at(event, key);
    told.set(key, value.is_null() ? Value("") : Value::from_json(json::value(value)));
  }
  told.set("all_day", Value(is_day(base::text_at(event, "start"))));
  fire_({.trigger = trigger_value(trigger_, {{"entity_id", Value(kind_.entity_id)},
                                             {"event", Value(kind_.start ? "start" : "end")},
                                             {"offset", Value(templates::TimeDelta{kind_.offset.count()})},
                                             {"calendar_event", Value::dict(std::move(told))}}),
         .source = "calendar " + kind_.entity_id,
         .due = DueTime{due.at}},
        home_.now());
}

}  // namespace hearth::automation
