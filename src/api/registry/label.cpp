// SPDX-License-Identifier: Apache-2.0
#include "api/commands.h"
#include "api/registry/fields.h"

namespace hearth::api {
namespace {

std::string label_answer(const core::Item& label) {
  return base::to_json(item_answer(label, "label_id", {"name", "color", "description", "icon"}));
}

}  // namespace

CommandResult label_registry_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::string list = "[";
  const auto registry = call.home.registry();
  for (const core::Item* const label : registry.items_of(core::kLabels))
    list += (list.size() > 1 ? "," : "") + label_answer(*label);
  return list += ']';
}

CommandResult label_registry_commands::create(const CommandCall& call) {
  const auto label = call.home.administered().registry.create_label(given_fields(call, {}), call.context());
  if (!label) return area_error(label.error());
  return label_answer(*label);
}

CommandResult label_registry_commands::update(const CommandCall& call) {
  const auto id = read_id(call, "label_id");
  if (!id) return std::unexpected(id.error());
  core::Registry& registry = call.home.administered().registry;
  const auto label = registry.update_label(*id, given_fields(call, "label_id"), call.context());
  if (!label) return area_error(label.error());
  return label_answer(*label);
}

CommandResult label_registry_commands::remove(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("label_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto done = call.home.administered().registry.delete_label(id, call.context()); !done)
    return area_error(done.error());
  return R"("success")";
}

}  // namespace hearth::api
