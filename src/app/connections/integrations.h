// SPDX-License-Identifier: Apache-2.0
// The list of integrations: a line for each folder under integrations/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/settings.h"
#include "base/config/config_reader.h"
#include "base/result.h"
#include "domains/connection_flow.h"
#include "domains/integration.h"
#include "net/mdns/instance.h"

namespace hearth::app {

struct IntegrationFactory {
  std::string_view name;  // its key in configuration.yaml
  // Checks the options without a home.
  std::vector<base::ConfigProblem> (*check)(const base::ConfigNode& options);
  // REQUIRES: check has passed.
  std::unique_ptr<domains::Integration> (*create)(const domains::IntegrationHome& home,
                                                  const base::ConfigNode& options);
  // Gives other options to one that runs. False if it has to be started anew. REQUIRES: likewise.
  bool (*change)(domains::Integration& integration, const base::ConfigNode& options);
  // The connections of a section that lists several, whose options `create` and `change` get; null: the section is the
  // options of the only one. REQUIRES: likewise.
  std::vector<domains::FileConnection> (*connections)(const base::ConfigNode& section) = nullptr;
  // Makes the integration of a connection that a page made. Null, and so is the next: pages cannot.
  std::unique_ptr<domains::Integration> (*create_made)(const domains::IntegrationHome& home) = nullptr;
  // Asks for a new connection; `found`: for what was found, null if a person begins.
  std::unique_ptr<domains::ConnectionFlow> (*flow)(const domains::FlowHome& home,
                                                   const domains::Discovered* found) = nullptr;
  // Changes a connection that a page made. Null: pages cannot.
  std::unique_ptr<domains::ConnectionFlow> (*change_flow)(const domains::FlowHome& home,
                                                          domains::ConnectionChange change) = nullptr;
  // The types by which its devices announce themselves, such as _esphomelib._tcp; empty: by none.
  std::span<const std::string_view> service_types = {};
  // The device that announces this service; null if it is none. May throw.
  std::optional<domains::Discovered> (*discovered)(const net::MdnsInstance& service) = nullptr;
};

template <class Integration>
constexpr IntegrationFactory integration_factory(std::string_view name) {
  IntegrationFactory factory{
      name, Integration::Options::check,
      [](const domains::IntegrationHome& home, const base::ConfigNode& options) {
        return std::unique_ptr<domains::Integration>(
            std::make_unique<Integration>(home, Integration::Options::parse(options).value()));
      },
      []([[maybe_unused]] domains::Integration& integration, [[maybe_unused]] const base::ConfigNode& options) {
        if constexpr (requires(Integration& one) { one.change(Integration::Options::parse(options).value()); })
          return static_cast<Integration&>(integration).change(Integration::Options::parse(options).value());
        else
          return false;
      }};
  if constexpr (requires(const base::ConfigNode& section) { Integration::connections(section); })
    factory.connections = [](const base::ConfigNode& section) { return Integration::connections(section); };
  if constexpr (requires(const domains::FlowHome& home) { Integration::flow(home, nullptr); }) {
    factory.flow = [](const domains::FlowHome& home, const domains::Discovered* found) {
      return Integration::flow(home, found);
    };
    factory.create_made = [](const domains::IntegrationHome& home) {
      return std::unique_ptr<domains::Integration>(
          std::make_unique<Integration>(home, Integration::Options::of(*home.connection)));
    };
  }
  if constexpr (requires(const domains::FlowHome& home) {
                  Integration::change_flow(home, domains::ConnectionChange());
                }) {
    factory.change_flow = [](const domains::FlowHome& home, domains::ConnectionChange change) {
      return Integration::change_flow(home, std::move(change));
    };
  }
  if constexpr (requires(const net::MdnsInstance& service) { Integration::discovered(service); }) {
    factory.service_types = Integration::kServiceTypes;
    factory.discovered = [](const net::MdnsInstance& service) { return Integration::discovered(service); };
  }
  return factory;
}

using Integrations = std::span<const IntegrationFactory>;

// The integrations of this program.
Integrations all_integrations();
// Null if absent.
const IntegrationFactory* find_integration(Integrations integrations, std::string_view name);
std::vector<std::string> names_of(Integrations integrations);
// In the form that the settings need.
std::vector<KnownIntegration> known_integrations(Integrations integrations);

}  // namespace hearth::app
