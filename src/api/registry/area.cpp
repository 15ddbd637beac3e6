// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <vector>

#include "api/registry/fields.h"
#include "api/registry/lists.h"
#include "api/rows.h"
#include "core/registry/registry_json.h"

namespace hearth::api {
namespace {

std::string answer(const core::Area& area) {
  json::object object = core::to_json(area);
  object.erase("position");  // the order of the list
  return base::to_json(object);
}

void read_edit(MessageReader& in, core::AreaEdit& edit) {
  in.optional("name", edit.name);
  in.change("floor_id", edit.floor_id);
  in.change("icon", edit.icon);
  in.change("picture", edit.picture);
  in.change("temperature_entity_id", edit.temperature_entity_id);
  in.change("humidity_entity_id", edit.humidity_entity_id);
  read_texts(in, "aliases", edit.aliases);
  read_texts(in, "labels", edit.labels);
}

CommandResult list_areas(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return area_list(call.home.registry());
}

CommandResult create_area(const CommandCall& call) {
  core::AreaEdit edit;
  std::string name;
  MessageReader in(call.message);
  in.required("name", name);
  read_edit(in, edit);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto area = call.home.administered().registry.create_area(std::move(edit), call.context());
  if (!area) return area_error(area.error());
  return answer(*area);
}

CommandResult update_area(const CommandCall& call) {
  core::AreaEdit edit;
  std::string id;
  MessageReader in(call.message);
  in.required("area_id", id);
  read_edit(in, edit);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto area = call.home.administered().registry.update_area(id, std::move(edit), call.context());
  if (!area) return area_error(area.error());
  return answer(*area);
}

CommandResult delete_area(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("area_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto done = call.home.administered().registry.delete_area(id, call.context()); !done)
    return area_error(done.error());
  return R"("success")";
}

CommandResult reorder_areas(const CommandCall& call) {
  std::vector<std::string> ids;
  MessageReader in(call.message);
  in.optional("area_ids", ids);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto done = call.home.administered().registry.reorder_areas(ids, call.context()); !done)
    return area_error(done.error());
  return R"("success")";
}

}  // namespace

std::string area_list(const core::ReadableRegistry& registry) {
  std::vector<const core::Area*> areas;
  registry.for_each_area([&](const core::Area& area) { areas.push_back(&area); });
  std::ranges::sort(areas, {}, [](const core::Area* area) { return std::tie(area->position, area->id); });
  std::string list = "[";
  for (const core::Area* const area : areas) {
    core::Area shown = *area;
    for (core::OptionalText* const sensor : {&shown.temperature_entity_id, &shown.humidity_entity_id})
      if (*sensor && !registry.reads(**sensor)) sensor->reset();
    list += (list.size() > 1 ? "," : "") + answer(shown);
  }
  return list += ']';
}

constexpr Command kAreaCommandRows[] = {
    {"config/area_registry/list", Access::user, list_areas, Durable::no},
    {"config/area_registry/create", Access::admin, create_area, Durable::registry},
    {"config/area_registry/update", Access::admin, update_area, Durable::registry},
    {"config/area_registry/delete", Access::admin, delete_area, Durable::registry},
    {"config/area_registry/reorder", Access::admin, reorder_areas, Durable::registry},
};
constexpr Commands kAreaCommands = kAreaCommandRows;

}  // namespace hearth::api
