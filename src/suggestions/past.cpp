// SPDX-License-Identifier: Apache-2.0
#include "suggestions/past.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace hearth::suggestions {
namespace {

struct Service {
  std::string_view domain, value, service;
};
constexpr std::array kServices{
    Service{"light", "on", "light.turn_on"},      Service{"light", "off", "light.turn_off"},
    Service{"switch", "on", "switch.turn_on"},    Service{"switch", "off", "switch.turn_off"},
    Service{"fan", "on", "fan.turn_on"},          Service{"fan", "off", "fan.turn_off"},
    Service{"cover", "open", "cover.open_cover"}, Service{"cover", "closed", "cover.close_cover"},
    Service{"lock", "locked", "lock.lock"},
};
constexpr std::array<std::string_view, 7> kModes{"off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"};

std::vector<Event> events_of(const Past& past, bool effects, base::Duration pause) {
  std::vector<Event> events;
  for (std::size_t index = 0; index < past.entities.size(); ++index) {
    const PastEntity& entity = past.entities[index];
    if (!(effects ? entity.is_effect : entity.is_cause)) continue;
    std::map<std::uint16_t, std::vector<base::Timestamp>> times;
    for (std::size_t change = 1; change < entity.changes.size(); ++change) {
      const Occurrence &before = entity.changes[change - 1], &now = entity.changes[change];
      const std::string& value = entity.values[now.value];
      if (!is_known(entity.values[before.value]) || !is_known(value)) continue;
      if (effects && (!now.by_hand || service_for(entity.entity_id, value).empty())) continue;
      std::vector<base::Timestamp>& list = times[now.value];
      if (list.empty() || now.at - list.back() > pause) list.push_back(now.at);
    }
    for (auto& [value, list] : times) events.push_back({index, value, std::move(list)});
  }
  return events;
}

}  // namespace

bool is_known(const std::string& value) {
  return value != "unknown" && value != "unavailable" && !value.empty();
}

std::vector<Event> causes_of(const Past& past, base::Duration pause) {
  return events_of(past, false, pause);
}

std::vector<Event> effects_of(const Past& past) {
  return events_of(past, true, base::Duration(0));
}

const std::string* value_before(const PastEntity& entity, base::Timestamp time) {
  const auto next = std::ranges::lower_bound(entity.changes, time, {}, &Occurrence::at);
  return next == entity.changes.begin() ? nullptr : &entity.values[std::prev(next)->value];
}

std::string service_for(const std::string& entity_id, const std::string& value) {
  const std::string_view domain = std::string_view(entity_id).substr(0, entity_id.find('.'));
  if (domain == "climate") {
    const bool is_mode = std::ranges::find(kModes, std::string_view(value)) != kModes.end();
    return is_mode ? "climate.set_hvac_mode" : "";
  }
  for (const Service& each : kServices)
    if (each.domain == domain && each.value == value) return std::string(each.service);
  return {};
}

bool is_opposite(std::string_view other, std::string_view service) {
  const auto of = [](std::string_view name) { return std::ranges::find(kServices, name, &Service::service); };
  const auto one = of(service), found = of(other);
  return other != service && one != kServices.end() && found != kServices.end() && one->domain == found->domain;
}

}  // namespace hearth::suggestions
