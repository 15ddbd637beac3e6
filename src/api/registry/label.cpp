// SPDX-License-Identifier: Apache-2.0
#include "api/registry/fields.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

std::string label_answer(const core::Item& label) {
  return base::to_json(item_answer(label, "label_id", {"name", "color", "description", "icon"}));
}

CommandResult list_labels(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::string list = "[";
  const auto registry = call.home.registry();
  for (const core::Item* const label : registry.items_of(core::kLabels))
    list += (list.size() > 1 ? "," : "") + label_answer(*label);
  return list += ']';
}

CommandResult create_label(const CommandCall& call) {
  const auto label = call.home.administered().registry.create_label(given_fields(call, {}), call.context());
  if (!label) return area_error(label.error());
  return label_answer(*label);
}

CommandResult update_label(const CommandCall& call) {
  const auto id = read_id(call, "label_id");
  if (!id) return std::unexpected(id.error());
  core::Registry& registry = call.home.administered().registry;
  const auto label = registry.update_label(*id, given_fields(call, "label_id"), call.context());
  if (!label) return area_error(label.error());
  return label_answer(*label);
}

CommandResult delete_label(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("label_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto done = call.home.administered().registry.delete_label(id, call.context()); !done)
    return area_error(done.error());
  return R"("success")";
}

}  // namespace

constexpr Command kLabelCommandRows[] = {
    {"config/label_registry/list", Access::user, list_labels, Durable::no},
    {"config/label_registry/create", Access::admin, create_label, Durable::registry},
    {"config/label_registry/update", Access::admin, update_label, Durable::registry},
    {"config/label_registry/delete", Access::admin, delete_label, Durable::registry},
};
constexpr Commands kLabelCommands = kLabelCommandRows;

}  // namespace hearth::api
