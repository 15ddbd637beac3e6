// SPDX-License-Identifier: Apache-2.0
// <collection>/list, create, update and delete, for every collection that people change.
#include "core/registry/collection_type.h"

#include <fmt/format.h>

#include "api/registry/fields.h"
#include "api/rows.h"
#include "base/random_id.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

constexpr std::size_t kMaxId = 255;  // bytes
constexpr std::string_view kPersons = "person";

const core::CollectionType& type_of(const CommandCall& call) {
  const std::string_view command = call.message.at("type").get_string();
  return *core::find_collection_type(command.substr(0, command.find('/')));
}

json::object to_object(const core::Item& item) {
  json::object object{{"id", item.id}};
  for (const auto& [key, value] : item.fields) object[key] = value;
  return object;
}

std::string free_id(const json::object& fields, const core::RegistryData& registry, const core::CollectionType& type) {
  const json::value* const name = fields.if_contains("name");
  std::string slug = name ? core::slugify(name->get_string()) : std::string();
  if (slug.empty()) slug = type.domain;
  std::string id = slug;
  // A helper of a file has its object id, too.
  const auto taken = [&] {
    return registry.find_item(type.name, id) || registry.find_entity(type.name, type.domain, id) ||
           registry.entities.contains(std::string(type.domain) + '.' + id);
  };
  for (int n = 2; taken(); ++n) id = slug + '_' + std::to_string(n);
  return id;
}

// With all that clients expect.
json::object person(json::object object) {
  for (const char* const key : {"user_id", "picture"})
    if (!object.contains(key)) object[key] = nullptr;
  if (!object.contains("device_trackers")) object["device_trackers"] = json::array();
  return object;
}

std::unexpected<CommandError> wrong_fields(const base::Error& error) {
  return std::unexpected(CommandError(command_error::kInvalidFormat, error.message));
}

CommandResult list_items(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto registry = call.home.registry();
  json::array items;
  for (const core::Item* const item : registry.items_of(type_of(call).name)) items.push_back(to_object(*item));
  return base::to_json(items);
}

