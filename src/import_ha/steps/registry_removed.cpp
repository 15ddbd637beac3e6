// SPDX-License-Identifier: Apache-2.0
// Of the registry: devices and entities that were deleted there. They are what they were if they come back.
#include <fmt/format.h>

#include "core/values/entity_id.h"
#include "import_ha/steps/item_reader.h"
#include "import_ha/steps/registry_items.h"
#include "import_ha/steps/registry_step.h"

namespace hearth::import_ha {

void RegistryStep::take_removed_devices(const json::value& data, const std::string& file) {
  for (const json::object* const each : items_of(data, "deleted_devices", "deleted_device", file, report_)) {
    ItemReader item(*each);
    core::Device device{.id = item.needed_text("id")};
    bool odd = false;
    device.identifiers = pairs_of(item, "identifiers", odd);
    device.connections = pairs_of(item, "connections", odd);
    if (!device.identifiers.empty()) device.integration = device.identifiers.begin()->first;
    device.area_id = item.text("area_id");
    device.labels = item.texts("labels");
    device.name_by_user = item.text("name_by_user");
    if (!item.truth("disabled_by_undefined")) device.disabled_by = item.changed_by("disabled_by");
    device.created_at = item.time("created_at");
    device.modified_at = item.time("modified_at");
    if (item.broken() || data_.devices.contains(device.id)) {
      report_.count("deleted_devices", Fate::left);
      continue;
    }
    data_.removed.add(std::move(device));
    report_.count("deleted_devices", Fate::reserved);
  }
}

void RegistryStep::take_removed_entities(const json::value& data, const std::string& file) {
  for (const json::object* const each : items_of(data, "deleted_entities", "deleted_entity", file, report_)) {
    ItemReader item(*each);
    core::RegisteredEntity entity{.entity_id = item.needed_text("entity_id")};
    entity.unique_id = item.unique_id("unique_id");
    entity.integration = item.needed_text("platform");
    const auto parsed = core::EntityId::parse(entity.entity_id);
    const bool usable = !item.broken() && parsed && parsed->str() == entity.entity_id &&
                        !data_.entities.contains(entity.entity_id) &&
                        !data_.find_entity(entity.integration, entity.domain(), entity.unique_id);
    if (!usable) {
      report_.count("deleted_entities", Fate::left);
      continue;
    }
    entity.id = item.text("id").value_or("");
    if (entity.id.empty()) entity.id = made_registry_id(entity.integration, entity.domain(), entity.unique_id);
    old_.entity_ids.try_emplace(entity.id, entity.entity_id);
    const auto known = [&](const char* key) { return !item.truth(fmt::format("{}_undefined", key)); };
    entity.name = item.text("name");
    entity.icon = item.text("icon");
    entity.device_class = item.text("device_class");
    entity.area_id = item.text("area_id");
    entity.labels = item.texts("labels");
    entity.aliases = item.texts("aliases");
    for (const auto& [scope, id] : item.object("categories"))
      if (id.is_string()) entity.categories[std::string(scope)] = std::string(id.get_string());
    if (known("disabled_by")) entity.disabled_by = item.changed_by("disabled_by");
    if (known("hidden_by")) entity.hidden_by = item.changed_by("hidden_by");
    if (known("options")) entity.options = item.object("options");
    entity.created_at = item.time("created_at");
    entity.modified_at = item.time("modified_at");
    data_.removed.add(std::move(entity));
    report_.count("deleted_entities", Fate::reserved);
  }
}

}  // namespace hearth::import_ha
