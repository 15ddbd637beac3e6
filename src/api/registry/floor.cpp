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

std::string answer(const core::Floor& floor) {
  json::object object = core::to_json(floor);
  object.erase("position");  // the order of the list
  return base::to_json(object);
}

void read_edit(MessageReader& in, core::FloorEdit& edit) {
  constexpr std::int64_t kNone = INT64_MIN, kHighest = 1'000;
  std::int64_t level = kNone;
  in.optional("level", level, -kHighest, kHighest);
  if (level != kNone)
    edit.level = static_cast<int>(level);
  else if (in.has("level"))
    edit.level.emplace();
  in.optional("name", edit.name);
  in.change("icon", edit.icon);
  read_texts(in, "aliases", edit.aliases);
}

CommandResult list_floors(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return floor_list(call.home.registry());
}

CommandResult create_floor(const CommandCall& call) {
  core::FloorEdit edit;
  std::string name;
  MessageReader in(call.message);
  in.required("name", name);
  read_edit(in, edit);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto floor = call.home.administered().registry.create_floor(std::move(edit), call.context());
  if (!floor) return area_error(floor.error());
  return answer(*floor);
}

CommandResult update_floor(const CommandCall& call) {
  core::FloorEdit edit;
  std::string id;
  MessageReader in(call.message);
  in.required("floor_id", id);
  read_edit(in, edit);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto floor = call.home.administered().registry.update_floor(id, std::move(edit), call.context());
  if (!floor) return area_error(floor.error());
  return answer(*floor);
}

CommandResult delete_floor(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("floor_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto done = call.home.administered().registry.delete_floor(id, call.context()); !done)
    return area_error(done.error());
  return R"("success")";
}

CommandResult reorder_floors(const CommandCall& call) {
  std::vector<std::string> ids;
  MessageReader in(call.message);
  in.optional("floor_ids", ids);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto done = call.home.administered().registry.reorder_floors(ids, call.context()); !done)
    return area_error(done.error());
  return R"("success")";
}

}  // namespace

std::string floor_list(const core::ReadableRegistry& registry) {
  std::vector<const core::Floor*> floors;
  registry.for_each_floor([&](const core::Floor& floor) { floors.push_back(&floor); });
  std::ranges::sort(floors, {}, [](const core::Floor* floor) { return std::tie(floor->position, floor->id); });
  std::string list = "[";
  for (const core::Floor* const floor : floors) list += (list.size() > 1 ? "," : "") + answer(*floor);
  return list += ']';
}

constexpr Command kFloorCommandRows[] = {
    {"config/floor_registry/list", Access::user, list_floors, Durable::no},
    {"config/floor_registry/create", Access::admin, create_floor, Durable::registry},
    {"config/floor_registry/update", Access::admin, update_floor, Durable::registry},
    {"config/floor_registry/delete", Access::admin, delete_floor, Durable::registry},
    {"config/floor_registry/reorder", Access::admin, reorder_floors, Durable::registry},
};
constexpr Commands kFloorCommands = kFloorCommandRows;

}  // namespace hearth::api
