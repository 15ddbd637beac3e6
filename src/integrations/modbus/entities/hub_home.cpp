// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/hub_home.h"

#include <fmt/format.h>

#include <utility>

#include "base/log/log.h"
#include "core/values/units.h"
#include "domains/restored.h"

namespace hearth::integrations::modbus {
namespace {

std::string words_of(std::string_view name) {
  std::string made;
  for (const char c : name) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      made += c;
    else if (c >= 'A' && c <= 'Z')
      made += static_cast<char>(c - 'A' + 'a');
    else if (!made.empty() && made.back() != '_')
      made += '_';
  }
  while (made.ends_with('_')) made.pop_back();
  return made.empty() ? "modbus" : made;
}

// The last state, in the unit that the configuration says.
domains::Report report_of(const domains::Kind& kind, const core::State& last, const domains::Abilities& can) {
  domains::Report report = domains::restored(kind, {}, last);
  const json::value* const own = can.attributes.if_contains("unit_of_measurement");
  const json::object attributes = last.attributes();
  const json::value* const shown = attributes.if_contains("unit_of_measurement");
  if (!own || !shown || !shown->is_string() || *own == *shown || !report.value) return report;
  const auto converted = core::convert_unit_of(last.value(), shown->get_string(), own->get_string());
  report.value = converted ? domains::OptionalValue(*converted) : domains::OptionalValue();
  return report;
}

}  // namespace

domains::EntityInfo HubHome::info_of(std::string_view domain, const CommonOptions& options, std::int64_t part) const {
  domains::EntityInfo info{.integration = "modbus", .unique_id = options.unique_id, .object_id = {}, .name = {}};
  info.name = part == 0 ? options.name : fmt::format("{} {}", options.name, part);
  info.object_id = words_of(info.name);
  if (info.unique_id.empty()) info.unique_id = fmt::format("{}.{}.{}", hub_, domain, options.name);
  if (part > 0) info.unique_id += fmt::format("_{}", part);
  info.device_class = options.device_class;
  info.icon = options.icon;
  info.entry_id = home_.connection->entry_id;
  return info;
}

core::StatePtr HubHome::last_state(std::string_view domain, const std::string& unique_id) const {
  const auto registry = home_.hub.registry.snapshot();
  const auto* const known = registry->find_entity("modbus", domain, unique_id);
  return known ? home_.hub.states.find(known->entity_id) : nullptr;
}

template <class Entity>
Entity* HubHome::put(std::unique_ptr<Entity> entity) {
  const std::string name = entity->info().name;
  auto added = home_.domains.entities().add(std::move(entity));
  if (added) return *added;
  base::log_warning("modbus", "{}: {} is left out: {}", hub_, name, added.error().message);
  return nullptr;
}

domains::Thing* HubHome::add(const domains::Kind& kind, const CommonOptions& options, std::int64_t part,
                             domains::Abilities can, domains::ThingDevice* device) {
  domains::EntityInfo info = info_of(kind.domain, options, part);
  const auto last = last_state(kind.domain, info.unique_id);
  auto thing = std::make_unique<domains::Thing>(kind, std::move(info), can, device);
  if (last) thing->report(report_of(kind, *last, can));
  return put(std::move(thing));
}

domains::Light* HubHome::add_light(const CommonOptions& options, domains::LightDevice& device) {
  domains::EntityInfo info = info_of(domains::Light::kDomain, options, 0);
  const auto last = last_state(domains::Light::kDomain, info.unique_id);
  auto light = std::make_unique<domains::Light>(std::move(info), domains::LightCapabilities(), device);
  if (last && (last->value() == "on" || last->value() == "off"))
    light->report(domains::restored(domains::LightState(), *last));
  return put(std::move(light));
}

domains::Climate* HubHome::add_climate(const CommonOptions& options, domains::ClimateCapabilities can,
                                       domains::ClimateDevice& device) {
  domains::EntityInfo info = info_of(domains::Climate::kDomain, options, 0);
  const auto last = last_state(domains::Climate::kDomain, info.unique_id);
  auto climate = std::make_unique<domains::Climate>(std::move(info), std::move(can), device);
  if (last && last->value() != core::kUnknown) climate->report(domains::restored(domains::ClimateState(), *last));
  return put(std::move(climate));
}

void Trouble::say(std::string_view what, const RequestFailure& failure) {
  if (failure.message == told_) return;
  told_ = failure.message;
  base::log_warning("modbus", "{}: {}", what, failure.message);
}

void tell_call(const domains::CommandAnswer& owed, const Answer& answer) {
  if (answer)
    owed.done();
  else
    owed.refuse(answer.error().message);
}

}  // namespace hearth::integrations::modbus
