// SPDX-License-Identifier: Apache-2.0
#include "app/settings/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <ranges>

#include "app/files/configuration_file.h"
#include "app/files/yaml_files.h"
#include "app/sections/audit_section.h"
#include "app/sections/automation_sections.h"
#include "app/sections/customization_section.h"
#include "app/sections/foreign_words.h"
#include "app/sections/home_section.h"
#include "app/sections/import_section.h"
#include "app/sections/limits_section.h"
#include "app/sections/metrics_section.h"
#include "app/sections/mqtt_sections.h"
#include "app/sections/platform_integrations.h"
#include "app/sections/recorder_section.h"
#include "app/sections/section_reader.h"
#include "app/settings/blueprint_files.h"
#include "automation/config/parsing.h"
#include "base/config/config_reader.h"
#include "base/config/config_secrets.h"
#include "base/net/web_origin.h"
#include "base/text/truth.h"

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
  const base::ConfigNode* const tls = in.find("tls");
  const bool is_none = tls && tls->is_map() && tls->entries().empty();
  if (tls && !is_none) read_tls(in.section("tls"), http.server_port, http.tls.emplace());
}

// As Linux has them: at most 15 bytes without slashes and blanks.
std::optional<std::string> parse_interface(std::string_view text) {
  const bool is_name = !text.empty() && text.size() < 16 && text != "." && text != ".." &&
                       std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F && c != '/'; });
  return is_name ? std::optional<std::string>(text) : std::nullopt;
}

bool announces_by_default(Findings& findings) {
  const char* const value = std::getenv("HEARTH_ANNOUNCE");
  if (!value || !*value) return true;
  if (const auto wanted = base::parse_boolean(value)) return *wanted;
  findings.push_back({Finding::Kind::wrong, 0,
                      fmt::format("HEARTH_ANNOUNCE in the environment is {}: expected true or false", value),
                      Finding::Instead::standard});
  return true;
}

void read_frontend(ConfigReader& in, FrontendSettings& frontend) {
  in.text("folder", frontend.folder);
  if (const base::ConfigNode* const node = in.find("folder"))
    frontend.place = fmt::format("{}:{}: {}", kConfigurationFile, node->place().line, node->place().key);
}

void read_log(ConfigReader& in, base::LogLevel& level, base::LogStyle& style) {
  using base::LogLevel;
  in.option("level", level,
            {{"debug", LogLevel::debug},
             {"info", LogLevel::info},
             {"warning", LogLevel::warning},
             {"error", LogLevel::error}});
  in.option("format", style, {{"text", base::LogStyle::text}, {"json", base::LogStyle::json}});
}

// Where the file sets the home's keys, which cannot be changed elsewhere.
std::map<std::string, std::string, std::less<>> home_places(const base::ConfigNode& home) {
  std::map<std::string, std::string, std::less<>> places;
  for (const auto& [key, value] : home.entries()) {
    const auto& place = value.place();
    places.emplace(
        key == kNameKey ? kLocationNameKey : key,
        fmt::format("{}:{}: {}", place.file ? *place.file : std::string(kConfigurationFile), place.line, place.key));
  }
  return places;
}

// The section home without what has readers of its own.
base::ConfigNode own_home(const base::ConfigNode* home) {
  if (!home || !home->is_map()) return home ? *home : base::ConfigNode();
  base::ConfigNode::Map own;
  for (const auto& entry : home->entries()) {
    if (entry.key != kPackagesKey && !is_customization(entry.key)) own.push_back(entry);
  }
  return base::ConfigNode(home->place(), std::move(own));
}

// Reads the file's content into settings.
class Reading {
 public:
  Reading(const base::ConfigNode& root, std::span<const KnownIntegration> integrations, const LastGood* last_good,
          Settings& settings)
      : root_(root),
        integrations_(integrations),
        sections_(last_good, settings.findings),
        settings_(settings),
        in_(root) {}

