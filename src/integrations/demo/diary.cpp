// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/diary.h"

#include "domains/entities/local_time.h"

namespace hearth::integrations::demo {
namespace {

struct Plan {
  const char* summary;
  int days;                                     // from now
  const char *start = nullptr, *end = nullptr;  // null: the whole day
  const char* location = "";
};

constexpr Plan kPlans[] = {{"Paper collection", 1},
                           {"Dinner with Ada", 2, "19:00", "22:00", "At home"},
                           {"Piano lesson", 3, "16:30", "17:15", "School of music"},
                           {"Chimney sweep", 9, "08:00", "10:00"},
                           {"Holidays", 20}};
// For a home at rest, which is always the same.
constexpr const char* kStillDay = "2036-06-01";

std::vector<json::object> first_events(const World& world) {
  const std::string zone = world.time_zone();
  const std::string today = world.still() ? kStillDay : domains::local_time_text(world.now(), zone).substr(0, 10);
  const auto moment = [&](const std::string& day, const char* time) {
    return domains::local_time_text(domains::parse_local_time(day + ' ' + time, zone).value(), zone);
  };
  std::vector<json::object> events;
  for (const Plan& plan : kPlans) {
    const std::string day = domains::next_day(today, plan.days);
    events.push_back({{"summary", plan.summary},
                      {"start", plan.start ? moment(day, plan.start) : day},
                      {"end", plan.end ? moment(day, plan.end) : domains::next_day(day)},
                      {"location", plan.location}});
  }
  return events;
}

}  // namespace

Diary::Diary(World& world, const domains::EntityInfo& info) : calendar_(world.registry(), world.bus()) {
  const bool first = !world.known(domains::kCalendar, info);
  calendar_.attach(world.add(domains::kCalendar, world.remembered(domains::kCalendar, info, domains::Report()), info,
                             {.features = domains::Calendar::kFeatures}, &calendar_),
                   first ? first_events(world) : std::vector<json::object>());
}

}  // namespace hearth::integrations::demo
