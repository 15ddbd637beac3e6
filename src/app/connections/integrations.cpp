// SPDX-License-Identifier: Apache-2.0
#include "app/connections/integrations.h"

#include <algorithm>

#include "integrations/calendars/dav/caldav.h"
#include "integrations/calendars/remote/remote_calendar.h"
#include "integrations/demo/demo.h"
#include "integrations/dsmr/dsmr.h"
#include "integrations/esphome/esphome.h"
#include "integrations/home_assistant/home_assistant.h"
#include "integrations/modbus/modbus.h"
#include "integrations/mqtt/mqtt.h"

namespace hearth::app {
namespace {

constexpr IntegrationFactory kIntegrations[] = {
    integration_factory<integrations::calendars::Caldav>("caldav"),
    integration_factory<integrations::demo::Demo>("demo"),
    integration_factory<integrations::dsmr::Dsmr>("dsmr"),
    integration_factory<integrations::esphome::Esphome>("esphome"),
    integration_factory<integrations::home_assistant::HomeAssistant>("home_assistant"),
    integration_factory<integrations::modbus::Modbus>("modbus"),
    integration_factory<integrations::mqtt::Mqtt>("mqtt"),
    integration_factory<integrations::calendars::RemoteCalendar>("remote_calendar"),
};

}  // namespace

Integrations all_integrations() {
  return kIntegrations;
}

const IntegrationFactory* find_integration(Integrations integrations, std::string_view name) {
  const auto found = std::ranges::find(integrations, name, &IntegrationFactory::name);
  return found == integrations.end() ? nullptr : &*found;
}

std::vector<std::string> names_of(Integrations integrations) {
  std::vector<std::string> names;
  for (const IntegrationFactory& factory : integrations) names.emplace_back(factory.name);
  return names;
}

std::vector<KnownIntegration> known_integrations(Integrations integrations) {
  std::vector<KnownIntegration> known;
  for (const IntegrationFactory& factory : integrations) known.push_back({std::string(factory.name), factory.check});
  return known;
}

}  // namespace hearth::app