  void run() {
    home();
    hub();
    recorder();
    metrics();
    phones();
    mqtt_and_others();
    for (const ForeignWord& word : foreign_words()) {
      if (!word.name.contains('.')) in_.suggest(word.name);
    }
    for (const base::ConfigProblem& problem : in_.problems()) {
      const auto kind = problem.unknown ? Finding::Kind::left_out : Finding::Kind::wrong;
      settings_.findings.push_back({kind, problem.line, problem.message});
    }
    std::ranges::move(sections_.wrong(), std::back_inserter(settings_.wrong));
    settings_.good = sections_.take_good();
  }

 private:
  void home() {
    const base::ConfigNode* const home = in_.find(kHomeKey);
    const base::ConfigNode read = sections_.check(kHomeKey, own_home(home), [&](const base::ConfigNode& section) {
      ConfigReader in(section);
      settings_.home = {};
      read_home(in, settings_.home);
      in.find(kPackagesKey);  // known to whoever mistypes it
      return in.problems();
    });
    settings_.home_places = home_places(read);
    const auto is_read_elsewhere = [this](std::string_view key) {
      return is_mqtt_section(key) ||
             std::ranges::find(integrations_, key, &KnownIntegration::name) != integrations_.end();
    };
    settings_.automations = read_automation_sections(in_, home, root_, is_read_elsewhere, settings_.findings);
    settings_.customizations = read_customizations(home, settings_.findings);
    for (const auto& [domain, section] : settings_.automations.platforms) {
      for (const base::ConfigNode& item : automation::one_or_many(&section)) check_platform(domain, item);
    }
  }

  // Sections of integrations that this hub does not have.
  void check_platform(const std::string& domain, const base::ConfigNode& item) {
    const base::ConfigNode* const platform = item.find("platform");
    const auto name = platform ? platform->text() : std::string();
    if (!platform || !name || knows_platform(domain, *name)) return;
    if (!integration_of_platform(domain, *name).empty()) return;
    const std::string_view instead = *name == kMqttKey ? "; such entities are described in the section mqtt" : "";
    std::string said = fmt::format("the platform {} of {} is not supported{}", *name, domain, instead);
    settings_.findings.push_back(
        {Finding::Kind::left_out, platform->place().line,
         platform->error(base::without_secrets(std::move(said), base::secrets_in(*platform))).message});
  }

  void hub() {
    sections_.read("http", in_.find("http"),
                   [&](ConfigReader& in) {
                     settings_.http = {};
                     read_http(in, settings_.http);
                   },
                   {.refuses = true});
    const bool announces = announces_by_default(settings_.findings);
    settings_.network.announce = announces;
    sections_.read("network", in_.find("network"), [&](ConfigReader& in) {
      settings_.network.announce = announces;
      in.boolean("announce", settings_.network.announce);
    });
    const ZeroconfSettings zeroconf{.enabled = announces || settings_.network.announce, .interfaces = {}};
    settings_.zeroconf = zeroconf;
    sections_.read("zeroconf", in_.find("zeroconf"), [&](ConfigReader& in) {
      settings_.zeroconf = zeroconf;
      in.boolean("enabled", settings_.zeroconf.enabled);
      in.parsed_list("interfaces", settings_.zeroconf.interfaces, "the name of a network interface such as eth0",
                     parse_interface);
    });
    sections_.read("auth", in_.find("auth"), [&](ConfigReader& in) {
      using Demand = auth::SecondFactorDemand;
      settings_.auth = {};
      in.option("second_factor", settings_.auth.second_factor,
                {{"optional", Demand::optional}, {"administrators", Demand::administrators}, {"all", Demand::all}});
    });
    sections_.read("api", in_.find("api"), [&](ConfigReader& in) {
      settings_.api = {};
      in.boolean("state_list_context", settings_.api.state_list_context);
    });
    sections_.read("frontend", in_.find("frontend"), [&](ConfigReader& in) {
      settings_.frontend = {};
      read_frontend(in, settings_.frontend);
    });
    sections_.read("limits", in_.find("limits"), [&](ConfigReader& in) {
      settings_.limits = {};
      read_limits(in, settings_.limits);
    });
    sections_.read("audit", in_.find("audit"), [&](ConfigReader& in) {
      settings_.audit = {};
      read_audit(in, settings_.audit);
    });
    sections_.read("import", in_.find("import"), [&](ConfigReader& in) {
      settings_.import = {};
      read_import(in, settings_.import);
    });
    sections_.read("log", in_.find("log"), [&](ConfigReader& in) {
      settings_.log_level = base::LogLevel::info;
      settings_.log_style = base::LogStyle::text;
      read_log(in, settings_.log_level, settings_.log_style);
    });
  }

