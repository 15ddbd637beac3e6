// SPDX-License-Identifier: Apache-2.0
// Of the registry: floors, areas, labels and categories.
#include <fmt/format.h>

#include <algorithm>

#include "core/registry/registry_edit.h"
#include "core/values/entity_id.h"
#include "import_ha/steps/item_reader.h"
#include "import_ha/steps/pictures.h"
#include "import_ha/steps/registry_items.h"
#include "import_ha/steps/registry_step.h"

namespace hearth::import_ha {
namespace {

// A name that no other area or floor has: the name itself, or with a number.
std::string free_name(const std::string& name, const auto& entries) {
  const auto taken = [&](const std::string& wanted) {
    return std::ranges::any_of(entries, [&](const auto& entry) { return core::same_name(entry.second.name, wanted); });
  };
  std::string free = name;
  for (int number = 2; taken(free); ++number) free = fmt::format("{} ({})", name, number);
  return free;
}

}  // namespace

void RegistryStep::take_floors(const json::value& data, const std::string& file) {
  int position = 0;
  for (const auto& [id, floor] : data_.floors) position = std::max(position, floor.position + 1);
  for (const json::object* const each : items_of(data, "floors", "floor", file, report_)) {
    ItemReader item(*each);
    core::Floor floor{.id = item.needed_text("floor_id"), .name = item.needed_text("name")};
    floor.level = item.integer("level");
    floor.icon = item.text("icon");
    floor.aliases = item.texts("aliases");
    floor.created_at = item.time("created_at");
    floor.modified_at = item.time("modified_at");
    if (item.broken()) {
      report_.add(broken_thing("floor", floor.id, item, file));
      continue;
    }
    if (const core::Floor* const here = data_.floors.find(floor.id)) {
      report_.add(duplicate_thing("floor", floor.id, compared(*here), compared(floor), file));
      continue;
    }
    floor.name = free_name(floor.name, data_.floors);
    floor.position = position++;
    report_.add({.what = "floor", .id = floor.id, .name = floor.name, .text = item.complaint(), .file = file});
    data_.floors.set(std::string(floor.id), floor);
  }
}

void RegistryStep::take_areas(const json::value& data, const std::string& file, int minor) {
  constexpr int kOrdered = 9;  // from this minor version on the list is in the order that people gave it
  int position = 0;
  for (const auto& [id, area] : data_.areas) position = std::max(position, area.position + 1);
  std::vector<const json::object*> items = items_of(data, "areas", "area", file, report_);
  const auto name_of = [](const json::object* item) {
    const json::value* const name = item->if_contains("name");
    return name && name->is_string() ? core::lower_case(name->get_string()) : std::string();
  };
  if (minor < kOrdered) std::ranges::stable_sort(items, {}, name_of);
  for (const json::object* const each : items) {
    ItemReader item(*each);
    core::Area area{.id = item.needed_text("id"), .name = item.needed_text("name")};
    area.floor_id = item.text("floor_id");
    area.labels = item.texts("labels");
    area.aliases = item.texts("aliases");
    area.icon = item.text("icon");
    area.picture = item.text("picture");
    area.temperature_entity_id = item.text("temperature_entity_id");
    area.humidity_entity_id = item.text("humidity_entity_id");
    area.created_at = item.time("created_at");
    area.modified_at = item.time("modified_at");
    if (item.broken()) {
      report_.add(broken_thing("area", area.id, item, file));
      continue;
    }
    std::string comment = item.complaint();
    if (area.floor_id && !data_.floors.contains(*area.floor_id)) {
      add_text(comment, fmt::format("its floor {} is not there", *area.floor_id));
      area.floor_id.reset();
    }
    if (area.picture && is_stored_picture(*area.picture)) {
      auto taken = take_picture(source_, home_, *area.picture);
      if (!taken || taken->empty()) add_text(comment, taken ? "its picture is not there" : taken.error().message);
      area.picture = taken && !taken->empty() ? core::OptionalText(std::move(*taken)) : core::OptionalText();
    }
    if (const core::Area* const here = data_.areas.find(area.id)) {
      report_.add(duplicate_thing("area", area.id, compared(*here), compared(area), file));
      continue;
    }
    const std::string name = free_name(area.name, data_.areas);
    if (name != area.name) add_text(comment, fmt::format("named {}, because another is called so", name));
    area.name = name;
    area.position = position++;
    report_.add({.what = "area", .id = area.id, .name = area.name, .text = comment, .file = file});
    data_.areas.set(std::string(area.id), area);
  }
}

void RegistryStep::take_labels(const json::value& data, const std::string& file) {
  for (const json::object* const each : items_of(data, "labels", "label", file, report_)) {
    ItemReader item(*each);
    const std::string id = item.needed_text("label_id"), name = item.needed_text("name");
    json::object fields{{"name", name}};
    for (const char* const key : {"color", "icon", "description"})
      if (const auto text = item.text(key)) fields[key] = *text;
    if (item.broken())
      report_.add(broken_thing("label", id, item, file));
    else
      place_item({.collection = std::string(core::kLabels),
                  .id = id,
                  .fields = std::move(fields),
                  .created_at = item.time("created_at"),
                  .modified_at = item.time("modified_at")},
                 {.what = "label", .id = id, .name = name, .text = item.complaint(), .file = file}, data_, report_);
  }
}

void RegistryStep::take_categories(const json::value& data, const std::string& file) {
  const json::object* const object = data.if_object();
  const json::value* const scopes = object ? object->if_contains("categories") : nullptr;
  if (!scopes || !scopes->is_object()) return;
  for (const auto& [scope, list] : scopes->get_object()) {
    for (const json::object* const each : items_of(*scopes, scope, "category", file, report_)) {
      ItemReader item(*each);
      const std::string id = item.needed_text("category_id"), name = item.needed_text("name");
      json::object fields{{"scope", scope}, {"name", name}};
      if (const auto icon = item.text("icon")) fields["icon"] = *icon;
      if (item.broken())
        report_.add(broken_thing("category", id, item, file));
      else
        place_item({.collection = std::string(core::kCategories),
                    .id = id,
                    .fields = std::move(fields),
                    .created_at = item.time("created_at"),
                    .modified_at = item.time("modified_at")},
                   {.what = "category", .id = id, .name = name, .text = item.complaint(), .file = file}, data_,
                   report_);
    }
  }
}

}  // namespace hearth::import_ha
