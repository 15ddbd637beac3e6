// SPDX-License-Identifier: Apache-2.0
#include "api/lovelace/dashboard.h"

#include <fmt/format.h>

#include "base/text/utf8.h"
#include "core/hub.h"

namespace hearth::api {

base::Result<Dashboard> Dashboard::parse(const core::Item& item) {
  Dashboard dashboard{.id = item.id, .url_path = {}, .title = {}};
  const auto text = [&](std::string_view key, std::string& into) {
    const json::value* const value = item.fields.if_contains(key);
    if (value && value->is_string()) into = value->get_string();
    return !into.empty();
  };
  if (!text("url_path", dashboard.url_path) || !text("title", dashboard.title))
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: not a dashboard", base::utf8_excerpt(item.id)));
  if (std::string icon; text("icon", icon)) dashboard.icon = icon;
  const auto flag = [&](std::string_view key, bool otherwise) {
    const json::value* const value = item.fields.if_contains(key);
    return value && value->is_bool() ? value->get_bool() : otherwise;
  };
  dashboard.show_in_sidebar = flag("show_in_sidebar", true);
  dashboard.require_admin = flag("require_admin", true);
  return dashboard;
}

json::object Dashboard::fields() const {
  return {{"url_path", url_path},
          {"title", title},
          {"icon", icon ? json::value(*icon) : json::value()},
          {"show_in_sidebar", show_in_sidebar},
          {"require_admin", require_admin}};
}

json::object Dashboard::to_json() const {
  json::object object = fields();
  object["id"] = id;
  object["mode"] = "storage";
  if (!icon) object.erase("icon");
  return object;
}

bool may_see(const core::View& home, const Dashboard* known, std::string_view content) {
  if (known && known->require_admin && !home.rights().administer()) return false;
  return !home.names_hidden(content);
}

base::Result<std::string> dashboard_content(const core::View& home, std::string_view url_path) {
  const auto registry = home.registry();
  const core::Item* const item = registry.find_item(core::kDashboardContents, url_path);
  const json::value* const content = item ? item->fields.if_contains("config") : nullptr;
  if (!content || !content->is_string()) return base::fail(base::ErrorCode::not_found, "No config found.");
  return std::string(content->get_string());
}

std::vector<Dashboard> dashboards_of(const core::View& home) {
  std::vector<Dashboard> dashboards;
  const auto registry = home.registry();
  for (const core::Item* const item : registry.items_of(kDashboards)) {
    auto dashboard = Dashboard::parse(*item);
    if (!dashboard) continue;
    const auto content = dashboard_content(home, dashboard->url_path);
    // Of an empty one, somebody who may not read everything would see the title alone.
    if (!content && !home.rights().reads_all()) continue;
    if (may_see(home, &*dashboard, content.value_or(""))) dashboards.push_back(std::move(*dashboard));
  }
  return dashboards;
}

void fire_panels_updated(const CommandCall& call) {
  (void)call.home.administered().bus.fire(core::IfFull::pass, core::event_type::kPanelsUpdated, "{}",
                                          core::Origin::local, call.context());
}

}  // namespace hearth::api
