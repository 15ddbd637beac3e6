// SPDX-License-Identifier: Apache-2.0
#include "domains/people/calendar.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "domains/entities/local_time.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;

// The fields of an event.
constexpr std::string_view kFields[] = {"summary", "start", "end", "description", "location"};
constexpr std::size_t kDayLength = 10;  // of 2026-04-20

bool all_day(const core::Item& item) {
  return item.fields.at("start").get_string().size() == kDayLength;
}

base::Timestamp moment(const json::value& text, const std::string& zone) {
  const std::string_view view = text.get_string();
  return view.size() == kDayLength ? start_of_day(view, zone) : base::parse_timestamp(view).value_or(base::Timestamp());
}

// With what the call sets; an empty text takes a field away.
json::object changed_event(json::object fields, const json::object& data) {
  for (const std::string_view key : kFields) {
    const json::value* const value = data.if_contains(key);
    if (!value) continue;
    if (*value == "")
      fields.erase(key);
    else
      fields[key] = *value;
  }
  return fields;
}

}  // namespace

void Calendar::attach(Thing& thing, const std::vector<json::object>& first) {
  items_.attach(thing);
  for (const json::object& fields : first) items_.add(changed_event({}, fields));
  report();
}

Calendar::Events Calendar::between(base::Timestamp after, base::Timestamp before) const {
  const std::string zone = items_.thing()->time_zone();
  Events found{items_.list(), {}};
  for (const core::Item* const item : found.list.items) {
    const Event event{moment(item->fields.at("start"), zone), moment(item->fields.at("end"), zone), item};
    if (event.end > after && event.start < before) found.events.push_back(event);
  }
  std::ranges::sort(found.events, {},
                    [](const Event& event) { return std::tie(event.start, event.end, event.item->id); });
  return found;
}

void Calendar::report() {
  // Also asks this often because the time zone may change.
  constexpr base::Duration kAtMost = std::chrono::hours(1);
  Thing& thing = *items_.thing();
  const base::Timestamp now = thing.now();
  const Events coming = between(now, base::Timestamp::max());
  Report report{.value = "off",
                .attributes = {{"message", nullptr},
                               {"all_day", nullptr},
                               {"start_time", nullptr},
                               {"end_time", nullptr},
                               {"location", nullptr},
                               {"description", nullptr}}};
  base::Timestamp next = now + kAtMost;
  if (!coming.events.empty()) {
    const Event& event = coming.events.front();
    const json::object& fields = event.item->fields;
    const bool under_way = event.start <= now;
    const auto local = [&](base::Timestamp time) {
      std::string text = local_time_text(time, thing.time_zone()).substr(0, 19);
      text[kDayLength] = ' ';
      return text;
    };
    report.value = under_way ? "on" : "off";
    report.attributes["message"] = fields.at("summary");
    report.attributes["all_day"] = all_day(*event.item);
    report.attributes["start_time"] = local(event.start);
    report.attributes["end_time"] = local(event.end);
    for (const std::string_view key : {"location", "description"}) {
      if (const json::value* const value = fields.if_contains(key)) report.attributes[key] = *value;
    }
    next = std::min(next, under_way ? event.end : event.start);
  }
  thing.report(std::move(report));
  next_ = bus_.schedule_at(next, [this] { this->report(); });
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
  if (action.service == "create_event") return items_.fits(changed_event({}, data));
  if (!data.contains("uid")) return {};
  const std::string uid(data.at("uid").get_string());
  const EntityItems::List list = items_.list();
  const auto item = std::ranges::find(list.items, uid, &core::Item::id);
  if (item == list.items.end())
    return base::fail(ErrorCode::invalid, fmt::format("uid: there is no event {}.", base::utf8_excerpt(uid)));
  return items_.fits(changed_event((*item)->fields, data), uid);
}

void Calendar::act(const Action& action, const json::object& data) {
  if (action.service == "create_event") {
    items_.add(changed_event({}, data));
  } else {
    const std::string uid(data.at("uid").get_string());
    const EntityItems::List list = items_.list();
    const auto item = std::ranges::find(list.items, uid, &core::Item::id);
    if (item != list.items.end()) {
      if (action.service == "update_event")
        items_.update(uid, changed_event((*item)->fields, data));
      else
        items_.remove({&uid, 1});
    }
  }
  report();
}

base::Result<json::object> Calendar::answer(const Action&, const json::object& data) {
  const auto time = [&](std::string_view key) { return base::parse_timestamp(data.at(key).get_string()).value(); };
  const Events found = between(time("start"), time("end"));
  json::array events;
  for (const Event& event : found.events) {
    json::object made{{"uid", event.item->id}};
    for (const std::string_view key : kFields) {
      if (const json::value* const value = event.item->fields.if_contains(key)) made[key] = *value;
    }
    events.push_back(std::move(made));
  }
  return json::object{{"events", std::move(events)}};
}

}  // namespace hearth::domains
