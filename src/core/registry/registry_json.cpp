// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry_json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/values/entity_id.h"

namespace hearth::core {
namespace {

// Lists each field once, for both directions.
template <class Visit>
void visit_fields(auto& floor, Visit visit)
  requires std::same_as<std::remove_cvref_t<decltype(floor)>, Floor>
{
  visit("floor_id", floor.id);
  visit("name", floor.name);
  visit("level", floor.level);
  visit("icon", floor.icon);
  visit("aliases", floor.aliases);
  visit("position", floor.position);
  visit("created_at", floor.created_at);
  visit("modified_at", floor.modified_at);
}

template <class Visit>
void visit_fields(auto& area, Visit visit)
  requires std::same_as<std::remove_cvref_t<decltype(area)>, Area>
{
  visit("area_id", area.id);
  visit("name", area.name);
  visit("aliases", area.aliases);
  visit("floor_id", area.floor_id);
  visit("humidity_entity_id", area.humidity_entity_id);
  visit("icon", area.icon);
  visit("labels", area.labels);
  visit("picture", area.picture);
  visit("position", area.position);
  visit("temperature_entity_id", area.temperature_entity_id);
  visit("created_at", area.created_at);
  visit("modified_at", area.modified_at);
}

template <class Visit>
void visit_fields(auto& device, Visit visit)
  requires std::same_as<std::remove_cvref_t<decltype(device)>, Device>
{
  visit("id", device.id);
  visit("platform", device.integration);
  visit("name", device.name);
  visit("name_by_user", device.name_by_user);
  visit("area_id", device.area_id);
  visit("labels", device.labels);
  visit("disabled_by", device.disabled_by);
  visit("manufacturer", device.manufacturer);
  visit("model", device.model);
  visit("model_id", device.model_id);
  visit("sw_version", device.sw_version);
  visit("hw_version", device.hw_version);
  visit("serial_number", device.serial_number);
  visit("identifiers", device.identifiers);
  visit("connections", device.connections);
  visit("via_device_id", device.via_device_id);
  visit("configuration_url", device.configuration_url);
  visit("entry_type", device.entry_type);
  visit("created_at", device.created_at);
  visit("modified_at", device.modified_at);
}

template <class Visit>
void visit_fields(auto& entity, Visit visit)
  requires std::same_as<std::remove_cvref_t<decltype(entity)>, RegisteredEntity>
{
  visit("id", entity.id);
  visit("entity_id", entity.entity_id);
  visit("unique_id", entity.unique_id);
  visit("platform", entity.integration);
  visit("name", entity.name);
  visit("original_name", entity.original_name);
  visit("icon", entity.icon);
  visit("original_icon", entity.original_icon);
  visit("device_class", entity.device_class);
  visit("original_device_class", entity.original_device_class);
  visit("area_id", entity.area_id);
  visit("device_id", entity.device_id);
  visit("labels", entity.labels);
  visit("aliases", entity.aliases);
  visit("categories", entity.categories);
  visit("disabled_by", entity.disabled_by);
  visit("hidden_by", entity.hidden_by);
  visit("entity_category", entity.entity_category);
  visit("has_entity_name", entity.has_entity_name);
  visit("translation_key", entity.translation_key);
  visit("options", entity.options);
  visit("created_at", entity.created_at);
  visit("modified_at", entity.modified_at);
}

template <class Visit>
void visit_fields(auto& item, Visit visit)
  requires std::same_as<std::remove_cvref_t<decltype(item)>, Item>
{
  visit("collection", item.collection);
  visit("id", item.id);
  visit("fields", item.fields);
  visit("position", item.position);
  visit("revision", item.revision);
  visit("created_at", item.created_at);
  visit("modified_at", item.modified_at);
}

// Clients do not see these.
constexpr std::string_view kPinHash = "pin_hash", kSuggested = "suggested_object_id", kAbilities = "abilities";
constexpr std::string_view kEntryId = "config_entry_id";  // they see it, but not as it is stored

json::value value_of(const std::string& text) {
  return json::string(text);
}
json::value value_of(bool truth) {
  return truth;
}
json::value value_of(int number) {
  return number;
}
json::value value_of(ChangedBy who) {
  return who == ChangedBy::user ? "user" : "integration";
}
template <class T>
json::value value_of(const std::optional<T>& optional) {
  return optional ? value_of(*optional) : json::value();
}
json::value value_of(const OptionalText& text) {
  return text ? value_of(*text) : json::value();
}
json::value value_of(const json::object& object) {
  return object;
}
json::value value_of(const Texts& texts) {
  return json::array(texts.begin(), texts.end());
}
json::value value_of(const TextMap& texts) {
  json::object object;
  for (const auto& [key, text] : texts) object[key] = text;
  return object;
}
json::value value_of(const std::set<std::pair<std::string, std::string>>& pairs) {
  json::array array;
  for (const auto& [first, second] : pairs) array.push_back(json::array{first, second});
  return array;
}
json::value value_of(base::Timestamp time) {
  return static_cast<double>(time.time_since_epoch().count()) / 1e6;
}

// False if the value has another type.
bool read(const json::value& from, std::string& to) {
  const json::string* const text = from.if_string();
  if (text) to = *text;
  return text;
}
bool read(const json::value& from, bool& to) {
  const bool* const truth = from.if_bool();
  if (truth) to = *truth;
  return truth;
}
bool read(const json::value& from, int& to) {
  const std::int64_t* const number = from.if_int64();
  if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max()) return false;
  to = static_cast<int>(*number);
  return true;
}
bool read(const json::value& from, ChangedBy& to) {
  if (from != "user" && from != "integration") return false;
  to = from == "user" ? ChangedBy::user : ChangedBy::integration;
  return true;
}
template <class T>
bool read(const json::value& from, std::optional<T>& to) {
  to.reset();
  return from.is_null() || read(from, to.emplace());
}
bool read(const json::value& from, OptionalText& to) {
  to.reset();
  if (from.is_null()) return true;
  std::string text;
  if (!read(from, text)) return false;
  to = std::move(text);
  return true;
}
bool read(const json::value& from, json::object& to) {
  const json::object* const object = from.if_object();
  if (object) to = *object;
  return object;
}
bool read(const json::value& from, Texts& to) {
  const json::array* const array = from.if_array();
  if (!array) return false;
  to.clear();
  for (const json::value& element : *array) {
    if (std::string text; read(element, text))
      to.insert(std::move(text));
    else
      return false;
  }
  return true;
}
bool read(const json::value& from, TextMap& to) {
  const json::object* const object = from.if_object();
  if (!object) return false;
  to.clear();
  for (const auto& [key, value] : *object) {
    if (!read(value, to[std::string(key)])) return false;
  }
  return true;
}
bool read(const json::value& from, std::set<std::pair<std::string, std::string>>& to) {
  const json::array* const array = from.if_array();
  if (!array) return false;
  to.clear();
  for (const json::value& element : *array) {
    const json::array* const pair = element.if_array();
    std::string first, second;
    if (!pair || pair->size() != 2 || !read(pair->at(0), first) || !read(pair->at(1), second)) return false;
    to.emplace(std::move(first), std::move(second));
  }
  return true;
}
bool read(const json::value& from, base::Timestamp& to) {
  constexpr double kLatest = 253'402'300'800;  // the year 10000
  if (!from.is_number()) return false;
  const double seconds = from.to_number<double>();
  if (!(seconds >= 0 && seconds < kLatest)) return false;
  to = base::Timestamp(base::Duration(std::llround(seconds * 1e6)));
  return true;
}

json::object object_of(const auto& entry) {
  json::object object;
  visit_fields(entry, [&](std::string_view key, const auto& field) { object[key] = value_of(field); });
  return object;
}

template <class Entry>
base::Result<Entry> entry_of(const json::object& object, const std::string Entry::* id) {
  Entry entry{};
  std::string_view wrong;
  visit_fields(entry, [&](std::string_view key, auto& field) {
    const json::value* const value = object.if_contains(key);
    if (value && !read(*value, field)) wrong = key;
  });
  if (!wrong.empty()) return base::fail(base::ErrorCode::invalid, fmt::format("{}: not what it should be", wrong));
  if ((entry.*id).empty()) return base::fail(base::ErrorCode::invalid, "the id is missing");
  return entry;
}

}  // namespace

