// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "api/gateway/message_reader.h"
#include "api/lovelace/dashboard.h"
#include "api/lovelace/panels.h"
#include "api/rows.h"
#include "base/text/utf8.h"
#include "core/hub.h"

namespace hearth::api {
namespace {

constexpr std::size_t kMaxText = 255;  // bytes of a path, a title, an icon

base::Result<void> check(const Dashboard& dashboard) {
  using base::ErrorCode;
  const std::pair<std::string_view, std::string_view> texts[] = {
      {"url_path", dashboard.url_path}, {"title", dashboard.title}, {"icon", dashboard.icon ? *dashboard.icon : "-"}};
  for (const auto& [key, text] : texts) {
    if (text.empty() || text.size() > kMaxText)
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected a text of 1 to {} bytes", key, kMaxText));
  }
  return {};
}

base::Result<void> check_path(std::string_view url_path, bool allow_single_word) {
  using base::ErrorCode;
  const auto usual = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  if (!std::ranges::all_of(url_path, usual)) {
    return base::fail(ErrorCode::invalid, fmt::format("url_path: expected lower-case letters, digits, - and _, got {}",
                                                      base::utf8_excerpt(url_path)));
  }
  if (!allow_single_word && !url_path.contains('-'))
    return base::fail(ErrorCode::invalid, "url_path: expected a hyphen in it, or allow_single_word");
  if (is_panel_path(url_path))
    return base::fail(ErrorCode::invalid, fmt::format("url_path: {} is a page of the hub", url_path));
  return {};
}

std::unexpected<CommandError> invalid(const base::Error& error) {
  return std::unexpected(CommandError(error));
}

base::Result<Dashboard> find(const core::RegistryData& data, const std::string& id) {
  const core::Item* const item = data.find_item(kDashboards, id);
  if (item) return Dashboard::parse(*item);
  return base::fail(base::ErrorCode::not_found, fmt::format("There is no dashboard {}.", base::utf8_excerpt(id)));
}

CommandResult list_dashboards(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array list;
  for (const Dashboard& dashboard : dashboards_of(call.home)) list.push_back(dashboard.to_json());
  return base::to_json(list);
}

CommandResult create_dashboard(const CommandCall& call) {
  Dashboard made;
  bool allow_single_word = false;
  std::string mode = "storage";
  MessageReader in(call.message);
  in.required("url_path", made.url_path);
  in.required("title", made.title);
  in.optional("icon", made.icon);
  in.optional("show_in_sidebar", made.show_in_sidebar);
  in.optional("require_admin", made.require_admin);
  in.optional("allow_single_word", allow_single_word);
  in.optional("mode", mode);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto checked = check(made); !checked) return invalid(checked.error());
  if (auto checked = check_path(made.url_path, allow_single_word); !checked) return invalid(checked.error());
  if (mode != "storage") return invalid({base::ErrorCode::invalid, "mode: expected storage"});
  made.id = made.url_path;
  std::ranges::replace(made.id, '-', '_');
  core::Registry& registry = call.home.administered().registry;
  if (registry.snapshot()->items_of(kDashboards).size() >= core::kMaxDashboards - 1) {
    return invalid({base::ErrorCode::full, fmt::format("There are at most {} dashboards.", core::kMaxDashboards - 1)});
  }
  const auto item = registry.create_item(std::string(kDashboards), made.id, made.fields(), call.context());
  if (!item) return std::unexpected(item.error());
  fire_panels_updated(call);
  return base::to_json(made.to_json());
}

CommandResult update_dashboard(const CommandCall& call) {
  std::string id, mode;
  MessageReader in(call.message);
  in.required("dashboard_id", id);
  core::Registry& registry = call.home.administered().registry;
  auto found = find(*registry.snapshot(), id);
  Dashboard changed = found.value_or(Dashboard{});
  std::optional<std::optional<std::string>> icon;
  in.optional("title", changed.title);
  in.change("icon", icon);
  in.optional("show_in_sidebar", changed.show_in_sidebar);
  in.optional("require_admin", changed.require_admin);
  in.optional("mode", mode);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!found) return std::unexpected(found.error());
  if (icon) changed.icon = *icon;
  if (auto checked = check(changed); !checked) return invalid(checked.error());
  const auto item = registry.update_item(std::string(kDashboards), id, changed.fields(), std::nullopt, call.context());
  if (!item) return std::unexpected(item.error());
  fire_panels_updated(call);
  return base::to_json(changed.to_json());
}

CommandResult delete_dashboard(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("dashboard_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  core::Registry& registry = call.home.administered().registry;
  const auto found = find(*registry.snapshot(), id);
  if (!found && found.error().code == base::ErrorCode::not_found) return std::unexpected(found.error());
  const std::string contents(core::kDashboardContents);
  if (found && registry.snapshot()->find_item(contents, found->url_path)) {
    if (auto done = registry.delete_items(contents, {&found->url_path, 1}, call.context()); !done)
      return std::unexpected(done.error());
  }
  if (auto done = registry.delete_items(std::string(kDashboards), {&id, 1}, call.context()); !done)
    return std::unexpected(done.error());
  fire_panels_updated(call);
  return "null";
}

}  // namespace

constexpr Command kDashboardCommandRows[] = {
    {"lovelace/info", Access::user, R"({"mode":"storage","resource_mode":"storage"})", Durable::no},
    {"lovelace/dashboards/list", Access::user, list_dashboards, Durable::no},
    {"lovelace/dashboards/create", Access::admin, create_dashboard, Durable::registry},
    {"lovelace/dashboards/update", Access::admin, update_dashboard, Durable::registry},
    {"lovelace/dashboards/delete", Access::admin, delete_dashboard, Durable::registry},
};
constexpr Commands kDashboardCommands = kDashboardCommandRows;

}  // namespace hearth::api
