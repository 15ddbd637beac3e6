// SPDX-License-Identifier: Apache-2.0
// The checked content of configuration.yaml. Immutable after reading; one thread at a time reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/metrics/entity_metrics.h"
#include "app/files/finding.h"
#include "app/files/last_good.h"
#include "app/files/read_files.h"
#include "app/sections/fleet_section.h"
#include "app/sections/import_section.h"
#include "app/sections/tls_section.h"
#include "archive/archive.h"
#include "audit/log.h"
#include "auth/accounts/gate.h"
#include "automation/items/sections.h"
#include "base/clock.h"
#include "base/config/config_reader.h"
#include "base/log/log.h"
#include "base/net/ip_network.h"
#include "base/result.h"
#include "core/values/customizations.h"
#include "core/values/hub_config.h"
#include "core/values/limits.h"
#include "http/messages/limits.h"
#include "phones/push_settings.h"
#include "recorder/recorder_options.h"

namespace hearth::app {

struct HttpSettings {
  std::vector<std::string> server_host;  // the addresses to listen on; empty means all
  std::uint16_t server_port = 8123;
  std::vector<std::string> cors_allowed_origins;  // as browsers send them: lower case, without a final slash
  std::vector<base::IpNetwork> trusted_proxies;
  http::Limits limits;
  std::optional<TlsSettings> tls;  // null: the port speaks plainly

  std::string_view scheme() const { return tls ? "https" : "http"; }
  bool operator==(const HttpSettings&) const = default;
};

struct NetworkSettings {
  // Clients in the network find the hub. By default unless HEARTH_ANNOUNCE=false, which the image for containers sets.
  bool announce = true;

  bool operator==(const NetworkSettings&) const = default;
};

// The hub's use of mDNS.
struct ZeroconfSettings {
  bool enabled = true;
  std::vector<std::string> interfaces;  // that it uses; empty: all

  bool operator==(const ZeroconfSettings&) const = default;
};

struct AuthSettings {
  auth::SecondFactorDemand second_factor = auth::SecondFactorDemand::optional;

  bool operator==(const AuthSettings&) const = default;
};

struct ApiSettings {
  bool state_list_context = false;  // items of GET /api/states have their context, too

  bool operator==(const ApiSettings&) const = default;
};

// Another frontend's built pages.
struct FrontendSettings {
  std::string folder;  // relative to the configuration folder; empty: none
  std::string place;   // configuration.yaml:7: frontend.folder

  bool operator==(const FrontendSettings&) const = default;
};

using phones::PushSettings;

struct IntegrationSettings {
  std::string name;
  base::ConfigNode options;
};

struct Settings {
  core::HubConfig home;  // the user's fields; the app adds the others
  // Where the file sets each key, by its name outside the file: `configuration.yaml:7: home.time_zone`.
  std::map<std::string, std::string, std::less<>> home_places;
  HttpSettings http;
  NetworkSettings network;
  ZeroconfSettings zeroconf;
  AuthSettings auth;
  ApiSettings api;
  FrontendSettings frontend;
  core::Limits limits;
  audit::LogOptions audit;
  ImportSettings import;
  base::LogLevel log_level = base::LogLevel::info;
  base::LogStyle log_style = base::LogStyle::text;
  recorder::RecorderOptions recorder;
  std::optional<archive::ArchiveOptions> archive;  // null: none
  std::optional<FleetSettings> fleet;              // null: a home for itself
  std::optional<api::EntityMetrics> metrics;       // of `prometheus`; null: no values of entities
  PushSettings phones;                             // of `mobile_app`
  std::vector<IntegrationSettings> integrations;   // in the order of the file
  // Errors in these do not make reading fail.
  automation::Sections automations;
  std::vector<base::ConfigNode> mqtt_components;  // as integrations::mqtt::joined_sections takes them
  core::Customizations customizations;            // of homeassistant: customize and its like

  Findings findings;                       // in the order of the file
  std::vector<std::string> wrong;          // sections with a wrong value; an empty name: no YAML at all
  SectionNodes good;                       // those without, as they were read
  std::shared_ptr<const ReadFiles> files;  // all that was read; null if only a text was
  bool is_last_good = false;               // starts have failed: this is the whole configuration of the last good one
};

// An existing integration, and the check of its options. A null check accepts anything.
struct KnownIntegration {
  std::string name;
  std::function<std::vector<base::ConfigProblem>(const base::ConfigNode& options)> check;
};

// Errors are among the findings; the rest counts. So does a text that is no YAML: it has no settings.
Settings parse_settings(std::string_view text, std::span<const KnownIntegration> integrations);

// The same for the folder's configuration.yaml, with the files that it includes. Fails with not_found, with invalid if
// configuration.yaml itself cannot be read, and with unavailable if the machine fails at any file.
base::Result<Settings> load_settings(const std::filesystem::path& folder,
                                     std::span<const KnownIntegration> integrations);
// As a start reads it: for what cannot be read the last good start counts. Fails with not_found only.
base::Result<Settings> load_settings_to_start(const std::filesystem::path& folder,
                                              std::span<const KnownIntegration> integrations,
                                              const LastGood& last_good);
// The whole configuration of the last good start.
base::Result<Settings> load_last_good(const std::filesystem::path& folder,
                                      std::span<const KnownIntegration> integrations, const LastGood& last_good);

// Fails with invalid, with a line for each wrong value in one of these sections.
base::Result<void> check_sections(const Settings& settings, std::initializer_list<std::string_view> sections);

}  // namespace hearth::app
