// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>

#include "app/automation_sections.h"
#include "app/blueprint_files.h"
#include "app/configuration_file.h"
#include "app/home_section.h"
#include "app/limits_section.h"
#include "app/mqtt_sections.h"
#include "app/yaml_files.h"
#include "base/config_reader.h"
#include "base/utf8.h"
#include "base/web_origin.h"
#include "core/entity_id.h"

namespace hearth::app {
namespace {

using base::ConfigReader;

constexpr base::Duration kSiteCommitInterval = std::chrono::milliseconds(250);
using OptionalText = std::optional<std::string>;

OptionalText parse_host(std::string_view text) {
  if (text == "localhost") return "127.0.0.1";
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(text, error);
  if (error) return {};
  return address.to_string();
}

void read_http(ConfigReader& in, HttpSettings& http) {
  in.parsed_list("server_host", http.server_host, "an address such as 192.168.1.5 or ::1", parse_host);
  in.integer("server_port", http.server_port, 1, 65'535);
  in.parsed_list("cors_allowed_origins", http.cors_allowed_origins, "an origin such as https://dashboard.example.org",
                 base::parse_web_origin);
  in.parsed_list("trusted_proxies", http.trusted_proxies, "an address or network such as 192.168.1.2 or 172.16.0.0/12",
                 base::IpNetwork::parse);
  in.byte_size("max_body_size", http.limits.body_bytes, 1 << 10, 1 << 30);
  in.integer("max_connections", http.limits.connections, 1, 1'000'000);
  in.integer("stream_max_frames", http.limits.stream_frames, 16, 1'000'000);
  in.byte_size("stream_max_bytes", http.limits.stream_bytes, 64 << 10, 1 << 30);
  read_limits(in.section("limits"), http.limits);
}

void read_frontend(ConfigReader& in, FrontendSettings& frontend) {
  in.text("folder", frontend.folder);
  if (const base::ConfigNode* const node = in.find("folder"))
    frontend.place = fmt::format("{}:{}: {}", kConfigurationFile, node->place().line, node->place().key);
}

void read_log(ConfigReader& in, base::LogLevel& level) {
  using base::LogLevel;
  in.option("level", level,
            {{"debug", LogLevel::debug},
             {"info", LogLevel::info},
             {"warning", LogLevel::warning},
             {"error", LogLevel::error}});
}

constexpr std::string_view kKeepForm = "a time such as 12h, 10d, 8w or 2y, never or forever";

std::optional<base::Duration> parse_keep(std::string_view text) {
  using recorder::Retention;
  if (text == "never") return Retention::kNever;
  if (text == "forever") return Retention::kForever;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end + 1 != text.data() + text.size() || count < 1 || count > 100'000) return {};
  switch (*end) {
    case 'h':
      return std::chrono::hours(count);
    case 'd':
      return std::chrono::days(count);
    case 'w':
      return std::chrono::weeks(count);
    case 'y':
      return std::chrono::days(366) * count;
    default:
      return {};
  }
}

std::optional<std::string> parse_entity(std::string_view text) {
  const auto id = core::EntityId::parse(text);
  if (!id) return {};
  return std::string(id->str());
}

std::optional<std::string> parse_domain(std::string_view text) {
  if (!core::is_slug(text)) return {};
  return std::string(text);
}

std::optional<std::string> parse_glob(std::string_view text) {
  if (text.empty()) return {};
  return std::string(text);
}

// `node` is the rule's section, null if absent.
void read_rule(ConfigReader& in, const base::ConfigNode* node, const core::Limits& limits,
               core::EntityFilter::Rule& rule) {
  std::vector<std::string> entities, domains, globs;
  in.parsed_list("entities", entities, "an entity such as light.kitchen", parse_entity);
  in.parsed_list("domains", domains, "a domain such as light", parse_domain);
  in.parsed_list("entity_globs", globs, "a pattern such as sensor.kitchen_*", parse_glob);
  auto made = core::EntityFilter::Rule::create(std::move(entities), std::move(domains), std::move(globs), limits);
  if (made)
    rule = std::move(*made);
  else
    in.report(node->place().line, node->error(made.error().message));
}

void read_recorder(ConfigReader& in, const core::Limits& limits, recorder::RecorderOptions& recorder) {
  using namespace std::chrono_literals;
  in.duration("commit_interval", recorder.commit_interval, 0ms, 1min);
  recorder::Retention& retention = recorder.retention;
  in.parsed("keep", retention.keep, kKeepForm, parse_keep);
  read_rule(in.section("include"), in.find("include"), limits, retention.filter.include);
  read_rule(in.section("exclude"), in.find("exclude"), limits, retention.filter.exclude);
  const base::ConfigNode* const classes = in.find("classes");
  if (!classes || classes->is_empty()) return;
  if (!classes->is_list()) return in.report(classes->place().line, classes->mismatch("a list"));
  for (const base::ConfigNode& node : classes->items()) {
    ConfigReader each(node);
    recorder::Retention::Class made{{}, recorder::Retention::kForever};
    read_rule(each, &node, limits, made.entities);
    each.parsed("keep", made.keep, kKeepForm, parse_keep);
    if (!node.find("keep") && node.is_map()) each.report(node.place().line, node.error("keep is missing"));
    if (made.entities.empty() && node.is_map())
      each.report(node.place().line, node.error("names nobody: expected domains, entity_globs or entities"));
    auto read = each.finish(std::move(made));
    if (read)
      retention.classes.push_back(std::move(*read));
    else
      in.report(node.place().line, std::move(read.error()));
  }
}

std::optional<base::Duration> parse_archive_keep(std::string_view text) {
  const auto keep = parse_keep(text);
  if (!keep || *keep == recorder::Retention::kNever) return {};
  return *keep == recorder::Retention::kForever ? archive::ArchiveOptions::kForever : *keep;
}

// `recorder: archive:` is a URL, or a section. No error shows the URL, which has a password.
std::optional<archive::ArchiveOptions> read_archive(ConfigReader& recorder, const recorder::Retention& retention) {
  const base::ConfigNode* const node = recorder.find("archive");
  if (!node || node->is_empty()) return {};
  archive::ArchiveOptions options;
  options.records = [retention](std::string_view entity_id) { return retention.records(entity_id); };
  const base::ConfigNode* url = node;
  if (node->is_map()) {
    ConfigReader& in = recorder.section("archive");
    url = in.find("url");
    in.text("site", options.site);
    if (options.site.empty() || base::utf8_length(options.site).value_or(0) > archive::ArchiveOptions::kMaxSite)
      in.report(node->place().line, node->error("site is wrong: expected a name of 1 to 64 characters"));
    in.parsed("keep", options.keep, "a time such as 8w or 5y, or forever", parse_archive_keep);
  }
  const auto text = url ? url->text() : std::string();
  if (text && text->empty() && url == node) return {};
  if (text && (text->starts_with("postgresql://") || text->starts_with("postgres://"))) {
    options.url = *text;
  } else {
    const base::ConfigNode& place = url ? *url : *node;
    recorder.report(place.place().line,
                    place.error("expected a URL such as postgresql://hearth:password@localhost/hearth"));
  }
  return options;
}

// The section may also be named `homeassistant`, as in files of related hubs.
ConfigReader& home_section(ConfigReader& in, const base::ConfigNode& root) {
  const auto* other = root.find("homeassistant");
  if (!other) return in.section("home");
  if (!root.find("home")) return in.section("homeassistant");
  in.find("homeassistant");
  in.report(other->place().line, other->error("is another name for home; keep one of the two"));
  return in.section("home");
}

std::map<std::string, std::string, std::less<>> home_places(const base::ConfigNode& root) {
  std::map<std::string, std::string, std::less<>> places;
  for (const std::string_view section : {"home", "homeassistant"}) {
    const base::ConfigNode* const home = root.find(section);
    if (!home) continue;
    for (const auto& [key, value] : home->entries()) {
      if (key == kPackagesKey) continue;
      const auto& place = value.place();
      places.emplace(key == kNameKey ? kLocationNameKey : key,
                     fmt::format("{}:{}: {}", kConfigurationFile, place.line, place.key));
    }
  }
  return places;
}

// `mqtt`: its connection, if it has one.
void read_integrations(ConfigReader& in, const base::ConfigNode& root, std::span<const KnownIntegration> known,
                       const std::optional<base::ConfigNode>& mqtt, std::vector<IntegrationSettings>& integrations) {
  for (const auto& integration : known) in.find(integration.name);
  for (const auto& [name, section] : root.entries()) {
    const auto integration = std::ranges::find(known, name, &KnownIntegration::name);
    if (integration == known.end() || (name == kMqttKey && !mqtt)) continue;
    const base::ConfigNode& options = name == kMqttKey ? *mqtt : section;
    integrations.push_back({name, options});
    if (!integration->check) continue;
    auto checked = integration->check(options);
    if (!checked) in.report(options.place().line, std::move(checked.error()));
  }
}

base::Result<Settings> settings_of(LoadedYaml loaded, std::span<const KnownIntegration> integrations) {
  Settings settings;
  ConfigReader in(loaded.root);
  for (auto& problem : loaded.problems) in.report(problem.line, std::move(problem.error));
  ConfigReader& home = home_section(in, loaded.root);
  read_home(home, settings.home);
  settings.automations = read_automation_sections(in, home, loaded.root);
  settings.automations.warnings = std::move(loaded.warnings);
  settings.home_places = home_places(loaded.root);
  read_http(in.section("http"), settings.http);
  in.section("api").boolean("state_list_context", settings.api.state_list_context);
  read_frontend(in.section("frontend"), settings.frontend);
  read_limits(in.section("limits"), settings.limits);
  read_log(in.section("log"), settings.log_level);
  ConfigReader& recorder = in.section("recorder");
  read_recorder(recorder, settings.limits, settings.recorder);
  settings.archive = read_archive(recorder, settings.recorder.retention);
  settings.fleet = read_fleet(in);
  // What portals see soon must be in the log soon.
  if (settings.fleet && settings.fleet->role == FleetSettings::Role::site && !recorder.find("commit_interval"))
    settings.recorder.commit_interval = kSiteCommitInterval;
  MqttSections mqtt = read_mqtt_sections(loaded.root, home.find(kPackagesKey));
  settings.mqtt_components = std::move(mqtt.components);
  read_integrations(in, loaded.root, integrations, mqtt.connection, settings.integrations);
  return in.finish(std::move(settings));
}

}  // namespace

base::Result<Settings> parse_settings(std::string_view text, std::span<const KnownIntegration> integrations) {
  auto loaded = load_yaml(text, std::string(kConfigurationFile), {.tolerates = tolerates_faults});
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  return settings_of(std::move(*loaded), integrations);
}

base::Result<Settings> load_settings(const std::filesystem::path& folder,
                                     std::span<const KnownIntegration> integrations) {
  const auto text = read_configuration(folder);
  if (!text) return std::unexpected(text.error());
  YamlFiles files(folder, tolerates_faults);
  auto loaded = files.load(*text, std::string(kConfigurationFile));
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  auto settings = settings_of(std::move(*loaded), integrations);
  if (!settings) return settings;
  read_files_besides(files, settings->automations);
  settings->automations.blueprints = read_blueprints(folder);
  return settings;
}

}  // namespace hearth::app
