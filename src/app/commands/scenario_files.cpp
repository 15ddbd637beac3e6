// SPDX-License-Identifier: Apache-2.0
#include "app/commands/scenario_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/files/configuration_file.h"
#include "app/files/yaml_files.h"
#include "app/sections/automation_sections.h"
#include "app/sections/home_section.h"
#include "app/settings/config_folder.h"
#include "automation/items/edited_item.h"
#include "automation/items/item_parser.h"
#include "core/values/words.h"
#include "recorder/journal/registry_store.h"
#include "simulation/scenario_parser.h"
#include "storage/database.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ConfigNode;
using base::Result;

// Settings that an administrator has changed while the hub ran, for keys that the file lacks.
core::HubConfig home_of(const fs::path& folder, const Settings& settings) {
  core::HubConfig home = settings.home;
  std::error_code error;
  if (!fs::exists(folder / kDatabaseName, error)) return home;
  auto database = storage::Database::open_to_read(folder / kDatabaseName);
  auto select = database ? database->prepare("SELECT key, value FROM home_settings")
                         : Result<storage::Statement>(std::unexpected(database.error()));
  if (!select) return home;
  static_cast<void>(select->for_each([&](const storage::Statement& row) {
    const std::string key(row.text(0));
    if (settings.home_places.contains(key)) return;
    ConfigNode::Map values;
    values.push_back({key, ConfigNode({{}, 0, key}, std::string(row.text(1)))});
    const ConfigNode node({}, std::move(values));
    core::HubConfig changed = home;
    base::ConfigReader in(node);
    read_home(in, changed, kLocationNameKey);
    if (in.finish(0)) home = std::move(changed);
  }));
  return home;
}

std::string texts_of_problems(const yaml::LoadedYaml& loaded) {
  std::string lines;
  for (const auto& problem : loaded.problems) lines += (lines.empty() ? "" : "\n") + problem.error.message;
  return lines;
}

