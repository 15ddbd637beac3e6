// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/calendar.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "domains/entities/local_time.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;

bool is_all_day(std::string_view start) {
  return start.size() == 10;  // 2026-04-20
}

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
    // Those under way, and the first after them.
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
  Report report{.value = "off",
                .attributes = {{"message", nullptr},
                               {"all_day", nullptr},
                               {"start_time", nullptr},
                               {"end_time", nullptr},
                               {"location", nullptr},
                               {"description", nullptr}}};
  base::Timestamp next = now + kAtMost;
  if (!coming.events.empty()) {
    const series::Occurrence& event = coming.events.front().occurrence;
    const json::object& fields = *event.fields;
    const bool under_way = event.start <= now;
    const auto local = [&](base::Timestamp time) {
      std::string text = local_time_text(time, thing.time_zone()).substr(0, 19);
      text[10] = ' ';
      return text;
    };
    report.value = under_way ? "on" : "off";
    report.attributes["message"] = fields.at("summary");
    report.attributes["all_day"] = is_all_day(event.start_text);
    report.attributes["start_time"] = local(event.start);
    report.attributes["end_time"] = local(event.end);
    for (const std::string_view key : {"location", "description"}) {
      if (const json::value* const value = fields.if_contains(key)) report.attributes[key] = *value;
    }
    next = std::min(next, under_way ? event.end : event.start);
  }
  thing.report(std::move(report));
  next_ = schedule_at_(next, [this] { this->report(); });
}

base::Result<void> Calendar::check(const Action& action, const json::object& data) const {
  for (const std::string_view key : {"summary", "description", "location"}) {
    const json::value* const value = data.if_contains(key);
    if (!value) continue;
    if (value->get_string().size() > kMaxTextBytes)
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected at most {} bytes.", key, kMaxTextBytes));
    if (key == "summary" && value->get_string().empty())
      return base::fail(ErrorCode::invalid, "summary: expected a text that is not empty.");
  }
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
  for (const Event& event : found->events) {
    json::object made{{series::kUid, event.item->id}};
    for (const std::string_view key : series::kTexts) {
      if (const json::value* const value = event.occurrence.fields->if_contains(key)) made[key] = *value;
    }
    made["start"] = event.occurrence.start_text;
    made["end"] = event.occurrence.end_text;
    if (!event.occurrence.recurrence_id.empty()) {
      made[series::kId] = event.occurrence.recurrence_id;
      made[series::kRule] = event.item->fields.at(series::kRule);
    }
    events.push_back(std::move(made));
  }
  return json::object{{"events", std::move(events)}};
}

}  // namespace hearth::domains
