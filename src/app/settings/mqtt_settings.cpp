// SPDX-License-Identifier: Apache-2.0
#include "app/settings/mqtt_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/files/configuration_file.h"
#include "base/log/log.h"
#include "integrations/mqtt/manual/manual_items.h"

namespace hearth::app {
namespace {

using base::ConfigNode;
using integrations::mqtt::Options;

constexpr std::string_view kSection = "mqtt", kPassword = "password";

// Values are written as in configuration.yaml.
constexpr std::array<std::string_view, 1> kMqttSettingsSteps{R"(
  CREATE TABLE mqtt_settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
)"};

std::optional<ConfigNode> section_of(const Settings& settings) {
  const auto found = std::ranges::find(settings.integrations, kSection, &IntegrationSettings::name);
  if (found == settings.integrations.end()) return {};
  return found->options;
}

ConfigNode node_of(const std::map<std::string, std::string>& values) {
  ConfigNode::Map entries;
  for (const auto& [key, value] : values) entries.push_back({key, ConfigNode({{}, 0, key}, value)});
  return ConfigNode({}, std::move(entries));
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

json::object connection_json(const Options& options) {
  return {{"broker", options.broker},
          {"port", options.port},
          {"username", text_or_null(options.username)},
          {"password_set", !options.password.empty()},
          {"client_id", text_or_null(options.client_id)},
          {"protocol", to_string(options.protocol)},
          {"keepalive", options.keepalive},
          {"certificate", text_or_null(options.certificate)},
          {"client_cert", text_or_null(options.client_certificate)},
          {"client_key", text_or_null(options.client_key)},
          {"tls_insecure", options.tls_insecure},
          {"discovery", options.discovery},
          {"discovery_prefix", options.discovery_prefix}};
}

}  // namespace

storage::Schema MqttSettings::schema() {
  return {"mqtt_settings", kMqttSettingsSteps};
}

MqttSettings::MqttSettings(core::Hub& hub, const Settings& settings, Apply apply, Try attempt)
    : hub_(hub),
      apply_(std::move(apply)),
      try_(std::move(attempt)),
      file_(section_of(settings)),
      faults_(std::make_shared<const std::vector<std::string>>()) {
  apply_components(settings);
}

void MqttSettings::apply_components(const Settings& settings) {
  components_ = settings.mqtt_components;
  faults_.publish(std::make_shared<const std::vector<std::string>>(
      integrations::mqtt::check_manual_items(integrations::mqtt::joined_sections(ConfigNode(), components_))));
}

base::Result<void> MqttSettings::open(const std::filesystem::path& file) {
  // An acknowledged setting must survive a power failure.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  database_.emplace(std::move(*database));
  if (auto ready = storage::migrate(*database_, "mqtt_settings", kMqttSettingsSteps); !ready) return ready;
  auto select = database_->prepare("SELECT key, value FROM mqtt_settings");
  if (!select) return std::unexpected(std::move(select.error()));
  Values values;
  auto read = select->for_each([&](const storage::Statement& row) { values.emplace(row.text(0), row.text(1)); });
  if (!read || values.empty()) return read;
  if (const auto valid = Options::parse(node_of(values)); !valid)
    base::log_warning("mqtt", "the stored connection is ignored: {}", valid.error().message);
  else
    stored_ = std::move(values);
  return {};
}

std::optional<ConfigNode> MqttSettings::connection() const {
  if (file_) return file_;
  if (stored_.empty()) return {};
  return node_of(stored_);
}

std::optional<ConfigNode> MqttSettings::options() const {
  const auto present = connection();
  if (present) return integrations::mqtt::joined_sections(*present, components_);
  if (!components_.empty())
    base::log_warning("mqtt", "{} describes components, but there is no connection to a broker", kConfigurationFile);
  return {};
}

json::object MqttSettings::config() const {
  const auto present = connection();
  return {{"editable", !file_},
          {"place", file_ ? json::value(fmt::format("{}:{}: {}", kConfigurationFile, file_->place().line, kSection))
                          : json::value()},
          {"config", present ? json::value(connection_json(Options::parse(*present).value())) : json::value()}};
}

base::Result<void> MqttSettings::check_editable() const {
  if (!file_) return {};
  return base::fail(base::ErrorCode::conflict, fmt::format("The connection is set in {}:{}, and can be changed only "
                                                           "there.",
                                                           kConfigurationFile, file_->place().line));
}

base::Result<ConfigNode> MqttSettings::with_password(const ConfigNode& values) const {
  const auto wanted = Options::parse(values);
  if (!wanted) return std::unexpected(wanted.error());
  const auto present = connection();
  if (!present || values.find(kPassword)) return values;
  const Options now = Options::parse(*present).value();
  if (now.password.empty() || now.broker != wanted->broker || now.username != wanted->username) return values;
  ConfigNode::Map entries = values.entries();
  std::string key(kPassword);
  ConfigNode password({{}, 0, key}, now.password);
  entries.push_back({std::move(key), std::move(password)});
  return ConfigNode({}, std::move(entries));
}

base::Result<void> MqttSettings::save(const ConfigNode& values) {
  if (auto editable = check_editable(); !editable) return editable;
  const auto whole = with_password(values);
  if (!whole) return std::unexpected(whole.error());
  Values stored;
  for (const auto& [key, value] : whole->entries()) stored.emplace(key, value.text().value());
  if (auto done = store(stored); !done) return done;
  stored_ = std::move(stored);
  apply();
  return {};
}

base::Result<void> MqttSettings::remove() {
  if (auto editable = check_editable(); !editable) return editable;
  if (stored_.empty()) return base::fail(base::ErrorCode::not_found, "The home has no connection to an MQTT broker.");
  if (auto done = store({}); !done) return done;
  stored_.clear();
  apply();
  return {};
}

base::Result<void> MqttSettings::test(const ConfigNode& values, Tested tested) {
  const auto whole = with_password(values);
  if (!whole) return std::unexpected(whole.error());
  hub_.bus.post(
      [this, options = Options::parse(*whole).value(), tested = std::move(tested)] { try_(options, tested); });
  return {};
}

base::Result<void> MqttSettings::apply(const Settings& loaded) {
  if (auto good = check_sections(loaded, {kSection}); !good) return good;
  file_ = section_of(loaded);
  apply_components(loaded);
  apply();
  return {};
}

void MqttSettings::apply() {
  hub_.bus.post([this, now = options()] { apply_(now); });
}

base::Result<void> MqttSettings::store(const Values& values) {
  auto transaction = storage::Transaction::begin(*database_, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (auto cleared = database_->run("DELETE FROM mqtt_settings"); !cleared) return std::unexpected(cleared.error());
  for (const auto& [key, value] : values) {
    const auto written = database_->run("INSERT INTO mqtt_settings(key, value) VALUES(?, ?)", key, value);
    if (!written) return std::unexpected(written.error());
  }
  return transaction->commit();
}

}  // namespace hearth::app
