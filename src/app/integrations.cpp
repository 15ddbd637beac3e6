// SPDX-License-Identifier: Apache-2.0
#include "app/integrations.h"

#include <algorithm>

#include "integrations/demo/demo.h"

namespace hearth::app {
namespace {

template <class Integration>
base::Result<void> check(const base::ConfigNode& options) {
  auto parsed = Integration::Options::parse(options);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  return {};
}

template <class Integration>
std::unique_ptr<domains::Integration> create(core::Hub& hub, domains::Domains& domains,
                                             const base::ConfigNode& options) {
  return std::make_unique<Integration>(hub, domains, Integration::Options::parse(options).value());
}

template <class Integration>
constexpr IntegrationFactory factory(std::string_view name) {
  return {name, check<Integration>, create<Integration>};
}

constexpr IntegrationFactory kIntegrations[] = {
    factory<integrations::demo::Demo>("demo"),
};

}  // namespace

std::span<const IntegrationFactory> integration_factories() {
  return kIntegrations;
}

const IntegrationFactory* find_integration(std::string_view name) {
  const auto found = std::find_if(std::begin(kIntegrations), std::end(kIntegrations),
                                  [&](const IntegrationFactory& factory) { return factory.name == name; });
  return found == std::end(kIntegrations) ? nullptr : found;
}

std::vector<KnownIntegration> known_integrations() {
  std::vector<KnownIntegration> known;
  for (const IntegrationFactory& factory : kIntegrations) known.push_back({std::string(factory.name), factory.check});
  return known;
}

}  // namespace hearth::app
