// SPDX-License-Identifier: Apache-2.0
// Scripts and styles that the pages load besides their own, for cards that others have made.
#include <fmt/format.h>

#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "core/hub.h"

namespace hearth::api {
namespace {

constexpr std::string_view kResources = core::kPageResources;
constexpr core::Words kResourceTypes = "module css js html";
constexpr std::size_t kMaxUrl = 2'048;  // bytes

base::Result<void> check(const json::object& fields) {
  const std::string_view type = fields.at("type").get_string(), url = fields.at("url").get_string();
  if (!kResourceTypes.contains(type))
    return base::fail(base::ErrorCode::invalid, "res_type: expected module, css, js or html");
  if (url.empty() || url.size() > kMaxUrl)
    return base::fail(base::ErrorCode::invalid, fmt::format("url: expected a text of 1 to {} bytes", kMaxUrl));
  return {};
}

json::object resource_json(const core::Item& item) {
  json::object object = item.fields;
  object["id"] = item.id;
  return object;
}

CommandResult list_resources(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array list;
  const auto registry = call.home.registry();
  for (const core::Item* const item : registry.items_of(kResources)) list.push_back(resource_json(*item));
  return base::to_json(list);
}

CommandResult create_resource(const CommandCall& call) {
  std::string type, url;
  MessageReader in(call.message);
  in.required("res_type", type);
  in.required("url", url);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::object fields{{"type", type}, {"url", url}};
  if (auto checked = check(fields); !checked) return std::unexpected(checked.error());
  const auto item =
      call.home.administered().registry.create_item(std::string(kResources), {}, std::move(fields), call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(resource_json(*item));
}

CommandResult update_resource(const CommandCall& call) {
  std::string id;
  std::optional<std::string> type, url;
  MessageReader in(call.message);
  in.required("resource_id", id);
  in.optional("res_type", type);
  in.optional("url", url);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  core::Registry& registry = call.home.administered().registry;
  const auto data = registry.snapshot();
  const core::Item* const former = data->find_item(kResources, id);
  json::object fields = former ? former->fields : json::object{{"type", "module"}, {"url", "-"}};
  if (type) fields["type"] = *type;
  if (url) fields["url"] = *url;
  if (auto checked = check(fields); !checked) return std::unexpected(checked.error());
  const auto item = registry.update_item(std::string(kResources), id, std::move(fields), std::nullopt, call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(resource_json(*item));
}

CommandResult delete_resource(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("resource_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  auto done = call.home.administered().registry.delete_items(std::string(kResources), {&id, 1}, call.context());
  if (!done) return std::unexpected(done.error());
  return "null";
}

}  // namespace

constexpr Command kDashboardResourceCommandRows[] = {
    {"lovelace/resources", Access::user, list_resources, Durable::no},
    {"lovelace/resources/create", Access::admin, create_resource, Durable::registry},
    {"lovelace/resources/update", Access::admin, update_resource, Durable::registry},
    {"lovelace/resources/delete", Access::admin, delete_resource, Durable::registry},
};
constexpr Commands kDashboardResourceCommands = kDashboardResourceCommandRows;

}  // namespace hearth::api
