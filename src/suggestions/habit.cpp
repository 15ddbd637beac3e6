// SPDX-License-Identifier: Apache-2.0
#include "suggestions/habit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "base/text/timestamp.h"
#include "suggestions/past.h"

namespace hearth::suggestions {
namespace {

struct Hours {
  When when;
  std::string_view name, after, before;
};
constexpr std::array kHours{Hours{When::any, "any", "", ""},
                            Hours{When::dark, "dark", "", ""},
                            Hours{When::morning, "morning", "05:00:00", "10:00:00"},
                            Hours{When::day, "day", "10:00:00", "17:00:00"},
                            Hours{When::evening, "evening", "17:00:00", "23:00:00"},
                            Hours{When::night, "night", "23:00:00", "05:00:00"},
                            Hours{When::workdays, "workdays", "", ""},
                            Hours{When::weekend, "weekend", "", ""}};
constexpr std::array<std::string_view, 4> kCauses{"state", "time", "sunrise", "sunset"};

const Hours& hours_of(When when) {
  return kHours[static_cast<std::size_t>(when)];
}

std::string clock_text(base::Duration time) {
  const long long seconds = std::llabs(time.count()) / 1'000'000;
  return fmt::format("{}{:02}:{:02}:{:02}", time.count() < 0 ? "-" : "", seconds / 3600, seconds / 60 % 60,
                     seconds % 60);
}

json::array conditions_of(When when) {
  const Hours& hours = hours_of(when);
  if (when == When::dark) return {json::object{{"condition", "sun"}, {"after", "sunset"}, {"before", "sunrise"}}};
  if (when == When::workdays || when == When::weekend) {
    return {json::object{{"condition", "time"},
                         {"weekday", when == When::weekend ? json::array{"sat", "sun"}
                                                           : json::array{"mon", "tue", "wed", "thu", "fri"}}}};
  }
  if (hours.after.empty()) return {};
  return {json::object{{"condition", "time"}, {"after", hours.after}, {"before", hours.before}}};
}

// True if the name stands in the text by itself: "hall" does not in "light.hall", "light.hall" does in
// "states.light.hall.state".
bool has_name(std::string_view text, std::string_view name) {
  const bool is_id = name.contains('.');
  const auto goes_on = [&](std::size_t at) {
    if (at >= text.size()) return false;
    const char each = text[at];
    return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '_' || (each == '.' && !is_id);
  };
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1))
    if ((at == 0 || !goes_on(at - 1)) && !goes_on(at + name.size())) return true;
  return false;
}

// True if the name stands anywhere in it, as a whole value or a part of a template.
bool names(const json::value& value, std::string_view text) {
  if (text.empty()) return false;
  if (value.is_string()) return has_name(value.get_string(), text);
  if (const auto* const list = value.if_array()) {
    for (const json::value& each : *list)
      if (names(each, text)) return true;
  }
  if (const auto* const object = value.if_object()) {
    for (const auto& [key, each] : *object)
      if (has_name(key, text) || names(each, text)) return true;
  }
  return false;
}

void collect_services(const json::value& value, std::vector<std::string_view>& services) {
  if (const auto* const list = value.if_array()) {
    for (const json::value& each : *list) collect_services(each, services);
  }
  const auto* const object = value.if_object();
  if (!object) return;
  for (const auto& [key, each] : *object) {
    if (key == "action" && each.is_string())
      services.emplace_back(each.get_string());
    else
      collect_services(each, services);
  }
}

// True if all that the steps do is the opposite of what the habit does.
bool does_opposite(const json::value& actions, std::string_view service) {
  std::vector<std::string_view> services;
  collect_services(actions, services);
  return !services.empty() &&
         std::ranges::all_of(services, [&](std::string_view each) { return is_opposite(each, service); });
}