CommandResult create_item(const CommandCall& call) {
  const core::CollectionType& type = type_of(call);
  auto fields = type.fields_of(given_fields(call, type.id_key));
  if (!fields) return wrong_fields(fields.error());
  core::Registry& registry = call.home.administered().registry;
  std::string id;
  if (type.names_itself && call.message.contains(type.id_key)) {
    const auto named = read_id(call, type.id_key);
    if (!named) return wrong_fields(named.error());
    if (named->empty() || named->size() > kMaxId) {
      return wrong_fields(
          {base::ErrorCode::invalid, fmt::format("{}: expected a text of 1 to {} bytes", type.id_key, kMaxId)});
    }
    id = *named;
  } else {
    id = type.names_itself ? base::make_random_id() : free_id(*fields, *registry.snapshot(), type);
  }
  const auto item = registry.create_item(std::string(type.name), std::move(id), std::move(*fields), call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(to_object(*item));
}

CommandResult update_item(const CommandCall& call) {
  const core::CollectionType& type = type_of(call);
  core::Registry& registry = call.home.administered().registry;
  const auto named = read_id(call, type.id_key);
  if (!named) return wrong_fields(named.error());
  const std::string& id = *named;
  const auto data = registry.snapshot();
  const core::Item* const former = data->find_item(type.name, id);
  auto fields = type.fields_of(given_fields(call, type.id_key), former ? &former->fields : nullptr);
  if (former && !fields) return wrong_fields(fields.error());
  // Somebody else's change since then is not overwritten.
  const auto item = registry.update_item(std::string(type.name), id, fields ? std::move(*fields) : json::object(),
                                         former ? std::optional(former->revision) : std::nullopt, call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(to_object(*item));
}

CommandResult delete_item(const CommandCall& call) {
  const core::CollectionType& type = type_of(call);
  std::string id;
  MessageReader in(call.message);
  in.required(type.id_key, id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  auto done = call.home.administered().registry.delete_items(std::string(type.name), {&id, 1}, call.context());
  if (!done) return std::unexpected(done.error());
  return "null";
}

// Lists persons that people made, and those of files.
CommandResult list_persons(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array made, of_files;
  const auto registry = call.home.registry();
  for (const core::Item* const item : registry.items_of(kPersons)) made.push_back(person(to_object(*item)));
  registry.for_each_entity([&](const core::RegisteredEntity& entity) {
    if (entity.integration != kPersons || registry.find_item(kPersons, entity.unique_id)) return;
    const core::StatePtr state = call.home.find(entity.entity_id);
    if (!state) return;
    const json::object attributes = state->attributes();
    json::object object{{"id", entity.unique_id}};
    for (const auto& [key, name] :
         {std::pair{"name", "friendly_name"}, std::pair{"user_id", "user_id"},
          std::pair{"device_trackers", "device_trackers"}, std::pair{"picture", "entity_picture"}})
      if (const json::value* const value = attributes.if_contains(name)) object[key] = *value;
    of_files.push_back(person(std::move(object)));
  });
  return base::to_json(json::object{{"storage", std::move(made)}, {"config", std::move(of_files)}});
}

}  // namespace

constexpr Command kCollectionCommandRows[] = {
    {"zone/list", Access::user, list_items, Durable::no},
    {"zone/create", Access::admin, create_item, Durable::registry},
    {"zone/update", Access::admin, update_item, Durable::registry},
    {"zone/delete", Access::admin, delete_item, Durable::registry},
    {"tag/list", Access::user, list_items, Durable::no},
    {"tag/create", Access::admin, create_item, Durable::registry},
    {"tag/update", Access::admin, update_item, Durable::registry},
    {"tag/delete", Access::admin, delete_item, Durable::registry},
    {"person/list", Access::user, list_persons, Durable::no},
    {"person/create", Access::admin, create_item, Durable::registry},
    {"person/update", Access::admin, update_item, Durable::registry},
    {"person/delete", Access::admin, delete_item, Durable::registry},
    {"group/list", Access::user, list_items, Durable::no},
    {"group/create", Access::admin, create_item, Durable::registry},
    {"group/update", Access::admin, update_item, Durable::registry},
    {"group/delete", Access::admin, delete_item, Durable::registry},
    {"input_boolean/list", Access::user, list_items, Durable::no},
    {"input_boolean/create", Access::admin, create_item, Durable::registry},
    {"input_boolean/update", Access::admin, update_item, Durable::registry},
    {"input_boolean/delete", Access::admin, delete_item, Durable::registry},
    {"input_number/list", Access::user, list_items, Durable::no},
    {"input_number/create", Access::admin, create_item, Durable::registry},
    {"input_number/update", Access::admin, update_item, Durable::registry},
    {"input_number/delete", Access::admin, delete_item, Durable::registry},
    {"input_select/list", Access::user, list_items, Durable::no},
    {"input_select/create", Access::admin, create_item, Durable::registry},
    {"input_select/update", Access::admin, update_item, Durable::registry},
    {"input_select/delete", Access::admin, delete_item, Durable::registry},
    {"input_text/list", Access::user, list_items, Durable::no},
    {"input_text/create", Access::admin, create_item, Durable::registry},
    {"input_text/update", Access::admin, update_item, Durable::registry},
    {"input_text/delete", Access::admin, delete_item, Durable::registry},
    {"input_datetime/list", Access::user, list_items, Durable::no},
    {"input_datetime/create", Access::admin, create_item, Durable::registry},
    {"input_datetime/update", Access::admin, update_item, Durable::registry},
    {"input_datetime/delete", Access::admin, delete_item, Durable::registry},
    {"input_button/list", Access::user, list_items, Durable::no},
    {"input_button/create", Access::admin, create_item, Durable::registry},
    {"input_button/update", Access::admin, update_item, Durable::registry},
    {"input_button/delete", Access::admin, delete_item, Durable::registry},
    {"counter/list", Access::user, list_items, Durable::no},
    {"counter/create", Access::admin, create_item, Durable::registry},
    {"counter/update", Access::admin, update_item, Durable::registry},
    {"counter/delete", Access::admin, delete_item, Durable::registry},
    {"timer/list", Access::user, list_items, Durable::no},
    {"timer/create", Access::admin, create_item, Durable::registry},
    {"timer/update", Access::admin, update_item, Durable::registry},
    {"timer/delete", Access::admin, delete_item, Durable::registry},
    {"schedule/list", Access::user, list_items, Durable::no},
    {"schedule/create", Access::admin, create_item, Durable::registry},
    {"schedule/update", Access::admin, update_item, Durable::registry},
    {"schedule/delete", Access::admin, delete_item, Durable::registry},
    {"local_todo/list", Access::user, list_items, Durable::no},
    {"local_todo/create", Access::admin, create_item, Durable::registry},
    {"local_todo/update", Access::admin, update_item, Durable::registry},
    {"local_todo/delete", Access::admin, delete_item, Durable::registry},
    {"local_calendar/list", Access::user, list_items, Durable::no},
    {"local_calendar/create", Access::admin, create_item, Durable::registry},
    {"local_calendar/update", Access::admin, update_item, Durable::registry},
    {"local_calendar/delete", Access::admin, delete_item, Durable::registry},
};
constexpr Commands kCollectionCommands = kCollectionCommandRows;

}  // namespace hearth::api
