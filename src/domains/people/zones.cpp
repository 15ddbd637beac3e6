// SPDX-License-Identifier: Apache-2.0
#include "domains/people/zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/geodesy.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kZones = "zone", kHome = "home", kPersonIds = "person.";
constexpr double kHomeRadius = 100;  // metres

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

// True if a person whose state this is, is in the zone of that name.
bool is_there(std::string_view state, std::string_view id, std::string_view name) {
  if (id == kHome) return state == kHome;
  return state != kHome && core::lower_case(state) == core::lower_case(name);
}

}  // namespace

double distance(const Position& from, const Position& to) {
  return base::metres_between(from.latitude, from.longitude, to.latitude, to.longitude);
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
  // The others are known by what their entities show.
  const core::RegisteredEntity* const home = registry->find_entity(kZones, kZones, kHome);
  const bool people_have_home = registry->find_item(kZones, kHome) != nullptr;
  bool has_home = people_have_home;
  hub.states.snapshot()->for_each([&](const core::State& state) {
    if (state.domain() != kZones) return;
    const json::object shown = state.attributes();
    const auto number = [&](std::string_view key) {
      const json::value* const value = shown.if_contains(key);
      return value && value->is_number() ? std::optional(value->to_number<double>()) : std::nullopt;
    };
    const auto latitude = number("latitude"), longitude = number("longitude"), radius = number("radius");
    if (!latitude || !longitude || !radius || base::flag_at(shown, "passive")) return;
    if (!shown.contains("editable") || base::flag_at(shown, "editable")) return;
    const bool is_home = home && state.entity_id() == home->entity_id;
    if (is_home && people_have_home) return;
    has_home = has_home || is_home;
    consider(is_home ? std::string(kHome) : base::text_at(shown, "friendly_name"), {*latitude, *longitude}, *radius);
  });
  const auto config = hub.config.load();
  if (!has_home) consider(kHome, {config->latitude, config->longitude}, kHomeRadius);
  return found;
}

Zones::Zones(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) {
    started_ = true;
    find_persons();  // first: where a person is again after a restart, the zone says so from its first state on
    follow();
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
    if (started_ && event.registry_change && event.registry_change->collection == kZones) follow();
  });
}

std::vector<core::Item> Zones::zones() const {
  std::vector<core::Item> zones;
  const auto registry = hub_.registry.snapshot();
  const bool files_have_home = std::ranges::find(of_files_, kHome, &core::Item::id) != of_files_.end();
  if (!files_have_home && !registry->find_item(kZones, kHome)) {
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
  for (core::Item item : of_files_) {
    const std::string given = item.id;
    if (given == kHome && registry->find_item(kZones, kHome)) continue;  // people have moved it
    for (int next = 2; std::ranges::find(zones, item.id, &core::Item::id) != zones.end(); ++next)
      item.id = fmt::format("{}_{}", given, next);
    zones.push_back(std::move(item));
  }
  return zones;
}

void Zones::apply(const std::vector<HelperItem>& items, bool complete) {
  const std::vector<core::Item> former = std::exchange(of_files_, {});
  const auto stays = [&](const core::Item& item) {
    const auto named = std::ranges::find(items, item.id, &HelperItem::id);
    return named == items.end() ? !complete : !named->error.empty();
  };
  std::ranges::copy_if(former, std::back_inserter(of_files_), stays);
  // Without a collection: nobody can edit it.
  for (const HelperItem& item : items)
    if (item.error.empty()) of_files_.push_back({.collection = {}, .id = item.id, .fields = item.fields});
  if (started_) follow();
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
    json::array there = persons_in(item.id, zone->info().name);
    first.value = static_cast<std::int64_t>(there.size());
    first.attributes["persons"] = std::move(there);
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

json::array Zones::persons_in(std::string_view id, std::string_view name) const {
  const auto states = hub_.states.snapshot();
  json::array there;
  for (const std::string& person : persons_) {
    const core::StatePtr state = states->find(person);
    if (state && is_there(state->value(), id, name)) there.emplace_back(person);
  }
  return there;
}

void Zones::count(const core::Context& context) {
  for (const auto& [id, zone] : zones_) {
    json::array there = persons_in(id, zone->info().name);
    if (zone->attribute("persons") == json::value(there)) continue;
    const auto number = static_cast<std::int64_t>(there.size());
    zone->report({.value = number, .attributes = {{"persons", std::move(there)}}}, &context);
  }
}

}  // namespace hearth::domains
