// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/calendar.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "domains/lists/calendar_answer.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;

}  // namespace

void Calendar::attach(Thing& thing, const std::vector<json::object>& first) {
  items_.attach(thing);
  for (const json::object& fields : first) items_.add(series::changed({}, fields, thing.time_zone()).value());
  report();
}

base::Result<Calendar::Events> Calendar::between(base::Timestamp after, base::Timestamp before) const {
  const std::string zone = items_.thing()->time_zone();
  Events found{items_.list(), {}};
  for (const core::Item* const item : found.list.items) {
    series::each(item->fields, after, zone, [&](const series::Occurrence& each) {
      if (each.start < before) found.events.push_back({each, item});
      return each.start < before && found.events.size() <= kMaxOccurrences;
    });
    if (found.events.size() > kMaxOccurrences) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("end_date_time: there are more than {} events in this time.", kMaxOccurrences));
    }
  }
  sort(found.events);
  return found;
}

Calendar::Events Calendar::coming(base::Timestamp now) const {
  const std::string zone = items_.thing()->time_zone();
  Events found{items_.list(), {}};
  for (const core::Item* const item : found.list.items) {
    // Events under way, and the first after them.
    series::each(item->fields, now, zone, [&](const series::Occurrence& each) {
      found.events.push_back({each, item});
      return each.start <= now && found.events.size() <= kMaxOccurrences;
    });
  }
  sort(found.events);
  return found;
}

void Calendar::sort(std::vector<Event>& events) {
  std::ranges::sort(events, {}, [](const Event& event) {
    return std::tie(event.occurrence.start, event.occurrence.end, event.item->id);
  });
}

void Calendar::report() {
  // Also asks this often because the time zone may change.
  constexpr base::Duration kAtMost = std::chrono::hours(1);
  Thing& thing = *items_.thing();
  const base::Timestamp now = thing.now();
  const Events coming = this->coming(now);
  const series::Occurrence* const event = coming.events.empty() ? nullptr : &coming.events.front().occurrence;
  base::Timestamp next = now + kAtMost;
  if (event) next = std::min(next, event->start <= now ? event->end : event->start);
  thing.report(calendar_report(event, now, thing.time_zone()));
  next_ = schedule_at_(next, [this] { this->report(); });
}

base::Result<void> Calendar::check(const Action& action, const json::object& data) const {
  if (auto good = check_event_texts(data); !good) return good;
  if (action.service == "create_event") {
    const auto made = series::changed({}, data, items_.thing()->time_zone());
    if (!made) return std::unexpected(made.error());
    return items_.fits(*made);
  }
  if (!data.contains(series::kUid)) return {};
  const auto plan = this->plan(action, data);
  if (!plan) return std::unexpected(plan.error());
  if (plan->update) {
    if (auto good = items_.fits(*plan->update, std::string(data.at(series::kUid).get_string())); !good) return good;
  }
  return plan->create ? items_.fits(*plan->create) : base::Result<void>();
}

base::Result<series::Plan> Calendar::plan(const Action& action, const json::object& data) const {
  const std::string_view uid = data.at(series::kUid).get_string();
  const EntityItems::List list = items_.list();
  const auto item = std::ranges::find(list.items, uid, &core::Item::id);
  if (item == list.items.end())
    return base::fail(ErrorCode::invalid, fmt::format("uid: there is no event {}.", base::utf8_excerpt(uid)));
  if (action.service == "delete_event") return series::plan_delete((*item)->fields, data);
  return series::plan_update((*item)->fields, data, items_.thing()->time_zone());
}

void Calendar::act(const Action& action, const json::object& data) {
  if (action.service == "create_event") {
    if (auto made = series::changed({}, data, items_.thing()->time_zone())) items_.add(std::move(*made));
  } else if (auto plan = this->plan(action, data)) {
    const std::string uid(data.at(series::kUid).get_string());
    if (plan->create) items_.add(std::move(*plan->create));
    if (plan->update)
      items_.update(uid, std::move(*plan->update));
    else
      items_.remove({&uid, 1});
  }
  report();
}

base::Result<json::object> Calendar::answer(const Action&, const json::object& data) {
  const auto time = [&](std::string_view key) { return base::parse_timestamp(data.at(key).get_string()).value(); };
  const auto found = between(time("start"), time("end"));
  if (!found) return std::unexpected(found.error());
  json::array events;
  for (const Event& event : found->events)
    events.push_back(event_answer(event.item->id, event.item->fields, event.occurrence));
  return json::object{{"events", std::move(events)}};
}

}  // namespace hearth::domains
