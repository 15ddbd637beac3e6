// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/protocol/registries.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "base/json/json_fields.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
namespace {

using base::short_text_at;

constexpr std::size_t kMaxEntryText = 256 * 1024;  // bytes; a longer entry is left out
constexpr std::size_t kMaxListed = 256;            // labels, aliases, identifiers of one entry

OptionalText optional_text_at(const json::object& entry, std::string_view key) {
  const json::value& found = base::value_at(entry, key);
  if (!found.is_string() || found.get_string().size() > 1'024) return {};
  return OptionalText(std::string_view(found.get_string()));
}

std::vector<std::string> texts_at(const json::object& entry, std::string_view key) {
  std::vector<std::string> texts;
  if (const json::array* const list = base::value_at(entry, key).if_array()) {
    for (const json::value& one : *list) {
      if (texts.size() == kMaxListed) break;
      if (one.is_string() && one.get_string().size() <= 1'024) texts.emplace_back(one.get_string());
    }
  }
  return texts;
}

// Numbers are taken as texts: integrations of there write them, too.
std::string text_of(const json::value& value) {
  if (value.is_string()) return value.get_string().size() <= 1'024 ? std::string(value.get_string()) : std::string();
  return value.is_number() ? base::to_json(value) : std::string();
}

std::vector<std::pair<std::string, std::string>> pairs_at(const json::object& entry, std::string_view key) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (const json::array* const list = base::value_at(entry, key).if_array()) {
    for (const json::value& one : *list) {
      const json::array* const pair = one.if_array();
      if (!pair || pair->size() < 2 || pairs.size() == kMaxListed) continue;
      std::string name = text_of((*pair)[0]), value = text_of((*pair)[1]);
      if (!name.empty() && !value.empty()) pairs.emplace_back(std::move(name), std::move(value));
    }
  }
  return pairs;
}

json::object object_at(const json::object& entry, std::string_view key) {
  const json::value& found = base::value_at(entry, key);
  return found.is_object() ? found.get_object() : json::object();
}

// Calls `read` with each element that is an object; it returns null for one without an id.
template <class Entry, class Read>
std::vector<Entry> read_list(std::string_view list, Read read) {
  std::vector<Entry> entries;
  TextParts parts(list);
  if (parts.is_object()) return entries;
  while (const auto part = parts.next()) {
    if (part->value.size() > kMaxEntryText) continue;
    auto entry = read(object_of(part->value));
    if (entry && entries.size() < kMaxEntries) entries.push_back(*std::move(entry));
  }
  return entries;
}

bool mirrors_others(std::string_view platform) {
  return platform == "home_assistant" || platform == "remote_homeassistant";
}

void read_entity(const json::object& from, OtherEntity& entity) {
  entity.id = short_text_at(from, "id");
  if (std::string unique_id = text_of(base::value_at(from, "unique_id")); !unique_id.empty())
    entity.unique_id = std::move(unique_id);
  entity.platform = short_text_at(from, "platform");
  entity.name = optional_text_at(from, "name");
  entity.original_name = optional_text_at(from, "original_name");
  entity.icon = optional_text_at(from, "icon");
  entity.original_icon = optional_text_at(from, "original_icon");
  entity.device_class = optional_text_at(from, "device_class");
  entity.original_device_class = optional_text_at(from, "original_device_class");
  entity.device_id = optional_text_at(from, "device_id");
  entity.area_id = optional_text_at(from, "area_id");
  entity.translation_key = optional_text_at(from, "translation_key");
  entity.entity_category = optional_text_at(from, "entity_category");
  entity.disabled_by = optional_text_at(from, "disabled_by");
  entity.hidden_by = optional_text_at(from, "hidden_by");
  entity.has_entity_name = base::flag_at(from, "has_entity_name");
  entity.labels = texts_at(from, "labels");
  entity.aliases = texts_at(from, "aliases");
  entity.options = object_at(from, "options");
  entity.capabilities = object_at(from, "capabilities");
  entity.mirrored_there = mirrors_others(entity.platform);
  if (const json::object* const origin = base::value_at(from, "hearth_origin").if_object()) {
    entity.mirrored_there = true;
    entity.origin = optional_text_at(*origin, "instance");
    entity.hops = static_cast<int>(std::clamp<std::int64_t>(base::number_at(*origin, "hops"), 1, 1'000));
  }
}

}  // namespace

std::vector<OtherFloor> read_floors(std::string_view list) {
  return read_list<OtherFloor>(list, [](const json::object& from) -> std::optional<OtherFloor> {
    OtherFloor floor{.id = short_text_at(from, "floor_id"), .name = short_text_at(from, "name")};
    if (floor.id.empty()) return {};
    const json::value& level = base::value_at(from, "level");
    if (level.is_int64() && level.get_int64() >= -1'000 && level.get_int64() <= 1'000)
      floor.level = static_cast<int>(level.get_int64());
    floor.icon = optional_text_at(from, "icon");
    return floor;
  });
}

std::vector<OtherLabel> read_labels(std::string_view list) {
  return read_list<OtherLabel>(list, [](const json::object& from) -> std::optional<OtherLabel> {
    OtherLabel label{.id = short_text_at(from, "label_id"),
                     .name = short_text_at(from, "name"),
                     .icon = optional_text_at(from, "icon"),
                     .color = optional_text_at(from, "color"),
                     .description = optional_text_at(from, "description")};
    return label.id.empty() ? std::nullopt : std::optional(std::move(label));
  });
}

std::vector<OtherArea> read_areas(std::string_view list) {
  return read_list<OtherArea>(list, [](const json::object& from) -> std::optional<OtherArea> {
    OtherArea area{.id = short_text_at(from, "area_id"),
                   .name = short_text_at(from, "name"),
                   .floor_id = optional_text_at(from, "floor_id"),
                   .icon = optional_text_at(from, "icon"),
                   .aliases = texts_at(from, "aliases"),
                   .labels = texts_at(from, "labels")};
    return area.id.empty() ? std::nullopt : std::optional(std::move(area));
  });
}

std::vector<OtherDevice> read_devices(std::string_view list) {
  return read_list<OtherDevice>(list, [](const json::object& from) -> std::optional<OtherDevice> {
    OtherDevice device{.id = short_text_at(from, "id"),
                       .name = optional_text_at(from, "name"),
                       .name_by_user = optional_text_at(from, "name_by_user"),
                       .manufacturer = optional_text_at(from, "manufacturer"),
                       .model = optional_text_at(from, "model"),
                       .model_id = optional_text_at(from, "model_id"),
                       .sw_version = optional_text_at(from, "sw_version"),
                       .hw_version = optional_text_at(from, "hw_version"),
                       .serial_number = optional_text_at(from, "serial_number"),
                       .via_device_id = optional_text_at(from, "via_device_id"),
                       .configuration_url = optional_text_at(from, "configuration_url"),
                       .entry_type = optional_text_at(from, "entry_type"),
                       .area_id = optional_text_at(from, "area_id"),
                       .disabled_by = optional_text_at(from, "disabled_by"),
                       .identifiers = pairs_at(from, "identifiers"),
                       .connections = pairs_at(from, "connections"),
                       .labels = texts_at(from, "labels")};
    return device.id.empty() ? std::nullopt : std::optional(std::move(device));
  });
}

std::vector<OtherEntity> read_entities(std::string_view list) {
  return read_list<OtherEntity>(list, [](const json::object& from) -> std::optional<OtherEntity> {
    OtherEntity entity;
    entity.entity_id = short_text_at(from, "entity_id");
    if (entity.entity_id.empty()) return {};
    read_entity(from, entity);
    return entity;
  });
}

void read_whole_entry(std::string_view entry, OtherEntity& entity) {
  if (entry.size() > kMaxEntryText) return;
  const json::object from = object_of(entry);
  if (base::text_view_at(from, "entity_id") == entity.entity_id) read_entity(from, entity);
}

void read_whole_entries(std::string_view entries, std::span<OtherEntity> entities) {
  std::unordered_map<std::string_view, OtherEntity*> by_id;
  for (OtherEntity& entity : entities) by_id.emplace(entity.entity_id, &entity);
  TextParts parts(entries);
  if (!parts.is_object()) return;
  while (const auto part = parts.next()) {
    if (const auto found = by_id.find(part->key); found != by_id.end()) read_whole_entry(part->value, *found->second);
  }
}

}  // namespace hearth::integrations::home_assistant
