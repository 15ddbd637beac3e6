// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/present_home.h"

#include <fmt/format.h>

#include <cstdlib>

#include "app/import_ha/imported_home.h"
#include "backup/home_files.h"
#include "core/rights/policy_json.h"
#include "core/values/entity_id.h"
#include "storage/database.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::Result;
using storage::Statement;

Result<void> read_accounts(storage::Database& database, PresentHome& home) {
  // A user who logs in with a passkey needs no password.
  auto select = database.prepare(
      "SELECT id, password <> '' OR id IN (SELECT user_id FROM passkeys), active, role, rights FROM users");
  if (!select) return std::unexpected(std::move(select.error()));
  const std::string nothing = core::to_json(core::Policy());
  return select->for_each([&](const Statement& row) {
    home.users[std::string(row.text(0))] = {
        .has_password = row.integer(1) != 0,
        .is_active = row.integer(2) != 0,
        .has_rights = row.text(3) == "administrator" || row.is_null(4) || row.text(4) != nothing};
  });
}

Result<void> read_settings(storage::Database& database, PresentHome& home) {
  auto select =
      database.prepare("SELECT 'home.' || key FROM home_settings UNION ALL SELECT 'mqtt.' || key FROM mqtt_settings");
  if (!select) return std::unexpected(std::move(select.error()));
  return select->for_each([&](const Statement& row) { home.settings.emplace(row.text(0)); });
}

bool is_service(const core::Hub& hub, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return false;
  const auto services = hub.services.snapshot();
  const auto domain = services->find(name.substr(0, dot));
  return domain != services->end() && domain->second->contains(name.substr(dot + 1));
}

}  // namespace

Result<void> with_present_home(const fs::path& folder, const core::Hub& hub,
                               std::span<const KnownIntegration> integrations,
                               const std::function<void(const PresentHome&)>& use) {
  const auto registry = hub.registry.snapshot();
  PresentHome home{.registry = *registry};
  {
    auto database = storage::Database::open_to_read(folder / backup::kHomeDatabase);
    if (!database) return std::unexpected(std::move(database.error()));
    if (auto read = read_accounts(*database, home); !read) return read;
    if (auto read = read_settings(*database, home); !read) return read;
  }
  const auto is_entity = [&](std::string_view entity_id) { return hub.states.find(entity_id) != nullptr; };
  import_ha::Report report;
  const auto settings = load_settings(folder, integrations);
  if (!settings) return std::unexpected(settings.error());
  home.has_tls = settings->http.tls.has_value() || !settings->http.trusted_proxies.empty();
  for (const auto& [name, place] : settings->home_places) home.settings.insert(name);
  const ImportedHome looked{.folder = folder, .registry = *registry, .was = {}, .is_there = is_entity};
  if (auto checked = check_imported_home(looked, integrations, report); !checked)
    return std::unexpected(std::move(checked.error()));
  home.report = report.to_json();
  home.is_there = [&](std::string_view name) { return is_service(hub, name) || is_entity(name); };
  home.has_file = [&](std::string_view file) {
    std::error_code error;
    return fs::exists(folder / file, error);
  };
  home.has_environment = [](const std::string& name) { return std::getenv(name.c_str()) != nullptr; };
  use(home);
  return {};
}

}  // namespace hearth::app
