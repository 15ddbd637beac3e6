// SPDX-License-Identifier: Apache-2.0
#include "api/lovelace/panels.h"

#include <algorithm>

#include "api/frontend/folder.h"
#include "api/gateway/message_reader.h"
#include "api/lovelace/dashboard.h"
#include "api/parts.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

// Where it stands at first.
enum class Place { sidebar, elsewhere };

struct Panel {
  std::string_view path;  // and what shows it
  std::string_view title = {}, icon = {};
  bool administrators = false;
  Place place = Place::sidebar;
};

constexpr Panel kPanels[] = {
    {"lovelace"},
    {"home", "home", "mdi:home"},
    {"light", "light", "mdi:lamps", false, Place::elsewhere},
    {"climate", "climate", "mdi:home-thermometer", false, Place::elsewhere},
    {"security", "security", "mdi:security", false, Place::elsewhere},
    {"map", "map", "mdi:tooltip-account"},
    {"logbook", "logbook", "mdi:format-list-bulleted-type"},
    {"history", "history", "mdi:chart-box"},
    {"calendar", "calendar", "mdi:calendar"},
    {"config", "config", "mdi:cog", true},
    {"developer-tools", "Developer tools", "mdi:hammer", true},
    {"profile"},
};
// Paths that are no panels: of the hub, and of pages that it may serve.
constexpr std::string_view kOtherPaths[] = {"api",       "assets", "auth",  "frontend_es5", "hearth", "frontend_latest",
                                            "hacsfiles", "local",  "static"};

json::value words_or_null(std::string_view text) {
  return text.empty() ? json::value() : json::value(text);
}

json::object described(const Panel& panel) {
  return {{"component_name", panel.path},
          {"url_path", panel.path},
          {"title", words_or_null(panel.title)},
          {"icon", words_or_null(panel.icon)},
          {"config", nullptr},
          {"config_panel_domain", nullptr},
          {"require_admin", panel.administrators},
          {"default_visible", panel.place == Place::sidebar}};
}

json::object described(const Dashboard& dashboard) {
  const std::string icon = dashboard.icon.value_or("mdi:view-dashboard");
  return {{"component_name", "lovelace"},
          {"url_path", dashboard.url_path},
          {"title", dashboard.show_in_sidebar ? json::value(dashboard.title) : json::value()},
          {"icon", dashboard.show_in_sidebar ? json::value(icon) : json::value()},
          {"config", {{"mode", "storage"}}},
          {"config_panel_domain", nullptr},
          {"require_admin", dashboard.require_admin},
          {"default_visible", true}};
}

CommandResult get_panels(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::object panels;
  for (const Panel& panel : kPanels) {
    if (panel.administrators && !call.home.rights().administer()) continue;
    // A panel that the served frontend does not know would lead to an error.
    if (call.parts.frontend && !panel.title.empty() && !call.parts.frontend->knows_panel(panel.title)) continue;
    json::object& made = panels[panel.path].emplace_object();
    made = described(panel);
    if (panel.path == kDefaultDashboard) made["config"] = {{"mode", "storage"}};
  }
  for (const Dashboard& dashboard : dashboards_of(call.home)) panels[dashboard.url_path] = described(dashboard);
  return base::to_json(panels);
}

}  // namespace

bool is_panel_path(std::string_view segment) {
  return std::ranges::find(kPanels, segment, &Panel::path) != std::end(kPanels) ||
         std::ranges::find(kOtherPaths, segment) != std::end(kOtherPaths);
}

constexpr Command kPanelCommandRows[] = {
    {"get_panels", Access::user, get_panels, Durable::no},
};
constexpr Commands kPanelCommands = kPanelCommandRows;

}  // namespace hearth::api
