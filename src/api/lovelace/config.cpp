// SPDX-License-Identifier: Apache-2.0
// The contents of dashboards: JSON objects that the pages understand, and the hub only keeps.
#include <fmt/format.h>

#include "api/gateway/message_reader.h"
#include "api/lovelace/dashboard.h"
#include "api/rows.h"
#include "base/text/utf8.h"

namespace hearth::api {
namespace {

std::unexpected<CommandError> no_config(std::string message) {
  return std::unexpected(CommandError(kConfigNotFound, std::move(message)));
}

std::unexpected<CommandError> no_dashboard(std::string_view url_path) {
  return no_config(fmt::format("There is no dashboard {}.", base::utf8_excerpt(url_path)));
}

// Null is the default one.
bool exists(const core::View& home, std::string_view url_path, std::optional<Dashboard>& found) {
  if (url_path == kDefaultDashboard) return true;
  for (Dashboard& dashboard : dashboards_of(home)) {
    if (dashboard.url_path == url_path) found = std::move(dashboard);
  }
  return found.has_value();
}

void read_path(MessageReader& in, std::string& url_path) {
  in.optional("url_path", url_path);
  if (url_path.empty()) url_path = kDefaultDashboard;
}

void fire_updated(const CommandCall& call, std::string_view url_path) {
  const json::object data{{"url_path", url_path == kDefaultDashboard ? json::value() : json::value(url_path)},
                          {"mode", "storage"}};
  (void)call.home.administered().bus.fire(core::IfFull::pass, core::event_type::kLovelaceUpdated, base::to_json(data),
                                          core::Origin::local, call.context());
}

// Fails with config_not_found.
CommandResult get_dashboard_config(const CommandCall& call) {
  std::string url_path;
  bool force = false;  // for hubs that read a file; this one always answers with what was saved
  MessageReader in(call.message);
  read_path(in, url_path);
  in.optional("force", force);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::optional<Dashboard> dashboard;
  if (!exists(call.home, url_path, dashboard)) return no_dashboard(url_path);
  auto content = dashboard_content(call.home, url_path);
  if (!content) return no_config(content.error().message);
  if (!may_see(call.home, dashboard ? &*dashboard : nullptr, *content)) return no_config("No config found.");
  if (const auto parsed = base::parse_json(*content); !parsed || !parsed->is_object()) {
    return std::unexpected(
        CommandError(command_error::kHomeAssistantError,
                     fmt::format("What is stored for the dashboard {} is damaged: {}. Save it again.", url_path,
                                 parsed ? "it is no object" : parsed.error().message)));
  }
  return std::move(*content);
}

// Fails with config_not_found.
CommandResult save_dashboard_config(const CommandCall& call) {
  std::string url_path;
  json::object config;
  MessageReader in(call.message);
  read_path(in, url_path);
  in.required("config", config);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::optional<Dashboard> dashboard;
  if (!exists(call.home, url_path, dashboard)) return no_dashboard(url_path);
  std::string text = base::to_json(config);
  if (text.size() > core::kMaxDashboardBytes) {
    return std::unexpected(CommandError(
        command_error::kInvalidFormat,
        fmt::format("config: expected at most {} bytes of JSON, got {}", core::kMaxDashboardBytes, text.size())));
  }
  core::Registry& registry = call.home.administered().registry;
  const std::string collection(core::kDashboardContents);
  json::object fields{{"config", std::move(text)}};
  auto saved = registry.snapshot()->find_item(collection, url_path)
                   ? registry.update_item(collection, url_path, fields, std::nullopt, call.context())
                   : registry.create_item(collection, url_path, fields, call.context());
  if (!saved) return std::unexpected(saved.error());
  fire_updated(call, url_path);
  return "null";
}

// Fails with config_not_found.
CommandResult delete_dashboard_config(const CommandCall& call) {
  std::string url_path;
  MessageReader in(call.message);
  read_path(in, url_path);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::optional<Dashboard> dashboard;
  if (!exists(call.home, url_path, dashboard)) return no_dashboard(url_path);
  core::Registry& registry = call.home.administered().registry;
  const std::string collection(core::kDashboardContents);
  if (!registry.snapshot()->find_item(collection, url_path)) return no_config("No config found.");
  if (auto done = registry.delete_items(collection, {&url_path, 1}, call.context()); !done)
    return std::unexpected(done.error());
  fire_updated(call, url_path);
  return "null";
}

}  // namespace

constexpr Command kDashboardConfigCommandRows[] = {
    {"lovelace/config", Access::user, get_dashboard_config, Durable::no},
    {"lovelace/config/save", Access::admin, save_dashboard_config, Durable::registry},
    {"lovelace/config/delete", Access::admin, delete_dashboard_config, Durable::registry},
};
constexpr Commands kDashboardConfigCommands = kDashboardConfigCommandRows;

}  // namespace hearth::api