  void recorder() {
    const std::size_t found = settings_.findings.size();
    const base::ConfigNode read = sections_.read("recorder", in_.find("recorder"), [&](ConfigReader& in) {
      settings_.recorder = {};
      read_recorder(in, settings_.limits, settings_.recorder);
      settings_.archive = read_archive(in, settings_.recorder.retention);
    });
    // Nobody knows how long history should stay: then none of it goes.
    const auto guessed = [](const Finding& each) { return each.instead == Finding::Instead::standard; };
    if (std::ranges::any_of(settings_.findings | std::views::drop(found), guessed))
      settings_.recorder.retention.keep = recorder::Retention::kForever;
    sections_.read("fleet", in_.find("fleet"), [&](ConfigReader& in) { settings_.fleet = read_fleet(in); },
                   {.refusing_keys = "tls", .whole = true});
    // Changes that portals see soon must be in the log soon.
    if (settings_.fleet && settings_.fleet->role == FleetSettings::Role::site && !read.find("commit_interval"))
      settings_.recorder.commit_interval = kSiteCommitInterval;
  }

  void metrics() {
    const base::ConfigNode* const section = in_.find("prometheus");
    if (!section) return;
    sections_.read("prometheus", section, [&](ConfigReader& in) {
      settings_.metrics = api::EntityMetrics();
      read_metrics(in, settings_.limits, *settings_.metrics);
    });
  }

  void phones() {
    sections_.read("mobile_app", in_.find("mobile_app"), [&](ConfigReader& in) {
      settings_.phones = {};
      in.boolean("push", settings_.phones.push);
      in.boolean("local_services", settings_.phones.local_services);
    });
  }

  // Each in the order of the file. `mqtt`: its connection, if it has one.
  void mqtt_and_others() {
    const base::ConfigNode* const home = in_.find(kHomeKey);
    const base::ConfigNode* const packages = home ? home->find(kPackagesKey) : nullptr;
    MqttSections mqtt = read_mqtt_sections(root_, packages);
    settings_.mqtt_components = std::move(mqtt.components);
    std::vector<std::string_view> others;
    for (const auto& integration : integrations_) {
      in_.find(integration.name);
      if (integration.name != kMqttKey) others.push_back(integration.name);
    }
    for (const base::ConfigNode::Entry& entry : root_.entries())
      if (is_mqtt_section(entry.key)) in_.find(entry.key);
    for (const auto& [name, section] : with_other_places(root_.entries(), others, packages, settings_.automations)) {
      const auto integration = std::ranges::find(integrations_, name, &KnownIntegration::name);
      if (integration == integrations_.end() || (name == kMqttKey && !mqtt.connection)) continue;
      base::ConfigNode options = name == kMqttKey ? *mqtt.connection : section;
      if (integration->check) {
        options = sections_.check(name, options, integration->check,
                                  {.refusing_keys = "certificate client_cert client_key tls_insecure"});
        const auto still = integration->check(options);
        if (!std::ranges::all_of(still, &base::ConfigProblem::unknown)) continue;  // it has nothing to start with
      }
      settings_.integrations.push_back({name, std::move(options)});
    }
  }

