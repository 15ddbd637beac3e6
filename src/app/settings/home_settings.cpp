// SPDX-License-Identifier: Apache-2.0
#include "app/settings/home_settings.h"

#include <fmt/format.h>

#include <array>

#include "app/sections/home_section.h"
#include "base/config/config_reader.h"
#include "base/json/json.h"
#include "base/log/log.h"

namespace hearth::app {
namespace {

using base::ConfigNode;

// Values are written as in configuration.yaml.
constexpr std::array<std::string_view, 1> kSteps{R"(
  CREATE TABLE home_settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
)"};

ConfigNode::Entry entry(std::string key, std::string value) {
  ConfigNode node({{}, 0, key}, std::move(value));
  return {std::move(key), std::move(node)};
}

base::Result<core::HubConfig> read(const ConfigNode& values, core::HubConfig home) {
  base::ConfigReader in(values);
  read_home(in, home, kLocationNameKey);
  return in.finish(std::move(home));
}

json::object home_object(const core::HubConfig& home) {
  return {{"location_name", home.location_name},
          {"latitude", home.latitude},
          {"longitude", home.longitude},
          {"elevation", home.elevation},
          {"time_zone", home.time_zone},
          {"unit_system", home.unit_system == core::UnitSystem::metric ? "metric" : "us_customary"},
          {"currency", home.currency},
          {"country", home.country.empty() ? json::value() : json::value(home.country)},
          {"language", home.language},
          {"internal_url", home.internal_url},
          {"external_url", home.external_url}};
}

}  // namespace

storage::Schema HomeSettings::schema() {
  return {"home_settings", kSteps};
}

base::Result<void> HomeSettings::check_values(const ConfigNode& values) {
  const auto valid = read(values, {});
  if (!valid) return std::unexpected(valid.error());
  return {};
}

base::Result<void> HomeSettings::open(const std::filesystem::path& file) {
  // An acknowledged setting must survive a power failure.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  database_.emplace(std::move(*database));
  if (auto ready = storage::migrate(*database_, "home_settings", kSteps); !ready) return ready;
  auto select = database_->prepare("SELECT key, value FROM home_settings");
  if (!select) return std::unexpected(std::move(select.error()));
  return select->for_each([this](const storage::Statement& row) {
    std::string key(row.text(0)), value(row.text(1));
    if (const auto valid = read(ConfigNode({}, ConfigNode::Map{entry(key, value)}), {})) {
      stored_.emplace(std::move(key), std::move(value));
    } else {
      base::log_warning("hub", "a stored setting is ignored: {}", valid.error().message);
    }
  });
}

core::HubConfig HomeSettings::config(core::HubConfig rest, std::string own_url) {
  own_url_ = std::move(own_url);
  return with_home(std::move(rest));
}

core::HubConfig HomeSettings::with_home(core::HubConfig rest) const {
  ConfigNode::Map values;
  for (const auto& [key, value] : stored_) {
    if (!settings().home_places.contains(key)) values.push_back(entry(key, value));
  }
  core::HubConfig config = read(ConfigNode({}, std::move(values)), settings().home).value();
  if (config.internal_url.empty()) config.internal_url = own_url_;
  if (config.external_url.empty()) config.external_url = config.internal_url;
  for (const auto& [key, place] : settings().home_places) config.file_keys.insert(key);
  config.uuid = std::move(rest.uuid);
  config.config_dir = std::move(rest.config_dir);
  config.version = std::move(rest.version);
  config.components = std::move(rest.components);
  return config;
}

base::Result<void> HomeSettings::change(const ConfigNode& changes, const core::Context& context) {
  for (const auto& [key, value] : changes.entries()) {
    const auto place = settings().home_places.find(key);
    if (place == settings().home_places.end()) continue;
    return base::fail(base::ErrorCode::conflict,
                      fmt::format("{} is set in {}, and can be changed only there.", key, place->second));
  }
  if (const auto valid = read(changes, {}); !valid) return std::unexpected(valid.error());
  if (auto stored = store(changes); !stored) return stored;
  for (const auto& [key, value] : changes.entries()) stored_.insert_or_assign(key, value.text().value());
  publish(context);
  return {};
}

base::Result<std::string> HomeSettings::check_file() const {
  const auto loaded = load_();
  if (!loaded) return std::unexpected(loaded.error());
  const Findings& findings = (*loaded)->findings;
  if (!has(findings, Finding::Kind::wrong)) return texts_of(findings, Finding::Kind::left_out);
  return base::fail(base::ErrorCode::invalid, texts_of(findings, Finding::Kind::wrong));
}

base::Result<void> HomeSettings::apply(const Settings& loaded, const core::Context& context) {
  if (auto good = check_sections(loaded, {kHomeKey}); !good) return good;
  reloaded_ = loaded;
  publish(context);
  return {};
}

void HomeSettings::publish(const core::Context& context) {
  const auto before = hub_.config.load_once();
  core::HubConfig after = with_home(*before);
  const json::object old_values = home_object(*before);
  json::object differences = home_object(after);
  for (const auto& [key, value] : old_values) {
    if (differences.at(key) == value) differences.stable_erase(key);
  }
  if (!differences.empty() || after.file_keys != before->file_keys)
    core::update_config(hub_, std::move(after), context, base::to_json(differences));
}

base::Result<void> HomeSettings::store(const ConfigNode& changes) {
  auto transaction = storage::Transaction::begin(*database_, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  for (const auto& [key, value] : changes.entries()) {
    const auto written = database_->run(
        "INSERT INTO home_settings(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", key,
        value.text().value());
    if (!written) return std::unexpected(written.error());
  }
  return transaction->commit();
}

}  // namespace hearth::app
