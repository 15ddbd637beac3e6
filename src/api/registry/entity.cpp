// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "api/integrations/config_entry.h"
#include "api/registry/fields.h"
#include "api/registry/lists.h"
#include "api/rows.h"
#include "api/states/state_pieces.h"
#include "core/client_entity.h"
#include "core/registry/registry_json.h"
#include "core/values/entity_filter.h"

namespace hearth::api {
namespace {

constexpr std::array<std::string_view, 2> kCategories = {"config", "diagnostic"};

json::object full_answer(const core::RegisteredEntity& entity, const core::ReadableRegistry& registry,
                         const ConfigEntryIds& entries) {
  json::object object = core::to_json(entity);
  if (!entity.disabled_by && !registry.enabled(entity)) object["disabled_by"] = "device";
  object["config_entry_id"] = entries.of(entity);
  object["config_subentry_id"] = nullptr;
  const json::value* const capabilities = entity.abilities.if_contains("capabilities");
  object["capabilities"] = capabilities ? *capabilities : json::value();
  if (entity.hops > 0)
    object["hearth_origin"] = json::object{{"instance", entity.origin.value_or("")}, {"hops", entity.hops}};
  if (core::is_reserved(entity)) object["hearth_provider"] = nullptr;  // it is reserved for what will bring it
  return object;
}

// As lists show it: without what only the page about one entity wants.
json::object answer(const core::RegisteredEntity& entity, const core::ReadableRegistry& registry,
                    const ConfigEntryIds& entries) {
  json::object object = full_answer(entity, registry, entries);
  for (const char* key : {"aliases", "capabilities", "device_class", "original_device_class", "original_icon"}) {
    object.erase(key);
  }
  return object;
}

// Everything that clients need to draw an entity, in short keys; null values are left out.
json::object display(const core::RegisteredEntity& entity) {
  json::object object{{"ei", entity.entity_id}, {"pl", entity.integration}};
  object["lb"] = json::array(entity.labels.begin(), entity.labels.end());
  const auto add = [&](const char* key, const core::OptionalText& text) {
    if (text) object[key] = *text;
  };
  add("ai", entity.area_id);
  add("di", entity.device_id);
  add("ic", entity.icon);
  add("tk", entity.translation_key);
  add("en", entity.name ? entity.name : entity.original_name);
  for (std::size_t i = 0; i < kCategories.size(); ++i) {
    if (entity.entity_category == kCategories[i]) object["ec"] = i;
  }
  if (entity.hidden_by) object["hb"] = true;
  if (entity.has_entity_name) object["hn"] = true;
  const json::value* const sensor = entity.options.if_contains("sensor");
  const json::value* const decimals =
      sensor && sensor->is_object() ? sensor->get_object().if_contains("display_precision") : nullptr;
  if (decimals && !decimals->is_null()) object["dp"] = *decimals;
  return object;
}

// The entry of a readable entity; null if there is none.
json::value find_answer(const core::View& home, const core::ReadableRegistry& registry, const ConfigEntryIds& entries,
                        const std::string& given_id) {
  const std::string id = core::lower_case(given_id);
  if (const core::RegisteredEntity* const entity = registry.find_entity(id))
    return full_answer(*entity, registry, entries);
  const core::StatePtr state = home.find(id);
  return state ? json::value(full_answer(registry.entry_of(*state), registry, entries)) : json::value();
}

std::unexpected<CommandError> no_such_entity() {
  return std::unexpected(CommandError(command_error::kNotFound, "Entity not found."));
}

// Entities that clients write and nobody has edited follow the others, in pieces, because there may be many.
void list_entities(const CommandCall& call, CommandReply reply) {
  bool registered_only = false;
  MessageReader in(call.message);
  in.optional("registered_only", registered_only);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  auto registry = call.home.registry();
  ConfigEntryIds entries(call.home);
  std::string registered = entity_list(registry, entries);
  if (registered_only) return reply.send(std::move(registered));
  registered.pop_back();  // the bracket
  const bool any = registered.size() > 1;
  const auto append = [registry = std::move(registry), entries = std::move(entries)](std::string& out,
                                                                                     const core::State& state) {
    if (registry.registered(state.entity_id())) return false;
    out += base::to_json(answer(registry.entry_of(state), registry, entries));
    return true;
  };
  reply.send(state_pieces(call.home.states(), std::move(registered), append, "]", any));
}

CommandResult list_entities_for_display(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::object categories;
  for (std::size_t i = 0; i < kCategories.size(); ++i) categories[std::to_string(i)] = kCategories[i];
  json::array entities;
  const auto registry = call.home.registry();
  registry.for_each_entity([&](const core::RegisteredEntity& entity) {
    if (registry.enabled(entity)) entities.push_back(display(entity));
  });
  return base::to_json(json::object{{"entity_categories", std::move(categories)}, {"entities", std::move(entities)}});
}

CommandResult get_entity(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("entity_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const json::value found = find_answer(call.home, call.home.registry(), ConfigEntryIds(call.home), id);
  if (found.is_null()) return no_such_entity();
  return base::to_json(found);
}

CommandResult get_entities(const CommandCall& call) {
  std::optional<std::vector<std::string>> ids;
  MessageReader in(call.message);
  in.optional("entity_ids", ids);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!ids)
    return std::unexpected(CommandError(command_error::kInvalidFormat, "entity_ids: expected a list of entity ids"));
  if (auto few = core::bound_list(*ids, "entity_ids", call.home.limits()); !few) return std::unexpected(few.error());
  const auto registry = call.home.registry();
  const ConfigEntryIds config_entries(call.home);
  json::object found;
  for (const std::string& id : *ids) found[id] = find_answer(call.home, registry, config_entries, id);
  return base::to_json(found);
}

CommandResult update_entity(const CommandCall& call) {
  std::string id;
  core::EntityEdit edit;
  MessageReader in(call.message);
  in.required("entity_id", id);
  in.change("name", edit.name);
  in.change("icon", edit.icon);
  in.change("device_class", edit.device_class);
  in.change("area_id", edit.area_id);
  in.optional("new_entity_id", edit.new_entity_id);
  const auto disabled_by = read_by(in, "disabled_by", edit.disabled_by);
  const auto hidden_by = read_by(in, "hidden_by", edit.hidden_by);
  read_texts(in, "labels", edit.labels);
  read_texts(in, "aliases", edit.aliases);
  const auto options = read_options(in, edit.options);
  const auto categories = read_categories(in, edit.categories);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!disabled_by) return std::unexpected(disabled_by.error());
  if (!hidden_by) return std::unexpected(hidden_by.error());
  if (!categories) return std::unexpected(categories.error());
  if (!options) return std::unexpected(options.error());
  const auto entity =
      core::update_entity(call.home.administered(), core::lower_case(id), std::move(edit), call.context());
  if (!entity) return registry_error(entity.error());
  return base::to_json(
      json::object{{"entity_entry", full_answer(*entity, call.home.registry(), ConfigEntryIds(call.home))}});
}

CommandResult remove_entity(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("entity_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto done = core::remove_entity(call.home.administered(), core::lower_case(id), call.context());
  if (!done) return registry_error(done.error());
  return "null";
}

CommandResult entity_sources(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::object sources;
  const auto registry = call.home.registry();
  registry.for_each_entity([&](const core::RegisteredEntity& entity) {
    if (!entity.provided || !registry.enabled(entity)) return;
    sources[entity.entity_id] = json::object{{"domain", entity.integration}};
  });
  return base::to_json(sources);
}

}  // namespace

std::string entity_list(const core::ReadableRegistry& registry, const ConfigEntryIds& entries) {
  std::string list = "[";
  registry.for_each_entity([&](const core::RegisteredEntity& entity) {
    list += (list.size() > 1 ? "," : "") + base::to_json(answer(entity, registry, entries));
  });
  return list += ']';
}

constexpr Command kEntityCommandRows[] = {
    {"config/entity_registry/list", Access::user, list_entities, Durable::no},
    {"config/entity_registry/list_for_display", Access::user, list_entities_for_display, Durable::no},
    {"config/entity_registry/get", Access::user, get_entity, Durable::no},
    {"config/entity_registry/get_entries", Access::user, get_entities, Durable::no},
    {"config/entity_registry/update", Access::admin, update_entity, Durable::registry},
    {"config/entity_registry/remove", Access::admin, remove_entity, Durable::registry},
    {"entity/source", Access::user, entity_sources, Durable::no},
};
constexpr Commands kEntityCommands = kEntityCommandRows;

}  // namespace hearth::api