bool is_within(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

ScenarioFiles::ScenarioFiles(fs::path folder, std::span<const KnownIntegration> integrations)
    : folder_(std::move(folder)), settings_(load_settings(folder_, integrations)) {
  if (settings_) home_ = home_of(folder_, *settings_);
}

fs::path ScenarioFiles::root_of(const fs::path& path) const {
  return is_within(path, folder_) ? folder_ : path.parent_path();
}

std::vector<core::RegisteredEntity> ScenarioFiles::registered() const {
  constexpr core::Words kMadeHere{"automation script template"};
  std::vector<core::RegisteredEntity> all;
  std::error_code error;
  if (!fs::exists(folder_ / kDatabaseName, error)) return all;
  auto database = storage::Database::open_to_read(folder_ / kDatabaseName);
  const auto registry =
      database ? recorder::read_registry(*database) : Result<core::RegistryData>(std::unexpected(database.error()));
  if (!registry) return all;
  for (const auto& [entity_id, entity] : registry->entities) {
    if (!kMadeHere.contains(entity.integration)) continue;
    all.push_back({.id = entity.id,
                   .entity_id = entity.entity_id,
                   .unique_id = entity.unique_id,
                   .integration = entity.integration});
  }
  return all;
}

Result<std::string> ScenarioFiles::put_edited(std::string_view text) {
  if (!settings_) return std::unexpected(settings_.error());
  YamlFiles files(folder_, nullptr, YamlFiles::Faults::count);
  const auto loaded = files.load(text, "automation");
  if (!loaded) return std::unexpected(loaded.error());
  if (std::string errors = texts_of_problems(*loaded); !errors.empty())
    return base::fail(base::ErrorCode::invalid, std::move(errors));
  if (auto put = automation::put_edited(settings_->automations, loaded->root); !put)
    return std::unexpected(put.error());
  automation::Sections alone;
  alone.blueprints = settings_->automations.blueprints;
  alone.automations = {ConfigNode({}, ConfigNode::List{loaded->root})};
  std::string errors;
  for (const std::string& error : automation::errors_of(automation::parse_configuration(alone)))
    errors += (errors.empty() ? "" : "\n") + error;
  if (!errors.empty()) return base::fail(base::ErrorCode::invalid, std::move(errors));
  return loaded->root.find("id")->text();
}

Result<std::vector<simulation::Scenario>> ScenarioFiles::load(const std::string& file, base::Timestamp now) {
  std::error_code error;
  const fs::path path = fs::absolute(file, error).lexically_normal();
  const auto text = read_text_file(path);
  if (!text) return base::fail(text.error().code, fmt::format("{}: {}", file, text.error().message));
  return load(*text, path, Reach::anywhere, now);
}

Result<std::vector<simulation::Scenario>> ScenarioFiles::load_text(const std::string& text, base::Timestamp now) {
  return load(text, folder_ / "scenario", Reach::folder, now);
}

Result<std::vector<simulation::Scenario>> ScenarioFiles::load(const std::string& text, const fs::path& path,
                                                              Reach reach, base::Timestamp now) {
  YamlFiles files(root_of(path), nullptr, YamlFiles::Faults::count);
  const auto loaded = files.load(text, path.filename().native());
  if (!loaded) return std::unexpected(loaded.error());
  std::string errors = texts_of_problems(*loaded);
  auto scenarios = simulation::parse_scenarios(loaded->root, home_, now);
  if (!scenarios) errors += (errors.empty() ? "" : "\n") + scenarios.error().message;
  for (std::size_t i = 0; scenarios && i < scenarios->size(); ++i) {
    if (auto resolved = resolve((*scenarios)[i], path.parent_path(), reach); !resolved)
      errors += (errors.empty() ? "" : "\n") + resolved.error().message;
  }
  if (!errors.empty()) return base::fail(base::ErrorCode::invalid, std::move(errors));
  return scenarios;
}

Result<void> ScenarioFiles::resolve(simulation::Scenario& scenario, const fs::path& folder, Reach reach) {
  const bool own = !scenario.automations;
  const bool named = !own && scenario.automations->is_text();
  if (own && !settings_) return std::unexpected(settings_.error());
  // A list stands by itself; a file is one of a home, whose scripts and helpers its automations use.
  if ((own || named) && settings_) scenario.sections = settings_->automations;
  if (named) {
    auto automations = load_automations(*scenario.automations, folder, reach);
    if (!automations) return std::unexpected(automations.error());
    scenario.sections.automations = {std::move(*automations)};
  } else if (!own) {
    scenario.sections.automations = {*scenario.automations};
  }
  if (!scenario.config) return {};
  automation::Sections parts;
  read_parts(parts, *scenario.config);
  if (!parts.faults.empty()) {
    std::string lines;
    for (const std::string& fault : parts.faults) lines += (lines.empty() ? "" : "\n") + fault;
    return base::fail(base::ErrorCode::invalid, std::move(lines));
  }
  add_parts(scenario.sections, std::move(parts));
  return {};
}

Result<ConfigNode> ScenarioFiles::load_automations(const ConfigNode& name, const fs::path& folder, Reach reach) {
  const fs::path path = (folder / name.text().value()).lexically_normal();
  if (reach == Reach::folder && !is_within(path, folder_))
    return std::unexpected(name.mismatch("a file in the configuration folder"));
  if (const auto known = loaded_.find(path.native()); known != loaded_.end()) return known->second;
  const auto text = read_text_file(path);
  if (!text) return std::unexpected(name.error(text.error().message));
  const fs::path root = root_of(path);
  YamlFiles files(root);
  auto loaded = files.load(*text, path.lexically_relative(root).native());
  if (!loaded) return std::unexpected(loaded.error());
  if (std::string errors = texts_of_problems(*loaded); !errors.empty())
    return base::fail(base::ErrorCode::invalid, std::move(errors));
  loaded_.emplace(path.native(), loaded->root);
  return std::move(loaded->root);
}

}  // namespace hearth::app
