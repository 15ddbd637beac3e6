// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/registry_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/registry/registry.h"
#include "core/values/entity_id.h"
#include "core/values/words.h"
#include "import_ha/steps/item_reader.h"
#include "import_ha/steps/registry_items.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr std::string_view kEntityRegistry = "core.entity_registry", kDeviceRegistry = "core.device_registry",
                           kAreaRegistry = "core.area_registry", kFloorRegistry = "core.floor_registry",
                           kLabelRegistry = "core.label_registry", kCategoryRegistry = "core.category_registry";
// Parts of the old hub itself: Hearth has its own, or none.
constexpr core::Words kLeftPlatforms{"backup demo hassio recorder sun"};

bool is_left(std::string_view platform, std::string_view entity_id) {
  return kLeftPlatforms.contains(platform) && !entity_id.starts_with("sun.");
}

// The abilities of an entity, as the old hub last knew them.
json::object abilities_of(const json::object& item) {
  json::object abilities;
  for (const char* const key : {"capabilities", "supported_features", "unit_of_measurement"}) {
    const json::value* const value = item.if_contains(key);
    if (value && !value->is_null() && *value != json::value(0)) abilities[key] = *value;
  }
  return abilities;
}

}  // namespace

struct RegistryStep::Files {
  std::optional<StorageFile> floors, areas, labels, categories, devices, entities;
};

Result<void> RegistryStep::run() {
  Files files;
  for (const auto& [name, file] :
       {std::pair(kFloorRegistry, &files.floors), std::pair(kAreaRegistry, &files.areas),
        std::pair(kLabelRegistry, &files.labels), std::pair(kCategoryRegistry, &files.categories),
        std::pair(kDeviceRegistry, &files.devices), std::pair(kEntityRegistry, &files.entities)}) {
    auto read = source_.read_storage(name, report_);
    if (!read) return std::unexpected(std::move(read.error()));
    *file = std::move(*read);
  }
  if (!files.entities) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("There is no .storage/{}: without it no entity is known.", kEntityRegistry));
  }
  if (files.floors) take_floors(files.floors->data, files.floors->file);
  if (files.labels) take_labels(files.labels->data, files.labels->file);
  if (files.categories) take_categories(files.categories->data, files.categories->file);
  if (files.areas) take_areas(files.areas->data, files.areas->file, files.areas->minor);
  if (files.devices) take_devices(files.devices->data, files.devices->file);
  take_entities(files.entities->data, files.entities->file,
                files.entities->major > 1 ? std::numeric_limits<int>::max() : files.entities->minor);
  connect_devices();
  if (files.devices) take_removed_devices(files.devices->data, files.devices->file);
  take_removed_entities(files.entities->data, files.entities->file);
  data_.add_missing_labels(base::Timestamp());
  return {};
}

void RegistryStep::take_devices(const json::value& data, const std::string& file) {
  for (const json::object* const each : items_of(data, "devices", "device", file, report_)) {
    ItemReader item(*each);
    core::Device device{.id = item.needed_text("id")};
    bool odd = false;
    device.identifiers = pairs_of(item, "identifiers", odd);
    device.connections = pairs_of(item, "connections", odd);
    if (!device.identifiers.empty()) device.integration = device.identifiers.begin()->first;
    if (const json::array* const list = item.array("identifiers"); list && !list->empty()) {
      const json::array* const first = list->front().if_array();
      if (first && !first->empty() && first->front().is_string())
        device.integration = std::string(first->front().get_string());
    }
    device.name = item.text("name");
    device.manufacturer = item.text("manufacturer");
    device.model = item.text("model");
    device.model_id = item.text("model_id");
    device.sw_version = item.text("sw_version");
    device.hw_version = item.text("hw_version");
    device.serial_number = item.text("serial_number");
    device.via_device_id = item.text("via_device_id");
    device.configuration_url = item.text("configuration_url");
    device.entry_type = item.text("entry_type");
    device.name_by_user = item.text("name_by_user");
    device.area_id = item.text("area_id");
    device.labels = item.texts("labels");
    device.disabled_by = item.changed_by("disabled_by");
    device.created_at = item.time("created_at");
    device.modified_at = item.time("modified_at");
    if (item.broken()) {
      report_.add(broken_thing("device", device.id, item, file));
      continue;
    }
    std::string comment = item.complaint();
    if (odd) report_.note(fmt::format("{}: identifiers with more or fewer than two parts are joined.", file));
    if (device.area_id && !data_.areas.contains(*device.area_id)) {
      add_text(comment, fmt::format("its area {} is not there", *device.area_id));
      device.area_id.reset();
    }
    if (kLeftPlatforms.contains(device.integration)) {
      report_.add({.what = "device",
                   .id = device.id,
                   .name = device.name.value_or(""),
                   .fate = Fate::left,
                   .why = Why::no_integration,
                   .text = "Hearth has its own of this kind",
                   .platform = device.integration,
                   .file = file});
      continue;
    }
    if (const core::Device* const here = data_.devices.find(device.id)) {
      report_.add(duplicate_thing("device", device.id, compared(*here), compared(device), file));
      continue;
    }
    devices_.push_back({device.id, std::move(comment), file});
    data_.set(std::move(device));
  }
}

