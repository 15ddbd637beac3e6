// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "api/commands.h"
#include "api/registry/fields.h"
#include "core/registry_json.h"

namespace hearth::api {
namespace {

constexpr std::array<std::string_view, 2> kCategories = {"config", "diagnostic"};

json::object full_answer(const core::RegisteredEntity& entity, const core::ReadableRegistry& registry) {
  json::object object = core::to_json(entity);
  if (!entity.disabled_by && !registry.enabled(entity)) object["disabled_by"] = "device";
  object["categories"] = json::object();
  object["config_entry_id"] = nullptr;
  object["config_subentry_id"] = nullptr;
  object["capabilities"] = nullptr;
  return object;
}

// As lists show it: without what only the page about one entity wants.
json::object answer(const core::RegisteredEntity& entity, const core::ReadableRegistry& registry) {
  json::object object = full_answer(entity, registry);
  for (const char* key : {"aliases", "capabilities", "device_class", "original_device_class", "original_icon"}) {
    object.erase(key);
  }
  return object;
}

// What clients need to draw an entity, in short keys, and what is null left out.
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
  return object;
}

std::unexpected<CommandError> not_found() {
  return std::unexpected(CommandError(command_error::kNotFound, "Entity not found."));
}

}  // namespace

CommandResult entity_registry_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array entities;
  const auto registry = call.home.registry();
  registry.for_each_entity([&](const core::RegisteredEntity& entity) { entities.push_back(answer(entity, registry)); });
  return base::to_json(std::move(entities));
}

CommandResult entity_registry_commands::list_for_display(const CommandCall& call) {
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

CommandResult entity_registry_commands::get(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("entity_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto registry = call.home.registry();
  const core::RegisteredEntity* const entity = registry.find_entity(core::lower_case(id));
  if (!entity) return not_found();
  return base::to_json(full_answer(*entity, registry));
}

CommandResult entity_registry_commands::update(const CommandCall& call) {
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
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!disabled_by) return std::unexpected(disabled_by.error());
  if (!hidden_by) return std::unexpected(hidden_by.error());
  const auto entity =
      call.home.administered().registry.update_entity(core::lower_case(id), std::move(edit), call.context());
  if (!entity) return registry_error(entity.error());
  return base::to_json(json::object{{"entity_entry", full_answer(*entity, call.home.registry())}});
}

CommandResult entity_registry_commands::remove(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("entity_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto done = call.home.administered().registry.remove_entity(core::lower_case(id), call.context());
  if (!done) return registry_error(done.error());
  return "null";
}

CommandResult entity_registry_commands::source(const CommandCall& call) {
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

}  // namespace hearth::api