json::object to_json(const Floor& floor) {
  return object_of(floor);
}
json::object to_json(const Area& area) {
  return object_of(area);
}
json::object to_json(const Device& device) {
  return object_of(device);
}
json::object to_json(const RegisteredEntity& entity) {
  return object_of(entity);
}
json::object to_json(const Item& item) {
  return object_of(item);
}
json::object to_stored_json(const Device& device) {
  json::object object = object_of(device);
  if (!device.entry_id.empty()) object[kEntryId] = device.entry_id;
  return object;
}
json::object to_stored_json(const RegisteredEntity& entity) {
  json::object object = object_of(entity);
  if (!entity.pin_hash.empty()) object[kPinHash] = entity.pin_hash;
  if (!entity.suggested_object_id.empty()) object[kSuggested] = entity.suggested_object_id;
  if (!entity.abilities.empty()) object[kAbilities] = entity.abilities;
  if (!entity.entry_id.empty()) object[kEntryId] = entity.entry_id;
  return object;
}

base::Result<Floor> floor_from_json(const json::object& object) {
  return entry_of<Floor>(object, &Floor::id);
}
base::Result<Area> area_from_json(const json::object& object) {
  return entry_of<Area>(object, &Area::id);
}
base::Result<Device> device_from_json(const json::object& object) {
  auto device = entry_of<Device>(object, &Device::id);
  const json::value* const entry_id = device ? object.if_contains(kEntryId) : nullptr;
  if (entry_id && !read(*entry_id, device->entry_id))
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: not a text", kEntryId));
  return device;
}
base::Result<RegisteredEntity> entity_from_json(const json::object& object) {
  auto entity = entry_of<RegisteredEntity>(object, &RegisteredEntity::id);
  if (!entity) return entity;
  const auto id = EntityId::parse(entity->entity_id);
  if (!id || id->str() != entity->entity_id) return base::fail(base::ErrorCode::invalid, "entity_id: not an entity id");
  for (const auto& [key, field] :
       {std::pair(kPinHash, &entity->pin_hash), std::pair(kSuggested, &entity->suggested_object_id),
        std::pair(kEntryId, &entity->entry_id)}) {
    const json::value* const value = object.if_contains(key);
    if (value && !read(*value, *field)) return base::fail(base::ErrorCode::invalid, fmt::format("{}: not a text", key));
  }
  const json::value* const abilities = object.if_contains(kAbilities);
  if (abilities && !read(*abilities, entity->abilities))
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: not an object", kAbilities));
  return entity;
}

base::Result<Item> item_from_json(const json::object& object) {
  auto item = entry_of<Item>(object, &Item::id);
  if (item && item->collection.empty()) return base::fail(base::ErrorCode::invalid, "collection: missing");
  return item;
}

}  // namespace hearth::core
