// SPDX-License-Identifier: Apache-2.0
#include "domains/people/seen_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "domains/entities/domain_services.h"
#include "domains/entities/kinds.h"
#include "domains/people/zones.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;

constexpr std::string_view kIntegration = "device_tracker", kAtHome = "home", kAway = "not_home";
constexpr std::size_t kMaxText = 255;  // bytes of each text

std::string_view field_text(const json::object& data, std::string_view key) {
  const json::value* const value = data.if_contains(key);
  return value ? std::string_view(value->get_string()) : std::string_view();
}

}  // namespace

SeenDevices::SeenDevices(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  core::ServiceDescription description = describe(kDeviceTracker, kDeviceTracker.services.front());
  description.has_target = false;
  service_ =
      hub.services.add(std::move(description), [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
        if (auto seen = see(call); !seen) return reply(std::unexpected(seen.error()));
        reply(json::value());
      });
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) { restore(); });
}

void SeenDevices::restore() {
  const auto registry = hub_.registry.snapshot();
  for (const auto& [entity_id, known] : registry->entities) {
    if (known.integration != kIntegration || !registry->enabled(known)) continue;
    const core::StatePtr last = hub_.states.find(entity_id);
    auto added = add(known.unique_id, known.original_name.value_or(known.unique_id));
    if (!added) {
      base::log_warning("domains", "{} is left out: {}", entity_id, added.error().message);
      continue;
    }
    if (last) (*added)->thing->report(restored(kDeviceTracker, {}, *last));
    const json::value source = (*added)->thing->attribute("source_type");
    if ((*added)->thing->reported() == kAtHome && source == "router") expect(**added);
  }
}

base::Result<SeenDevices::Tracker*> SeenDevices::add(std::string_view id, std::string_view name) {
  EntityInfo info{.integration = std::string(kIntegration),
                  .unique_id = std::string(id),
                  .object_id = std::string(id),
                  .name = std::string(name)};
  const auto added = entities_.add(std::make_unique<Thing>(kDeviceTracker, std::move(info)));
  if (!added) return std::unexpected(added.error());
  return &trackers_.emplace(id, Tracker{*added}).first->second;
}

void SeenDevices::expect(Tracker& tracker) {
  tracker.leaves = hub_.bus.schedule(kStaysHome, [thing = tracker.thing] { thing->report({.value = kAway}); });
}

base::Result<std::string> SeenDevices::id_of(const json::object& data) const {
  const std::string_view dev_id = field_text(data, "dev_id"), mac = field_text(data, "mac"),
                         host = field_text(data, "host_name");
  if (dev_id.empty() && !mac.empty()) {
    const auto known = std::ranges::find_if(trackers_, [&](const auto& entry) {
      const json::value& value = entry.second.thing->attribute("mac");
      return value.is_string() && core::lower_case(value.get_string()) == core::lower_case(mac);
    });
    if (known != trackers_.end()) return known->first;
  }
  const std::string_view named = !dev_id.empty() ? dev_id : !host.empty() ? host : mac;
  std::string id = core::slugify(named);
  if (id.empty()) return base::fail(ErrorCode::invalid, "dev_id, mac: expected one of them, with letters or digits.");
  return id;
}

base::Result<void> SeenDevices::see(const core::ServiceCall& call) {
  const json::object& data = call.data();
  for (const char* const key : {"dev_id", "mac", "host_name", "location_name"}) {
    if (field_text(data, key).size() > kMaxText)
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected at most {} bytes", key, kMaxText));
  }
  const auto id = id_of(data);
  if (!id) return std::unexpected(id.error());

  json::object attributes;
  for (const char* const key : {"mac", "host_name"})
    if (const json::value* const value = data.if_contains(key)) attributes[key] = *value;
  if (const json::value* const battery = data.if_contains("battery")) attributes["battery_level"] = *battery;
  std::string place(field_text(data, "location_name"));
  const json::value* const gps = data.if_contains("gps");
  if (gps) {
    const json::array& numbers = gps->get_array();
    const json::value* const accuracy = data.if_contains("gps_accuracy");
    const Position position{numbers[0].to_number<double>(), numbers[1].to_number<double>(),
                            accuracy ? accuracy->to_number<double>() : 0};
    if (std::abs(position.latitude) > 90) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("gps: expected a latitude from -90 to 90, got {}", position.latitude));
    }
    attributes["latitude"] = position.latitude;
    attributes["longitude"] = position.longitude;
    attributes["gps_accuracy"] = position.accuracy;
    if (place.empty()) place = zone_at(hub_, position).value_or(std::string(kAway));
  }
  attributes["source_type"] = gps ? "gps" : "router";
  const bool by_presence = place.empty();

  auto known = trackers_.find(*id);
  if (known == trackers_.end()) {
    if (trackers_.size() >= kMaxDevices)
      return base::fail(ErrorCode::full, fmt::format("There are {} such devices already.", kMaxDevices));
    const std::string_view host = field_text(data, "host_name");
    auto added = add(*id, host.empty() ? *id : host);
    if (!added) return std::unexpected(added.error());
    known = trackers_.find(*id);
  }
  Tracker& tracker = known->second;
  tracker.leaves = {};
  tracker.thing->report({.value = by_presence ? std::string(kAtHome) : place, .attributes = std::move(attributes)},
                        &call.context());
  if (by_presence) expect(tracker);
  return {};
}

}  // namespace hearth::domains
