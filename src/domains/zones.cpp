// SPDX-License-Identifier: Apache-2.0
#include "domains/zones.h"

#include "base/log.h"
#include "domains/kinds.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kZones = "zone";

Report report_of(const core::Item& item) {
  Report report{.value = 0, .attributes = {{"persons", json::array()}, {"editable", true}}};
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

}  // namespace

Zones::Zones(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) { follow(); });
  updates_ = hub.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) {
    if (event.registry_change && event.registry_change->collection == kZones) follow();
  });
}

void Zones::follow() {
  const auto registry = hub_.registry.snapshot();
  std::erase_if(zones_, [&](const auto& zone) {
    if (registry->find_item(kZones, zone.first)) return false;
    entities_.remove(zone.second->entity_id());
    return true;
  });
  for (const core::Item* const item : registry->items_of(kZones)) {
    const auto known = zones_.find(item->id);
    if (known != zones_.end()) {
      entities_.describe(*known->second, info_of(*item));
      known->second->report(report_of(*item));
      continue;
    }
    auto zone = std::make_unique<Thing>(kZone, info_of(*item));
    zone->report(report_of(*item));
    if (const auto added = entities_.add(std::move(zone)))
      zones_.emplace(item->id, *added);
    else
      base::log_warning("domains", "the zone {} is left out: {}", item->id, added.error().message);
  }
}

}  // namespace hearth::domains
