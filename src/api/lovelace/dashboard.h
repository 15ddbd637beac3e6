// SPDX-License-Identifier: Apache-2.0
// Dashboards that people make for the pages: each has a path, a place in the sidebar and a content, which the hub keeps
// without understanding it. They are items of the registry's collections. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/gateway/command.h"
#include "core/registry/collection.h"

namespace hearth::api {

// The dashboard that every home has: no item describes it, it has a content once somebody has saved one.
constexpr std::string_view kDefaultDashboard = "lovelace";
using core::kDashboards;

// The error code with which the pages make a dashboard of their own.
constexpr std::string_view kConfigNotFound = "config_not_found";

struct Dashboard {
  std::string id, url_path, title;
  std::optional<std::string> icon = {};
  bool show_in_sidebar = true, require_admin = false;

  // Fails with invalid if the item is not what this writes.
  static base::Result<Dashboard> parse(const core::Item& item);
  json::object fields() const;
  json::object to_json() const;  // as clients see it
};

// The dashboards that the caller may see, in their order. Items that are no dashboards are left out.
std::vector<Dashboard> dashboards_of(const core::View& home);
// True if the caller may see what is on the dashboard: it is not only for administrators, and names nothing that the
// caller may not read. `known` is null for the default dashboard.
bool may_see(const core::View& home, const Dashboard* known, std::string_view content);
// The text of the JSON object that was saved. Fails with not_found.
base::Result<std::string> dashboard_content(const core::View& home, std::string_view url_path);

// Tells the pages that the panels have changed.
void fire_panels_updated(const CommandCall& call);

}  // namespace hearth::api
