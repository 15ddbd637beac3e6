// SPDX-License-Identifier: Apache-2.0
// The checked content of configuration.yaml. Immutable after reading; one thread at a time reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/fleet_section.h"
#include "archive/archive.h"
#include "automation/sections.h"
#include "base/clock.h"
#include "base/config_node.h"
#include "base/ip_network.h"
#include "base/log.h"
#include "base/result.h"
#include "core/hub_config.h"
#include "core/limits.h"
#include "http/limits.h"
#include "recorder/recorder_options.h"

namespace hearth::app {

struct HttpSettings {
  std::vector<std::string> server_host;  // the addresses to listen on; empty means all
  std::uint16_t server_port = 8123;
  std::vector<std::string> cors_allowed_origins;  // as browsers send them: lower case, without a final slash
  std::vector<base::IpNetwork> trusted_proxies;
  http::Limits limits;

  bool operator==(const HttpSettings&) const = default;
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

struct IntegrationSettings {
  std::string name;
  base::ConfigNode options;
};

struct Settings {
  core::HubConfig home;  // the user's fields; the app adds the others
  // Where the file sets each key, by its name outside the file: `configuration.yaml:7: home.time_zone`.
  std::map<std::string, std::string, std::less<>> home_places;
  HttpSettings http;
  ApiSettings api;
  FrontendSettings frontend;
  core::Limits limits;
  base::LogLevel log_level = base::LogLevel::info;
  recorder::RecorderOptions recorder;
  std::optional<archive::ArchiveOptions> archive;  // null: none
  std::optional<FleetSettings> fleet;              // null: a home for itself
  std::vector<IntegrationSettings> integrations;   // in the order of the file
  // What is wrong in these does not make reading fail.
  automation::Sections automations;
  std::vector<base::ConfigNode> mqtt_components;  // as integrations::mqtt::joined_sections takes them
};

// An existing integration, and the check of its options: a failure names file, line and key of each error, as
// base::ConfigReader does. A null check accepts anything.
struct KnownIntegration {
  std::string name;
  std::function<base::Result<void>(const base::ConfigNode& options)> check;
};

// Fails with invalid; the message has one line for each error, in the order of the file:
//   configuration.yaml:12: demo.speed: expected a number from 0 to 1000, found "fast"
base::Result<Settings> parse_settings(std::string_view text, std::span<const KnownIntegration> integrations);

// The same for the folder's configuration.yaml, with the files that it includes. Fails also as read_configuration does.
base::Result<Settings> load_settings(const std::filesystem::path& folder,
                                     std::span<const KnownIntegration> integrations);

}  // namespace hearth::app
