// SPDX-License-Identifier: Apache-2.0
#include "domains/zones.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/log.h"
#include "core/entity_id.h"
#include "domains/kinds.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kZones = "zone", kHome = "home", kPersonIds = "person.";
constexpr double kEarthRadius = 6'371'008.8;  // metres, mean (IUGG)
constexpr double kHomeRadius = 100;           // metres

Report report_of(const core::Item& item) {
  Report report{.attributes = {{"editable", !item.collection.empty()}}};
  for (const char* const key : {"latitude", "longitude", "radius", "passive"})
    report.attributes[key] = item.fields.at(key);
  return report;
}

EntityInfo info_of(const core::Item& item) {
  const json::value* const icon = item.fields.if_contains("icon");
  return {.integration = "zone",
          .unique_id = item.id,
          .object_id = item.id,
          .name = std::string(item.fields.at("name").get_string()),
          .icon = icon ? std::string(icon->get_string()) : std::string()};
}

// Whether a person whose state this is, is in the zone of that name.
bool is_there(std::string_view state, std::string_view id, std::string_view name) {
  if (id == kHome) return state == kHome;
  return state != kHome && core::lower_case(state) == core::lower_case(name);
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

double square(double number) {
  return number * number;
}

}  // namespace

// By the haversine formula.
double distance(const Position& from, const Position& to) {
  const double across = square(std::sin(radians(to.latitude - from.latitude) / 2));
  const double along = square(std::sin(radians(to.longitude - from.longitude) / 2));
  const double half = across + std::cos(radians(from.latitude)) * std::cos(radians(to.latitude)) * along;
  return 2 * kEarthRadius * std::asin(std::min(1.0, std::sqrt(half)));
}

std::optional<std::string> zone_at(core::Hub& hub, const Position& position) {
  std::optional<std::string> found;
  double smallest = std::numeric_limits<double>::infinity();
  const auto consider = [&](std::string_view name, const Position& centre, double radius) {
    if (radius >= smallest || distance(position, centre) - position.accuracy >= radius) return;
    smallest = radius;
    found = name;
  };
  const auto registry = hub.registry.snapshot();
  for (const core::Item* const item : registry->items_of(kZones)) {
    const auto number = [item](std::string_view key) { return item->fields.at(key).to_number<double>(); };
    if (item->fields.at("passive").get_bool()) continue;
    consider(item->id == kHome ? kHome : std::string_view(item->fields.at("name").get_string()),
             {number("latitude"), number("longitude")}, number("radius"));
  }
  const auto config = hub.config.load();
  if (!registry->find_item(kZones, kHome)) consider(kHome, {config->latitude, config->longitude}, kHomeRadius);
  return found;
}

Zones::Zones(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) {
    started_ = true;
    follow();
    find_persons();
  });
  registered_ = hub.bus.listen(core::event_type::kEntityRegistryUpdated, [this](const core::Event& event) {
    const auto& change = event.registry_change;
    if (!started_ || !change) return;
    if (change->id.starts_with(kPersonIds) || change->former_entity_id.starts_with(kPersonIds)) find_persons();
  });
  moves_ = hub.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) {
    if (started_) follow();
  });
  updates_ = hub.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) {
    if (event.registry_change && event.registry_change->collection == kZones) follow();
  });
}

std::vector<core::Item> Zones::zones() const {
  std::vector<core::Item> zones;
  const auto registry = hub_.registry.snapshot();
  if (!registry->find_item(kZones, kHome)) {
    const auto config = hub_.config.load();
    zones.push_back({.collection = {},
                     .id = std::string(kHome),
                     .fields = {{"name", config->location_name},
                                {"latitude", config->latitude},
                                {"longitude", config->longitude},
                                {"radius", kHomeRadius},
                                {"icon", "mdi:home"},
                                {"passive", false}}});
  }
  for (const core::Item* const item : registry->items_of(kZones)) zones.push_back(*item);
  return zones;
}

void Zones::follow() {
  const std::vector<core::Item> items = zones();
  std::erase_if(zones_, [&](const auto& zone) {
    if (std::ranges::find(items, zone.first, &core::Item::id) != items.end()) return false;
    entities_.remove(zone.second->entity_id());
    return true;
  });
  for (const core::Item& item : items) {
    const auto known = zones_.find(item.id);
    if (known != zones_.end()) {
      entities_.describe(*known->second, info_of(item));
      known->second->report(report_of(item));
      continue;
    }
    auto zone = std::make_unique<Thing>(kZone, info_of(item));
    Report first = report_of(item);
    first.value = 0;
    first.attributes["persons"] = json::array();
    zone->report(std::move(first));
    if (const auto added = entities_.add(std::move(zone)))
      zones_.emplace(item.id, *added);
    else
      base::log_warning("domains", "the zone {} is left out: {}", item.id, added.error().message);
  }
  count(core::Context::create(hub_.clock.now()));
}

void Zones::find_persons() {
  persons_.clear();
  for (const auto& [id, entity] : hub_.registry.snapshot()->entities)
    if (id.starts_with(kPersonIds)) persons_.push_back(id);
  listening_ = hub_.entity_listeners.listen(
      persons_, [this](const core::StateChange&, const core::Event& event) { count(event.context); });
  count(core::Context::create(hub_.clock.now()));
}

void Zones::count(const core::Context& context) {
  const auto states = hub_.states.snapshot();
  for (const auto& [id, zone] : zones_) {
    json::array there;
    for (const std::string& person : persons_) {
      const core::StatePtr state = states->find(person);
      if (state && is_there(state->value(), id, zone->info().name)) there.emplace_back(person);
    }
    if (zone->attribute("persons") == json::value(there)) continue;
    const auto number = static_cast<std::int64_t>(there.size());
    zone->report({.value = number, .attributes = {{"persons", std::move(there)}}}, &context);
  }
}

}  // namespace hearth::domains
