// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::array<std::string_view, 2> kNever{"zone.home", "sun.sun"};
constexpr std::array<std::string_view, 2> kNeverDomains{"persistent_notification", "conversation"};
constexpr std::array<std::string_view, 21> kLocalFirst{"zone",          "person",       "sun",
                                                       "automation",    "script",       "scene",
                                                       "input_boolean", "tts",          "input_datetime",
                                                       "input_number",  "input_text",   "assist_satellite",
                                                       "counter",       "input_select", "timer",
                                                       "schedule",      "input_button", "group",
                                                       "stt",           "wake_word",    "conversation"};
// Platforms of updates of the hub there itself.
constexpr std::array<std::string_view, 2> kOwnUpdates{"hassio", "homeassistant"};
// They mirror other hubs.
constexpr std::array<std::string_view, 2> kMirrors{"home_assistant", "remote_homeassistant"};
constexpr std::size_t kLongestUniqueId = 1'024;

bool is_one_of(const auto& all, std::string_view text) {
  return std::ranges::find(all, text) != all.end();
}

// Null if nothing is against it.
std::optional<Fate> against(std::string_view id, const Options& options) {
  const auto parsed = core::EntityId::parse(id);
  if (!parsed || parsed->str() != id || !id_here(id, options)) return Fate::invalid;
  if (is_one_of(kNever, id) || is_one_of(kNeverDomains, domain_of(id))) return Fate::left_out;
  return {};
}

bool came_from_elsewhere(const OtherEntity& entity, const Options& options, std::string_view own_uuid) {
  if (is_one_of(kMirrors, entity.platform) && entity.hops == 0) return true;
  if (!entity.mirrored_there && entity.hops == 0) return false;
  if (!options.transitive || entity.hops == 0 || entity.hops >= kMostHops) return true;
  return !entity.origin || entity.origin == own_uuid;
}

}  // namespace

std::string_view domain_of(std::string_view entity_id) {
  return entity_id.substr(0, entity_id.find('.'));
}

Fate fate_of(const OtherEntity& entity, std::string_view area_there, const std::vector<std::string>& labels_there,
             const Options& options, std::string_view own_uuid) {
  if (const auto fate = against(entity.entity_id, options)) return *fate;
  if (entity.unique_id.empty() || entity.unique_id.size() > kLongestUniqueId) return Fate::invalid;
  if (came_from_elsewhere(entity, options, own_uuid)) return Fate::mirrored_there;
  const MirrorFilter::Subject subject{.entity_id = entity.entity_id,
                                      .device_id = entity.device_id ? std::string_view(*entity.device_id) : "",
                                      .area_id = area_there,
                                      .platform = entity.platform,
                                      .labels = &labels_there};
  if (!options.filter.includes(subject)) return Fate::excluded;
  return entity.disabled_by ? Fate::disabled_there : Fate::mirrored;
}

Fate fate_of(std::string_view entity_id_there, const json::object& attributes, const Options& options) {
  if (const auto fate = against(entity_id_there, options)) return *fate;
  // A component that mirrors other hubs writes it.
  if (attributes.contains("unique_id")) return Fate::mirrored_there;
  return options.filter.includes({.entity_id = entity_id_there}) ? Fate::mirrored : Fate::excluded;
}

bool is_local_first(std::string_view id, std::string_view platform, const Options& options) {
  const std::string_view domain = domain_of(id);
  if (options.filter.asks_for_domain(domain)) return false;
  if (domain == "update") return is_one_of(kOwnUpdates, platform);
  return is_one_of(kLocalFirst, domain) || id.starts_with("event.backup_") || id.starts_with("sensor.backup_");
}

MirroredIdentity identity_of(const OtherEntity& entity, const Options& options, bool second) {
  const bool usable = core::is_slug(entity.platform) && entity.platform != core::kClientIntegration &&
                      entity.platform != core::kFleetIntegration && entity.platform != kIntegration;
  if (usable && !second) return {entity.platform, entity.unique_id};
  return {std::string(kIntegration), fmt::format("{}/{}/{}", options.name, entity.platform, entity.unique_id)};
}

MirroredIdentity identity_of(std::string_view entity_id_there, const Options& options) {
  return {std::string(kIntegration), fmt::format("{}/{}", options.name, entity_id_there)};
}

base::Result<core::EntityId> id_here(std::string_view id, const Options& options) {
  const std::size_t dot = id.find('.');
  if (dot == std::string_view::npos) return core::EntityId::parse(id);
  const std::string_view domain = id.substr(0, dot), object_id = id.substr(dot + 1);
  if (options.prefix.empty() || object_id.starts_with(options.prefix)) return core::EntityId::parse(id);
  return core::EntityId::parse(fmt::format("{}.{}{}", domain, options.prefix, object_id));
}

}  // namespace hearth::integrations::home_assistant