  const base::ConfigNode& root_;
  const std::span<const KnownIntegration> integrations_;
  SectionReader sections_;
  Settings& settings_;
  ConfigReader in_;
};

void read_into(Settings& settings, const base::ConfigNode& root, std::span<const KnownIntegration> integrations,
               const LastGood* last_good) {
  const base::ConfigNode own = with_own_words(root, settings.findings);
  Reading(own, integrations, last_good, settings).run();
  std::multimap<std::size_t, Finding> by_line;
  for (Finding& each : settings.findings) by_line.emplace(each.line, std::move(each));
  settings.findings.clear();
  for (auto& [line, each] : by_line) settings.findings.push_back(std::move(each));
}

base::Result<Settings> load(const std::filesystem::path& folder, std::span<const KnownIntegration> integrations,
                            const LastGood* last_good, const std::filesystem::path& blueprints) {
  YamlFiles files(folder, last_good);
  auto loaded = files.load_file(std::string(kConfigurationFile));
  if (!loaded && loaded.error().code == base::ErrorCode::not_found) {
    loaded.error().message =
        fmt::format("{}: there is no such file; `hearth serve` writes one", (folder / kConfigurationFile).native());
    return std::unexpected(std::move(loaded.error()));
  }
  const bool keeps_all = last_good == nullptr;  // half a configuration would end what the other half has
  if (!loaded && keeps_all) return std::unexpected(files.take_failure().value_or(loaded.error()));
  Settings settings;
  if (!loaded) {
    settings.findings.push_back({Finding::Kind::wrong, 0, loaded.error().message, Finding::Instead::standard});
    settings.wrong.emplace_back("");
  }
  read_into(settings, loaded ? loaded->root : base::ConfigNode(), integrations, last_good);
  if (loaded) std::ranges::move(loaded->warnings, std::back_inserter(settings.automations.warnings));
  read_files_besides(files, settings.automations);
  std::ranges::move(files.take_findings(), std::back_inserter(settings.findings));
  ReadFiles read = files.take_read();
  auto failure = files.take_failure();
  settings.automations.blueprints = read_blueprints(blueprints, &read, &failure);
  if (failure && keeps_all) return std::unexpected(std::move(*failure));
  settings.files = std::make_shared<const ReadFiles>(std::move(read));
  return settings;
}

}  // namespace

Settings parse_settings(std::string_view text, std::span<const KnownIntegration> integrations) {
  Settings settings;
  auto loaded =
      yaml::load_yaml(text, std::string(kConfigurationFile), {.tolerates = [](std::string_view) { return true; }});
  if (!loaded) {
    settings.findings.push_back({Finding::Kind::wrong, 0, loaded.error().message});
    settings.wrong.emplace_back("");
    return settings;
  }
  read_into(settings, loaded->root, integrations, nullptr);
  settings.automations.warnings = std::move(loaded->warnings);
  return settings;
}

base::Result<Settings> load_settings(const std::filesystem::path& folder,
                                     std::span<const KnownIntegration> integrations) {
  return load(folder, integrations, nullptr, folder);
}

base::Result<Settings> load_settings_to_start(const std::filesystem::path& folder,
                                              std::span<const KnownIntegration> integrations,
                                              const LastGood& last_good) {
  return load(folder, integrations, &last_good, folder);
}

base::Result<Settings> load_last_good(const std::filesystem::path& folder,
                                      std::span<const KnownIntegration> integrations, const LastGood& last_good) {
  return load(last_good.start_folder(), integrations, nullptr, folder);
}

base::Result<void> check_sections(const Settings& settings, std::initializer_list<std::string_view> sections) {
  const auto is_wrong = [&](std::string_view name) {
    return std::ranges::find(settings.wrong, name) != settings.wrong.end();
  };
  if (!is_wrong("") && std::ranges::none_of(sections, is_wrong)) return {};
  return base::fail(base::ErrorCode::invalid, texts_of(settings.findings, Finding::Kind::wrong));
}

}  // namespace hearth::app
