// SPDX-License-Identifier: Apache-2.0
#include "api/registry/fields.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

std::string category_answer(const core::Item& category) {
  return base::to_json(item_answer(category, "category_id", {"name", "icon"}));
}

CommandResult list_categories(const CommandCall& call) {
  std::string scope;
  MessageReader in(call.message);
  in.required("scope", scope);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::string list = "[";
  const auto registry = call.home.registry();
  for (const core::Item* const category : registry.items_of(core::kCategories)) {
    if (core::scope_of(*category) != scope) continue;
    list += (list.size() > 1 ? "," : "") + category_answer(*category);
  }
  return list += ']';
}

CommandResult create_category(const CommandCall& call) {
  const auto category = call.home.administered().registry.create_category(given_fields(call, {}), call.context());
  if (!category) return area_error(category.error());
  return category_answer(*category);
}

CommandResult update_category(const CommandCall& call) {
  const auto id = read_id(call, "category_id");
  if (!id) return std::unexpected(id.error());
  core::Registry& registry = call.home.administered().registry;
  const auto category = registry.update_category(*id, given_fields(call, "category_id"), call.context());
  if (!category) return area_error(category.error());
  return category_answer(*category);
}

CommandResult delete_category(const CommandCall& call) {
  std::string scope, id;
  MessageReader in(call.message);
  in.required("scope", scope);
  in.required("category_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto done = call.home.administered().registry.delete_category(scope, id, call.context()); !done)
    return area_error(done.error());
  return R"("success")";
}

}  // namespace

constexpr Command kCategoryCommandRows[] = {
    {"config/category_registry/list", Access::user, list_categories, Durable::no},
    {"config/category_registry/create", Access::admin, create_category, Durable::registry},
    {"config/category_registry/update", Access::admin, update_category, Durable::registry},
    {"config/category_registry/delete", Access::admin, delete_category, Durable::registry},
};
constexpr Commands kCategoryCommands = kCategoryCommandRows;

}  // namespace hearth::api
