// SPDX-License-Identifier: Apache-2.0
#include "fleet/registry_mirror.h"

#include <fmt/format.h>

#include <vector>

#include "base/json/json_fields.h"
#include "base/log/log.h"

namespace hearth::fleet {
namespace {

using base::Result;
using core::OptionalText;
using core::RegisteredEntity;

OptionalText optional(const std::string& text) {
  return text.empty() ? OptionalText() : OptionalText(text);
}

std::string unique_id(std::string_view site, const core::EntityId& there) {
  return fmt::format("{}.{}", site, there.str());
}

}  // namespace

std::string device_id_here(std::string_view site, std::string_view id_there) {
  return fmt::format("{}.{}.{}", core::kFleetIntegration, site, id_there);
}

std::string RegistryMirror::id_there(const RegisteredEntity& entity) {
  return entity.unique_id.substr(entity.unique_id.find('.') + 1);
}

Result<void> RegistryMirror::load() {
  if (places_) return {};
  places_.emplace();
  const auto data = hub_.registry.snapshot();
  const core::Item* const item = data->find_item(core::kFleetSites, site_);
  if (!item) return {};
  // A floor or an area that somebody has removed is made again.
  if (auto id = base::text_at(item->fields, "floor_id"); data->floors.contains(id)) places_->floor_id = std::move(id);
  if (auto id = base::text_at(item->fields, "area_id"); data->areas.contains(id)) places_->area_id = std::move(id);
  if (const auto* const areas = base::value_at(item->fields, "areas").if_object()) {
    for (const auto& [there, here] : *areas) {
      if (here.is_string() && data->areas.contains(std::string_view(here.get_string())))
        places_->areas.emplace(there, here.get_string());
    }
  }
  saved_ = places_;
  return {};
}

Result<void> RegistryMirror::save() {
  if (saved_ == places_) return {};
  json::object areas;
  for (const auto& [there, here] : places_->areas) areas[there] = here;
  auto saved = save_item({{"floor_id", places_->floor_id}, {"area_id", places_->area_id}, {"areas", std::move(areas)}});
  if (saved) saved_ = places_;
  return saved;
}

Result<void> RegistryMirror::save_item(json::object fields) {
  const auto context = core::Context::create(hub_.clock.now());
  const std::string collection(core::kFleetSites);
  const bool known = hub_.registry.snapshot()->find_item(core::kFleetSites, site_) != nullptr;
  auto saved = known ? hub_.registry.update_item(collection, site_, std::move(fields), {}, context, core::IfFull::wait)
                     : hub_.registry.create_item(collection, site_, std::move(fields), context, core::IfFull::wait);
  if (!saved) return std::unexpected(std::move(saved.error()));
  return {};
}

std::string RegistryMirror::make_area(const std::string& name, const OptionalText& icon) {
  const core::Area area = hub_.registry.ensure_area(name, places_->floor_id, icon);
  if (!area.labels.contains(site_)) {
    core::AreaEdit edit;
    edit.labels = area.labels;
    edit.labels->insert(site_);
    const auto edited = hub_.registry.update_area(area.id, std::move(edit), core::Context::create(hub_.clock.now()));
    if (!edited) base::log_warning("fleet", "the area {} has no label {}: {}", name, site_, edited.error().message);
  }
  return area.id;
}

Result<void> RegistryMirror::make_places(const SiteRegistry& registry) {
  if (auto loaded = load(); !loaded) return loaded;
  if (places_->floor_id.empty()) places_->floor_id = hub_.registry.ensure_floor(registry.name).id;
  if (places_->area_id.empty()) places_->area_id = make_area(registry.name, {});
  for (const auto& [there, area] : registry.areas) {
    if (!places_->areas.contains(there))
      places_->areas[there] = make_area(fmt::format("{} {}", registry.name, area.name), area.icon);
  }
  return save();
}

const std::string& RegistryMirror::area_here(const std::string& id_there) const {
  const auto found = places_->areas.find(id_there);
  return found == places_->areas.end() ? places_->area_id : found->second;
}

void RegistryMirror::put_devices(const SiteRegistry& registry) {
  const auto data = hub_.registry.snapshot();
  core::Texts gone;
  for (const auto& [id, device] : data->devices) {
    const std::string prefix = device_id_here(site_, "");
    if (device.integration == core::kFleetIntegration && id.starts_with(prefix) &&
        !registry.devices.contains(id.substr(prefix.size())))
      gone.insert(id);
  }
  if (!gone.empty()) hub_.registry.forget_devices(gone);
  for (const auto& [there, given] : registry.devices) {
    core::Device device;
    device.id = device_id_here(site_, there);
    device.integration = core::kFleetIntegration;
    device.name = optional(given.name);
    device.manufacturer = optional(given.manufacturer);
    device.model = optional(given.model);
    device.sw_version = optional(given.sw_version);
    device.hw_version = optional(given.hw_version);
    device.identifiers = {{std::string(core::kFleetIntegration), fmt::format("{}.{}", site_, there)}};
    device.area_id = area_here(given.area_id);
    device.labels = {site_};
    hub_.registry.put_device(std::move(device));
  }
}

Result<core::EntityId> RegistryMirror::put_entity(const core::EntityId& there, const SiteRegistry::Entity* described) {
  const auto wanted = core::EntityId::parse(fmt::format("{}.{}_{}", there.domain(), site_, there.object_id()));
  if (!wanted) return std::unexpected(wanted.error());
  RegisteredEntity entity;
  entity.unique_id = unique_id(site_, there);
  entity.integration = core::kFleetIntegration;
  entity.labels = {site_};
  if (described) {
    entity.original_name = optional(described->name);
    entity.original_icon = optional(described->icon);
    entity.original_device_class = optional(described->device_class);
    entity.entity_category = optional(described->entity_category);
    if (!described->device_id.empty()) entity.device_id = device_id_here(site_, described->device_id);
    if (!described->area_id.empty() || described->device_id.empty()) entity.area_id = area_here(described->area_id);
    if (described->hidden) entity.hidden_by = core::ChangedBy::integration;
  } else {
    entity.area_id = places_->area_id;
  }
  const auto put = hub_.registry.put_entity(*wanted, std::move(entity));
  if (!put) return std::unexpected(put.error());
  return core::EntityId::parse(put->entity_id);
}

Result<core::EntityId> RegistryMirror::entity(const core::EntityId& there) {
  const auto data = hub_.registry.snapshot();
  const auto* const known = data->find_entity(core::kFleetIntegration, there.domain(), unique_id(site_, there));
  if (known && known->provided) return core::EntityId::parse(known->entity_id);
  if (auto loaded = load(); !loaded) return std::unexpected(std::move(loaded.error()));
  if (places_->area_id.empty()) {
    // Its states came before its registry.
    if (auto made = make_places({site_, site_, {}, {}, {}}); !made) return std::unexpected(std::move(made.error()));
  }
  return put_entity(there, nullptr);
}

bool RegistryMirror::is_it(const RegisteredEntity& entity, const core::EntityId& there) const {
  return entity.provided && core::site_of(entity) == site_ &&
         std::string_view(entity.unique_id).substr(site_.size() + 1) == there.str();
}

void RegistryMirror::forget_missing(const SiteRegistry& registry) {
  const auto data = hub_.registry.snapshot();
  std::vector<std::string> gone;
  for (const auto& [id, entity] : data->entities) {
    if (core::site_of(entity) == site_ && !registry.entities.contains(id_there(entity)) && !hub_.states.find(id))
      gone.push_back(entity.id);
  }
  for (const std::string& id : gone) hub_.registry.forget_entity(id);
}

Result<void> RegistryMirror::forget() {
  if (auto loaded = load(); !loaded) return loaded;
  const auto context = core::Context::create(hub_.clock.now());
  const auto data = hub_.registry.snapshot();
  for (const auto& [id, entity] : data->entities) {
    if (core::site_of(entity) != site_) continue;
    static_cast<void>(hub_.states.remove(id, context));
    hub_.registry.forget_entity(entity.id);
  }
  put_devices({site_, site_, {}, {}, {}});
  const auto left = hub_.registry.snapshot();
  std::vector<std::string> areas{places_->area_id};
  for (const auto& [there, here] : places_->areas) areas.push_back(here);
  for (const std::string& id : areas) {
    if (left->entities_of_area.contains(id) || left->devices_of_area.contains(id) || !left->areas.contains(id))
      continue;
    if (auto deleted = hub_.registry.delete_area(id, context); !deleted) return deleted;
  }
  const auto rest = hub_.registry.snapshot();
  bool empty = rest->floors.contains(places_->floor_id);
  for (const auto& [id, area] : rest->areas) empty = empty && area.floor_id != places_->floor_id;
  if (empty) {
    if (auto deleted = hub_.registry.delete_floor(places_->floor_id, context); !deleted) return deleted;
  }
  places_.reset();
  saved_.reset();
  return save_item({{"forgotten", true}});
}

bool RegistryMirror::forgotten() const {
  const auto data = hub_.registry.snapshot();
  const core::Item* const item = data->find_item(core::kFleetSites, site_);
  return item && base::flag_at(item->fields, "forgotten");
}

Result<void> RegistryMirror::take_in_again() {
  return save_item({});
}

Result<void> RegistryMirror::receive(const SiteRegistry& registry) {
  if (auto made = make_places(registry); !made) return made;
  put_devices(registry);
  for (const auto& [id, described] : registry.entities) {
    const auto there = core::EntityId::parse(id);
    const auto put = there ? put_entity(*there, &described) : std::unexpected(there.error());
    if (!put) base::log_warning("fleet", "{} of {} is left out: {}", id, site_, put.error().message);
  }
  forget_missing(registry);
  return {};
}

}  // namespace hearth::fleet