bool has_value(const json::value& value, std::string_view key, std::string_view text) {
  if (const auto* const list = value.if_array()) {
    for (const json::value& each : *list)
      if (has_value(each, key, text)) return true;
  }
  const auto* const object = value.if_object();
  const json::value* const found = object ? object->if_contains(key) : nullptr;
  return found && found->is_string() && std::string_view(found->get_string()) == text;
}

}  // namespace

std::string Habit::id() const {
  const std::string_view what = kCauses[static_cast<std::size_t>(cause)];
  // Of a time only the hour: it is found a few minutes earlier or later each week.
  const std::string of = cause == Cause::state  ? fmt::format("{}={}", cause_entity, cause_value)
                         : cause == Cause::time ? fmt::format("{}", offset.count() / 3'600'000'000)
                                                : "";
  return fmt::format("{} {} {}={}", what, of, entity_id, value);
}

json::object automation_of(const Habit& habit) {
  json::object trigger, action{{"action", habit.service}, {"target", json::object{{"entity_id", habit.entity_id}}}};
  switch (habit.cause) {
    case Habit::Cause::state:
      trigger = {{"trigger", "state"}, {"entity_id", habit.cause_entity}, {"to", habit.cause_value}};
      break;
    case Habit::Cause::time:
      trigger = {{"trigger", "time"}, {"at", clock_text(habit.offset)}};
      break;
    default:
      trigger = {{"trigger", "sun"}, {"event", kCauses[static_cast<std::size_t>(habit.cause)]}};
      if (habit.offset.count() != 0) trigger["offset"] = clock_text(habit.offset);
  }
  if (habit.service == "climate.set_hvac_mode") action["data"] = json::object{{"hvac_mode", habit.value}};
  return {{"triggers", json::array{std::move(trigger)}},
          {"conditions", conditions_of(habit.when)},
          {"actions", json::array{std::move(action)}}};
}

bool does_already(const json::value& automation, const Habit& habit, const Places& places) {
  const auto* const item = automation.if_object();
  if (!item) return false;
  const json::value *const triggers = item->if_contains("triggers"), *const actions = item->if_contains("actions");
  // An item that uses a blueprint has neither; its inputs name both.
  const json::value* const use = item->if_contains("use_blueprint");
  const auto anywhere = [&](const json::value* part, std::string_view text) {
    return (part && names(*part, text)) || (use && names(*use, text));
  };
  const bool reaches =
      anywhere(actions, habit.entity_id) || anywhere(actions, places.device) || anywhere(actions, places.area);
  if (!reaches || (actions && does_opposite(*actions, habit.service))) return false;
  if (habit.cause == Habit::Cause::state)
    return anywhere(triggers, habit.cause_entity) || anywhere(triggers, places.cause_device);
  if (!triggers) return false;
  for (const std::string_view platform : {"time", "time_pattern", "sun"})
    if (has_value(*triggers, "trigger", platform)) return true;
  return false;
}

json::object to_json_object(const Habit& habit) {
  json::array examples;
  for (const Habit::Occasion& each : habit.examples) {
    examples.push_back(json::object{
        {"cause", base::to_string(each.cause)},
        {"effect", each.effect ? json::value(json::string(base::to_string(*each.effect))) : json::value()}});
  }
  return {{"id", habit.id()},
          {"cause", kCauses[static_cast<std::size_t>(habit.cause)]},
          {"cause_entity", habit.cause_entity.empty() ? json::value() : json::value(json::string(habit.cause_entity))},
          {"cause_value", habit.cause_value.empty() ? json::value() : json::value(json::string(habit.cause_value))},
          {"offset", habit.offset.count() / 1'000'000},
          {"when", hours_of(habit.when).name},
          {"entity_id", habit.entity_id},
          {"value", habit.value},
          {"within", habit.within.count() / 1'000'000},
          {"hits", habit.hits},
          {"occasions", habit.occasions},
          {"days", habit.days},
          {"effects", habit.effects},
          {"lift", habit.lift},
          {"examples", std::move(examples)},
          {"config", automation_of(habit)}};
}

}  // namespace hearth::suggestions