void RegistryStep::take_entities(const json::value& data, const std::string& file, int minor) {
  constexpr int kOwnClass = 8;  // below it `device_class` is what the integration said, but for two domains
  for (const json::object* const each : items_of(data, "entities", "entity", file, report_)) {
    ItemReader item(*each);
    core::RegisteredEntity entity{.entity_id = item.needed_text("entity_id")};
    entity.unique_id = item.unique_id("unique_id");
    entity.integration = item.needed_text("platform");
    const auto parsed = core::EntityId::parse(entity.entity_id);
    if (item.broken() || !parsed || parsed->str() != entity.entity_id) {
      Thing thing = broken_thing("entity", entity.entity_id, item, file);
      thing.platform = entity.integration;
      if (!item.broken()) thing.text = "not an entity id";
      report_.add(std::move(thing));
      continue;
    }
    entity.id = item.text("id").value_or("");
    if (entity.id.empty()) entity.id = made_registry_id(entity.integration, entity.domain(), entity.unique_id);
    const OldEntity old{entity.entity_id, entity.id, entity.unique_id, entity.integration};
    old_.entities.push_back(old);
    old_.entity_ids[old.id] = old.entity_id;
    entity.original_name = item.text("original_name");
    entity.original_icon = item.text("original_icon");
    entity.original_device_class = item.text("original_device_class");
    entity.device_id = item.text("device_id");
    entity.translation_key = item.text("translation_key");
    entity.entity_category = item.text("entity_category");
    if (entity.entity_category == "system") entity.entity_category.reset();
    entity.has_entity_name = item.truth("has_entity_name");
    entity.name = item.text("name");
    entity.icon = item.text("icon");
    if (minor >= kOwnClass || entity.domain() == "binary_sensor" || entity.domain() == "cover")
      entity.device_class = item.text("device_class");
    entity.area_id = item.text("area_id");
    entity.labels = item.texts("labels");
    entity.aliases = item.texts("aliases");
    for (const auto& [scope, id] : item.object("categories")) {
      if (id.is_string() && data_.find_item(core::kCategories, id.get_string()))
        entity.categories[std::string(scope)] = std::string(id.get_string());
    }
    entity.disabled_by = item.changed_by("disabled_by");
    entity.hidden_by = item.changed_by("hidden_by");
    entity.options = item.object("options");
    entity.abilities = abilities_of(*each);
    entity.created_at = item.time("created_at");
    entity.modified_at = item.time("modified_at");
    std::string comment = item.complaint();
    if (base::to_json(entity.options).size() > core::Registry::kMaxOptions) {
      add_text(comment, "its options are too large and left");
      entity.options.clear();
    }
    if (is_left(old.platform, old.entity_id)) {
      report_.add({.what = "entity",
                   .id = entity.entity_id,
                   .fate = Fate::left,
                   .why = Why::no_integration,
                   .text = "Hearth has its own of this kind",
                   .platform = entity.integration,
                   .file = file});
      continue;
    }
    if (entity.area_id && !data_.areas.contains(*entity.area_id)) {
      add_text(comment, fmt::format("its area {} is not there", *entity.area_id));
      entity.area_id.reset();
    }
    if (entity.device_id && !data_.devices.contains(*entity.device_id)) {
      add_text(comment, fmt::format("its device {} is not there", *entity.device_id));
      entity.device_id.reset();
    }
    const core::RegisteredEntity* here = data_.entities.find(entity.entity_id);
    if (!here) here = data_.find_entity(entity.integration, entity.domain(), entity.unique_id);
    if (!here) here = data_.find_entity_by_id(entity.id);
    if (here) {
      Thing thing = duplicate_thing("entity", entity.entity_id, compared(*here), compared(entity), file);
      thing.platform = entity.integration;
      report_.add(std::move(thing));
      continue;
    }
    entities_.push_back({entity.entity_id, std::move(comment), file});
    data_.set(std::move(entity));
  }
}

// This needs all devices and entities: by which device one is reached, and the integration of one without identifiers.
void RegistryStep::connect_devices() {
  for (Taken& taken : devices_) {
    core::Device device = data_.devices.at(taken.id);
    if (device.via_device_id && !data_.devices.contains(*device.via_device_id)) {
      add_text(taken.comment, fmt::format("the device {} on its way is not there", *device.via_device_id));
      device.via_device_id.reset();
    }
    if (device.integration.empty()) {
      if (const auto* const entities = data_.entities_of_device.find(device.id); entities && !entities->empty())
        device.integration = entities->begin()->second.integration;
    }
    data_.set(std::move(device));
  }
}

void RegistryStep::tell(const std::function<bool(const core::RegisteredEntity&)>& provides,
                        const std::function<std::string(std::string_view platform)>& instead) {
  for (const Taken& taken : entities_) {
    const core::RegisteredEntity* const entity = data_.entities.find(taken.id);
    if (!entity) continue;
    Thing thing{
        .what = "entity", .id = taken.id, .text = taken.comment, .platform = entity->integration, .file = taken.file};
    thing.name = data_.friendly_name(*entity);
    if (!provides(*entity)) {
      thing.fate = Fate::reserved;
      thing.why = Why::no_provider;
      thing.instead = instead(entity->integration);
    }
    report_.add(std::move(thing));
  }
  for (const Taken& taken : devices_) {
    const core::Device* const device = data_.devices.find(taken.id);
    if (!device) continue;
    Thing thing{
        .what = "device", .id = taken.id, .text = taken.comment, .platform = device->integration, .file = taken.file};
    thing.name = (device->name_by_user ? device->name_by_user : device->name).value_or("");
    const auto* const entities = data_.entities_of_device.find(taken.id);
    if (!entities || std::ranges::none_of(*entities, [&](const auto& each) { return provides(each.second); })) {
      thing.fate = Fate::reserved;
      thing.why = Why::no_provider;
      thing.instead = instead(device->integration);
    }
    report_.add(std::move(thing));
  }
}

}  // namespace hearth::import_ha
